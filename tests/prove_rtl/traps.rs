//! Text that tools read differently beside honest text of the same look, each in place of one line of a leaf.

/// The leaf, the line, and what stands there.
pub const LEAF: &str = "tensorsmith_round.sv";
pub const LINE: usize = 44;
pub const PLACE: &str = "    assign round_up = half && (rest || kept[0]);";

/// A text, the line of the construct from the start of the text on, and what the refusal says.
pub const TRAPS: [(&str, usize, &str); 52] = [
    (
        "    logic k = half && (rest || kept[0]);\n    assign round_up = k;",
        0,
        "the variable `k` is declared with a value",
    ),
    ("    reg k = half && (rest || kept[0]);\n    assign round_up = k;", 0, "the variable `k`"),
    ("    bit j, k = half && (rest || kept[0]);\n    assign round_up = k;", 0, "the variable `k`"),
    ("    var logic k = half && (rest || kept[0]);\n    assign round_up = k;", 0, "the variable `k`"),
    ("    typedef logic t;\n    t k = half && (rest || kept[0]);\n    assign round_up = k;", 1, "the variable `k`"),
    ("    int k = int'(half);\n    assign round_up = k[0];", 0, "the variable `k`"),
    ("    pkg::t [1:0] k\n    = 2'(half);\n    assign round_up = k[0];", 0, "the variable `k`"),
    (
        "    `define GETS =\n    logic k `GETS half && (rest || kept[0]);\n    assign round_up = k;",
        1,
        "the variable `k`",
    ),
    ("    always_comb begin\n      logic k = half;\n      round_up = k;\n    end", 1, "the variable `k`"),
    ("    initial round_up = half && (rest || kept[0]);", 0, "`initial`"),
    ("    logic k;\n    initial begin k = half && (rest || kept[0]); end\n    assign round_up = k;", 1, "`initial`"),
    (
        "`ifdef SYNTHESIS\n    assign round_up = half && (rest || kept[0]);\n`else\n    assign round_up = half;\n`endif",
        0,
        "`ifdef",
    ),
    (
        "`ifdef YOSYS\n    assign round_up = half && (rest || kept[0]);\n`else\n    assign round_up = half;\n`endif",
        0,
        "`ifdef",
    ),
    (
        "`ifndef VERILATOR\n    assign round_up = half && (rest || kept[0]);\n`else\n    assign round_up = half;\n`endif",
        0,
        "`ifndef",
    ),
    (
        "`ifdef NONE\n`elsif __ICARUS__\n    assign round_up = half;\n`else\n    assign round_up = half && (rest || kept[0]);\n`endif",
        0,
        "`ifdef",
    ),
    ("    assign round_up = `YOSYS'd0 == 0;", 0, "`YOSYS, which tools may know differently"),
    (
        "    assign round_up = half && (rest || kept[0]\n    // synopsys translate_off\n    || 1'b1\n    // synopsys translate_on\n    );",
        1,
        "the comment `synopsys translate_off`",
    ),
    (
        "    assign round_up = half && (rest || kept[0]\n    /* synthesis translate_off */\n    || 1'b1\n    /* synthesis translate_on */\n    );",
        1,
        "the comment `synthesis translate_off`",
    ),
    (
        "    assign round_up = half && (rest || kept[0] //pragma  translate_off\n    );",
        0,
        "the comment `pragma translate_off`",
    ),
    (
        "    // verilator lint_off ALWCOMBORDER\n    assign round_up = half && (rest || kept[0]);",
        0,
        "the comment `verilator lint_off`",
    ),
    (
        "    always_comb case (half) // synopsys full_case\n      1'b1: round_up = rest || kept[0];\n      default: round_up = 1'b0;\n    endcase",
        0,
        "`synopsys full_case`",
    ),
    (
        "    always_comb (* full_case *) case (half)\n      1'b1: round_up = rest || kept[0];\n      default: round_up = 1'b0;\n    endcase",
        0,
        "the attribute `full_case`",
    ),
    (
        "    always_comb unique case (half)\n      1'b1: round_up = rest || kept[0];\n      default: round_up = 1'b0;\n    endcase",
        0,
        "`unique`",
    ),
    ("    always @(half) round_up = half && (rest || kept[0]);", 0, "a list of signals"),
    ("    always @(half, rest) round_up = half && (rest || kept[0]);", 0, "a list of signals"),
    ("    always @(posedge half or rest) round_up <= half && (rest || kept[0]);", 0, "a list of signals"),
    ("    always @half round_up = half && (rest || kept[0]);", 0, "half is not understood here"),
    ("    assign #5 round_up = half && (rest || kept[0]);", 0, "a delay"),
    ("    assign #(5) round_up = half && (rest || kept[0]);", 0, "a delay"),
    ("    always_comb round_up <= #5 half && (rest || kept[0]);", 0, "a delay"),
    ("    wire y, t;\n    or (t, rest, kept[0]);\n    and #(5) (y, half, t);\n    assign round_up = y;", 2, "a delay"),
    ("    wire [0:0] #5 y;\n    assign y = half && (rest || kept[0]);\n    assign round_up = y;", 0, "a delay"),
    ("    assign round_up = half && (rest || kept[0]);\n    defparam u_other.Width = 5;", 1, "`defparam`"),
    (
        "    assign round_up = half && (rest || kept[0]);\n    bind tensorsmith_round tensorsmith_other u_other ();",
        1,
        "`bind`",
    ),
    (
        "    logic t;\n    always_comb begin\n      round_up = half && t;\n      t = rest || kept[0];\n    end",
        2,
        "`t` is read before",
    ),
    (
        "    logic t;\n    always @* begin\n      round_up = half && t;\n      t = rest || kept[0];\n    end",
        2,
        "`t` is read before",
    ),
    (
        "    logic t;\n    always_comb begin\n      if (half) t = rest || kept[0];\n      round_up = half && t;\n      t = rest || kept[0];\n    end",
        3,
        "`t` is read before",
    ),
    (
        "    logic [1:0] t;\n    always_comb begin\n      t[0] = half;\n      round_up = t[0] && t[1];\n      t[1] = rest || kept[0];\n    end",
        3,
        "`t` is read before",
    ),
    (
        "    logic [2:0] t;\n    always_comb begin\n      for (int i = 0; i < 2; i++) t[i] = t[i+1];\n      t[2] = half && (rest || kept[0]);\n      round_up = t[0];\n    end",
        2,
        "`t` is read before",
    ),
    (
        "    logic t;\n    always_comb begin\n      case (half) 1'b1: t = kept[0]; endcase\n      round_up = half && t;\n      t = rest || kept[0];\n    end",
        3,
        "`t` is read before",
    ),
    (
        "    logic t;\n    always_comb begin\n      t <= rest || kept[0];\n      round_up <= half && t;\n    end",
        2,
        "`<=` without an edge",
    ),
    (
        "    function automatic logic f(input logic h);\n      f = h && (rest || kept[0]);\n    endfunction\n    assign round_up = f(half);",
        1,
        "function `f` uses `rest` of the module",
    ),
    (
        "    function automatic logic f(input logic h);\n      if (rest) return h;\n      else return h && kept[0];\n    endfunction\n    assign round_up = f(half);",
        1,
        "function `f` uses `rest`",
    ),
    (
        "    logic k;\n    function automatic logic f(input logic h);\n      k = h;\n      f = h;\n    endfunction\n    assign round_up = f(half) && (rest || kept[0]);",
        2,
        "function `f` uses `k`",
    ),
    (
        "    function logic f(input logic h);\n      if (h) f = 1'b1;\n    endfunction\n    assign round_up = f(half) && (rest || kept[0]);",
        0,
        "has not in every case a result",
    ),
    ("    assign round_up = half && (rest || kept[0] // why\r    || 1'b1\n    );", 0, "a carriage return"),
    ("    assign round_up = half && (rest || kept[0] /* why\n\r */\n    );", 1, "a carriage return"),
    (
        "    logic y;\n    logic y;\n    assign y = half && (rest || kept[0]);\n    assign round_up = y;",
        1,
        "`y` is declared twice, first on line 44",
    ),
    (
        "    if (1) begin : half_2\n    end\n    logic half_2;\n    assign half_2 = half;\n    assign round_up = half_2 && (rest || kept[0]);",
        2,
        "`half_2` is declared twice",
    ),
    ("`include \"other.svh\"\n    assign round_up = half && (rest || kept[0]);", 0, "`include reads another file"),
    (
        "    logic [7:0] k [0:1];\n    always_comb $readmemh(\"k\", k);\n    assign round_up = half && (rest || kept[0]);",
        1,
        "$readmemh reads another file",
    ),
    ("    assign round_up = half && $random;", 0, "$random is no function of bits"),
];

