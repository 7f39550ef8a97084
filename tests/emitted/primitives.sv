// Stand-ins for the primitives that boards' kits instantiate: ports and parameters alone, so that a kit can be linted.

// verilator lint_off DECLFILENAME
// verilator lint_off UNDRIVEN
// verilator lint_off UNUSEDPARAM
// verilator lint_off UNUSEDSIGNAL

module EHXPLLL #(
    parameter CLKI_DIV        = 1,
    parameter CLKFB_DIV       = 1,
    parameter CLKOP_DIV       = 8,
    parameter CLKOS_DIV       = 8,
    parameter CLKOP_ENABLE    = "ENABLED",
    parameter CLKOS_ENABLE    = "DISABLED",
    parameter CLKOP_CPHASE    = 0,
    parameter CLKOS_CPHASE    = 0,
    parameter CLKOP_FPHASE    = 0,
    parameter CLKOS_FPHASE    = 0,
    parameter FEEDBK_PATH     = "CLKOP",
    parameter OUTDIVIDER_MUXA = "DIVA",
    parameter OUTDIVIDER_MUXB = "DIVB",
    parameter OUTDIVIDER_MUXC = "DIVC",
    parameter OUTDIVIDER_MUXD = "DIVD",
    parameter PLLRST_ENA      = "DISABLED",
    parameter INTFB_WAKE      = "DISABLED",
    parameter STDBY_ENABLE    = "DISABLED",
    parameter DPHASE_SOURCE   = "DISABLED"
) (
    input  CLKI, CLKFB, RST, STDBY, PLLWAKESYNC, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG,
    input  ENCLKOP, ENCLKOS, ENCLKOS2, ENCLKOS3,
    output CLKOP, CLKOS, CLKOS2, CLKOS3, LOCK, INTLOCK, REFCLK, CLKINTFB
);
endmodule

module SB_PLL40_PAD #(
    parameter FEEDBACK_PATH = "SIMPLE",
    parameter [3:0] DIVR = 0,
    parameter [6:0] DIVF = 0,
    parameter [2:0] DIVQ = 0,
    parameter [2:0] FILTER_RANGE = 0
) (
    input  PACKAGEPIN, EXTFEEDBACK, BYPASS, RESETB, LATCHINPUTVALUE, SDI, SCLK,
    input  [7:0] DYNAMICDELAY,
    output PLLOUTCORE, PLLOUTGLOBAL, LOCK, SDO
);
endmodule

module rPLL #(
    parameter DEVICE = "",
    parameter FCLKIN = "",
    parameter IDIV_SEL = 0,
    parameter FBDIV_SEL = 0,
    parameter ODIV_SEL = 8,
    parameter DYN_IDIV_SEL = "false",
    parameter DYN_FBDIV_SEL = "false",
    parameter DYN_ODIV_SEL = "false",
    parameter PSDA_SEL = "0000",
    parameter DYN_DA_EN = "false",
    parameter DUTYDA_SEL = "1000",
    parameter CLKOUT_FT_DIR = 1'b1,
    parameter CLKOUTP_FT_DIR = 1'b1,
    parameter CLKOUT_DLY_STEP = 0,
    parameter CLKOUTP_DLY_STEP = 0,
    parameter CLKFB_SEL = "internal",
    parameter CLKOUT_BYPASS = "false",
    parameter CLKOUTP_BYPASS = "false",
    parameter CLKOUTD_BYPASS = "false",
    parameter DYN_SDIV_SEL = 2,
    parameter CLKOUTD_SRC = "CLKOUT",
    parameter CLKOUTD3_SRC = "CLKOUT"
) (
    input  CLKIN, CLKFB, RESET, RESET_P,
    input  [5:0] FBDSEL, IDSEL, ODSEL,
    input  [3:0] PSDA, DUTYDA, FDLY,
    output CLKOUT, LOCK, CLKOUTP, CLKOUTD, CLKOUTD3
);
endmodule

module PLLE2_BASE #(
    parameter real CLKIN1_PERIOD = 0.0,
    parameter integer DIVCLK_DIVIDE = 1,
    parameter integer CLKFBOUT_MULT = 5,
    parameter integer CLKOUT0_DIVIDE = 1
) (
    input  CLKIN1, CLKFBIN, RST, PWRDWN,
    output CLKFBOUT, CLKOUT0, CLKOUT1, CLKOUT2, CLKOUT3, CLKOUT4, CLKOUT5, LOCKED
);
endmodule

module BUFG (
    input  I,
    output O
);
endmodule
