//! Words that a module cannot be named: the keywords of SystemVerilog (IEEE 1800-2017, annex B), its built-in package (section
//! 26.7), and names that the library and the emitter give to modules of their own.

use std::collections::HashSet;
use std::sync::LazyLock;

const KEYWORDS: &str = "
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
    binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
    constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
    else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
    endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect
    export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global
    highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input
    inside instance int integer interconnect interface intersect join join_any join_none large let liblist library local
    localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
    noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
    property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
    randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
    s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small
    soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on
    sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand
    trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void
    wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor";

const BUILT_IN_PACKAGE: &str = "std";

/// What the emitter adds to the name of a unit's registered module.
const REGISTERED: &str = "_registered";

/// One by one: hypotheses are checked by the million.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| KEYWORDS.split_whitespace().collect());

/// Whether a name is a keyword of SystemVerilog.
pub fn is_keyword(name: &str) -> bool {
    WORDS.contains(name)
}

/// Why a module cannot have that name, if it cannot.
pub(in crate::describe) fn reason(module: &str) -> Option<&'static str> {
    if is_keyword(module) {
        return Some("a name that is no keyword of SystemVerilog");
    }
    if module == BUILT_IN_PACKAGE {
        return Some("a name that is no package of SystemVerilog");
    }
    if module.ends_with(REGISTERED) {
        return Some("a name that does not end as the registered module of a unit does");
    }
    module.starts_with("tensorsmith").then_some("a name that does not begin as the modules of the library do")
}