/// Those of them that Yosys reads as the unit.
pub const READ_BY_YOSYS: [usize; 27] =
    [0, 1, 2, 3, 4, 9, 10, 11, 12, 13, 14, 16, 17, 18, 23, 24, 27, 28, 30, 31, 32, 33, 34, 35, 37, 41, 45];

/// Honest text, some of it with the same words.
pub const HONEST: [&str; 17] = [
    "    // `ifdef and `include, initial k = 5; #5 and translate_off in a comment; logic k = 1;\n    assign round_up = half && (rest || kept[0]);",
    "    /* initial k = 5;\n    `include \"other.svh\" */ // synthesis removes what is constant\n    assign round_up = half && (rest || kept[0]);",
    "    localparam Words = \"initial `ifdef `include #5 defparam bind // \\\" \";\n    assign round_up = half && (rest || kept[0]);",
    "    localparam logic [7:0] One = 8'd1;\n    assign round_up = One[0] && half && (rest || kept[0]);",
    "    parameter int One = 1, Two = 2;\n    assign round_up = One[0] && half && (rest || kept[0]);",
    "    wire k = half && (rest || kept[0]);\n    assign round_up = k;",
    "    logic t;\n    always_comb begin\n      t = rest || kept[0];\n      round_up = half && t;\n    end",
    "    logic t;\n    always @* begin\n      if (half) t = rest || kept[0];\n      else t = 1'b0;\n      round_up = t;\n    end",
    "    logic [1:0] t;\n    always_comb begin\n      t[0] = half;\n      t[1] = rest || kept[0];\n      round_up = t[0] && t[1];\n    end",
    "    logic [2:0] t;\n    integer i;\n    always @(*) begin\n      t = '0;\n      for (i = 0; i < 3; i = i + 1) t[i] = half;\n      round_up = &t && (rest || kept[0]);\n    end",
    "    always_comb begin\n      case (half)\n        1'b1: round_up = rest || kept[0];\n        default: round_up = 1'b0;\n      endcase\n    end",
    "    localparam logic One = 1'b1;\n    function automatic logic f(input logic h, input logic r, input logic k);\n      logic t;\n      t = r || k;\n      f = h && t && One;\n    endfunction\n    assign round_up = f(half, rest, kept[0]);",
    "    function f;\n      input h, r, k;\n      f = h && (r || k);\n    endfunction\n    assign round_up = f(half, rest, kept[0]);",
    "    `define BOTH (rest || kept[0])\n    assign round_up = half && `BOTH;\n    `undef BOTH",
    "    assign round_up = half && // why\r\n        (rest || kept[0]);\r",
    "    wire t, \\initial ;\n    or g0 (t, rest, kept[0]);\n    and g1 (\\initial , half, t);\n    assign round_up = \\initial ;",
    "    (* keep *) logic [3:0] k;\n    // verilator lint_off WIDTH\n    assign k = half && (rest || kept[0]);\n    assign round_up = k;",
];
