"""Finds SystemVerilog that tools read differently, in slang's syntax tree and elaborated design.

The first argument is a JSON file: {"files": [{"name", "text"}], "top", "include": [folder], "defines": [[name, value]], "alone",
"differences"}. With "alone" no file may include another; "differences" are warnings of Verilator that have to stay on. The second is
the file to write, a list of {"file", "line", "what", "reader"}; "reader" marks what only Yosys's own reader takes differently. What
is not known here is refused. Never says that a text is right.
"""

import functools
import json
import operator
import re
import resource
import sys

from pyslang import Bag, DiagnosticEngine, Diags, SourceManager, ast, parsing, syntax

Syntax, Expr, Stmt, Sym = syntax.SyntaxKind, ast.ExpressionKind, ast.StatementKind, ast.SymbolKind

# Macros that expand without end must not take the machine.
MEMORY = 6 << 30
# How deep statements, generate blocks and brackets may be nested.
DEPTH = 200

STRING_OR_COMMENT = re.compile(r'`"|\\\S+|"(?:\\.|[^"\\])*"|(//[^\n]*|/\*.*?\*/)', re.DOTALL)
# First words of comments that are meant for tools, and commands in them that change what a tool reads.
VENDORS = set(
    "synopsys synthesis rtl_synthesis pragma ambit cadence exemplar xilinx altera quartus vcs verilator verific yosys vivado".split()
)
COMMANDS = set("translate_off translate_on synthesis_off synthesis_on full_case parallel_case translate off on".split())
# Macros that some tool defines by itself.
TOOL_MACRO = re.compile("SYNTH|YOSYS|VERILATOR|ICARUS|SLANG|FORMAL|SIMULAT|XILINX|ALTERA|MODEL_?TECH|VCS|QUESTA|VIVADO|VERIFIC", re.I)

IGNORED_DIRECTIVES = {
    Syntax.TimeScaleDirective, Syntax.ResetAllDirective, Syntax.CellDefineDirective, Syntax.EndCellDefineDirective,
}
DELAYS = {Syntax.DelayControl, Syntax.Delay3, Syntax.CycleDelay, Syntax.OneStepDelay}
# Where Yosys's own reader makes '1 one bit.
ONE_BIT = {
    Syntax.FunctionDeclaration, Syntax.ParameterDeclaration, Syntax.ParameterValueAssignment, Syntax.OrderedArgument,
    Syntax.NamedPortConnection, Syntax.OrderedPortConnection, Syntax.LogicalShiftLeftExpression,
    Syntax.LogicalShiftRightExpression, Syntax.ArithmeticShiftLeftExpression, Syntax.ArithmeticShiftRightExpression,
}

SYMBOLS = {
    Sym.Parameter, Sym.TypeParameter, Sym.MultiPort, Sym.Field, Sym.StatementBlock, Sym.Genvar, Sym.TypeAlias,
    Sym.ForwardingTypedef, Sym.EnumValue, Sym.TransparentMember, Sym.EmptyMember, Sym.ExplicitImport, Sym.WildcardImport,
    Sym.Attribute, Sym.ElabSystemTask, Sym.Property, Sym.Sequence, Sym.AssertionPort,
}
SCOPES = {Sym.CompilationUnit, Sym.Package, Sym.InstanceBody, Sym.GenerateBlock, Sym.GenerateBlockArray, Sym.InstanceArray}
NETS = {ast.NetType.Wire, ast.NetType.Tri, ast.NetType.UWire}
GATES = set("and nand or nor xor xnor buf not".split())
EXPRESSIONS = {
    Expr.IntegerLiteral, Expr.UnbasedUnsizedIntegerLiteral, Expr.StringLiteral, Expr.UnboundedLiteral, Expr.NamedValue, Expr.HierarchicalValue,
    Expr.UnaryOp, Expr.BinaryOp, Expr.ConditionalOp, Expr.Inside, Expr.Concatenation, Expr.Replication, Expr.Streaming,
    Expr.ElementSelect, Expr.RangeSelect, Expr.MemberAccess, Expr.Call, Expr.Conversion, Expr.DataType, Expr.TypeReference,
    Expr.LValueReference, Expr.SimpleAssignmentPattern, Expr.StructuredAssignmentPattern, Expr.ReplicatedAssignmentPattern,
    Expr.EmptyArgument, Expr.ValueRange, Expr.MinTypMax,
}
# Functions of elaboration and of bits, checks at elaboration, and output.
SYSTEM = set(
    "$signed $unsigned $clog2 $bits $size $left $right $high $low $countones $onehot $onehot0 $error $fatal $warning $info".split()
)
PRINTS = set("$display $write $strobe".split())
STEPS = {
    ast.UnaryOperator.Preincrement, ast.UnaryOperator.Predecrement, ast.UnaryOperator.Postincrement,
    ast.UnaryOperator.Postdecrement,
}
EQUALITIES = {
    ast.BinaryOperator.Equality, ast.BinaryOperator.Inequality, ast.BinaryOperator.CaseEquality,
    ast.BinaryOperator.CaseInequality,
}
CONSTANTS = {Sym.Parameter, Sym.EnumValue, Sym.Genvar}
RESULT = "the result"


class Objections:
    """What was found, each once."""

    def __init__(self, manager, paths):
        """`paths` are those of the given files, by the numbers of their buffers."""
        self.manager, self.paths, self.found = manager, paths, {}

    def file(self, location):
        return self.paths.get(location.buffer.id) or str(self.manager.getFullPath(location.buffer))

    def outermost(self, location):
        """The given file that a place is in or is included from."""
        while location.buffer.id not in self.paths:
            around = self.manager.getIncludedFrom(location.buffer)
            if around.buffer.id in (0, location.buffer.id):
                break
            location = around
        return location.buffer.id

    def add(self, location, what, reader=False):
        location = self.manager.getFullyExpandedLoc(location)
        line = self.manager.getLineNumber(location)
        # Line 0 is no place.
        self.at(self.file(location) if line else self.paths[min(self.paths)], max(line, 1), what, reader)

    def at(self, file, line, what, reader=False):
        self.found.setdefault((file, line, what), {"file": file, "line": line, "what": what, "reader": reader})


# ------------------------------------------------------------------------------------------------ text, before any grammar


def check_text(path, text, differences, objections):
    """Carriage returns that end no line, and comments that a tool obeys."""
    line_of = lambda place: text.count("\n", 0, place) + 1
    for match in re.finditer(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f]", text):
        what = "a carriage return" if match[0] == "\r" else "a control character"
        objections.at(path, line_of(match.start()), f"{what}, at which comments end for some tools; allowed: ends of lines")
    for match in STRING_OR_COMMENT.finditer(text):
        if match[1]:
            what = obeyed(match[1], differences)
            if what:
                objections.at(path, line_of(match.start()), what)


def obeyed(comment, differences):
    """What is wrong with a comment that a tool obeys; nothing of others."""
    if comment.startswith("//") and comment.rstrip("\r").endswith("\\"):
        return "a comment that ends in a backslash: it goes on for some tools; allowed: a comment on one line"
    words = re.findall(r"\w+", comment.lower())
    for word in words:
        # Yosys needs no blank between the two.
        if any(word.startswith(vendor) and word[len(vendor):] in COMMANDS - {"off", "on"} for vendor in VENDORS):
            return f"the comment `{word}`: some tools obey it; allowed: text without it"
    if not words or words[0] not in VENDORS:
        return None
    vendor, rest = words[0], words[1:7]
    command = next((word for word in rest if word in COMMANDS or word == "lint_off"), None)
    if command in ("off", "on") and vendor != "rtl_synthesis":
        return None
    if command is None or command == "lint_off" and not differences & {word.upper() for word in words}:
        return None
    return f"the comment `{vendor} {command}`: some tools obey it, and others do not; allowed: text without it"


# -------------------------------------------------------------------------------------------------------------- syntax tree


class Tree:
    """Directives and constructs of the syntax tree, in modules that are not instantiated too."""

    def __init__(self, request, objections):
        self.objections = objections
        self.alone = request["alone"]
        self.given = {name for name, _ in request["defines"]}
        # Macros that the design has defined, and those of them that this file has.
        self.defined, self.here, self.file = set(), set(), None
        # Conditions around this place: the name of an include guard, or none.
        self.conditions, self.guard, self.wire = [], None, None

    def walk(self, root):
        nodes = [root]
        while nodes:
            node = nodes.pop()
            if isinstance(node, parsing.Token):
                for trivia in node.trivia:
                    if trivia.kind == parsing.TriviaKind.Directive:
                        self.directive(trivia.syntax())
            elif node is not None:
                self.construct(node)
                nodes.extend(reversed(list(node)))

    def object(self, node, what, reader=False):
        self.objections.add(node.sourceRange.start, what, reader)

    def directive(self, node):
        file = self.objections.outermost(node.sourceRange.start)
        if file != self.file:
            self.file, self.here = file, set()
        guard, self.guard = self.guard, None
        name = str(node.name.valueText) if hasattr(node, "name") else str(node.directive.valueText)[1:]
        kind = node.kind
        if guard and not (kind == Syntax.DefineDirective and name == guard[1]):
            if not (kind == Syntax.EndIfDirective and guard[1] in self.defined):
                self.condition(*guard)
        if kind == Syntax.DefineDirective:
            self.defined.add(name)
            self.here.add(name)
        elif kind == Syntax.UndefDirective:
            self.defined.discard(name)
            self.here.discard(name)
        elif kind == Syntax.IfNDefDirective and not TOOL_MACRO.search(str(node.expr).strip()):
            self.guard = (node, str(node.expr).strip())
        elif kind in (Syntax.IfDefDirective, Syntax.IfNDefDirective, Syntax.ElsIfDirective):
            for name in re.findall(r"\w+", str(node.expr)):
                self.condition(node, name)
        elif kind == Syntax.IncludeDirective:
            if self.alone:
                self.object(node, "`include reads another file; allowed: files without it")
        elif kind == Syntax.MacroUsage:
            if name not in self.defined | self.given:
                allowed = "macros that the design defines above, `timescale, `default_nettype none, `resetall"
                self.object(node, f"`{name}, which tools may know differently; allowed: {allowed}")
            elif name not in self.here | self.given:
                self.object(node, f"`{name} of another file, which Yosys does not know; allowed: macros of this file", True)
        elif kind == Syntax.DefaultNetTypeDirective:
            net = str(node.netType.valueText)
            self.wire = node if net == "wire" else None
            if net not in ("none", "wire"):
                self.object(node, "`default_nettype; allowed: none, and wire behind all modules")
        elif kind not in IGNORED_DIRECTIVES and kind not in (Syntax.ElseDirective, Syntax.EndIfDirective):
            self.object(node, f"`{name}, which tools may obey differently; allowed: `define, `timescale, `default_nettype none")

    def condition(self, node, name):
        """A condition on a macro: all tools take the same way only if the design defines it."""
        if name not in self.defined | self.given:
            word = str(node.directive.valueText)
            what = f"{word} {name}: some tools define that macro, others do not, so that they read different text; allowed: "
            what += "one text for all" if self.alone else "macros that the design defines, or the field `defines` of the design file"
            self.object(node, what)
        elif name not in self.here | self.given:
            what = f"a condition on {name}, which another file defines: Yosys does not know it; allowed: macros of this file"
            self.object(node, what, True)

    def construct(self, node):
        kind = node.kind
        if kind in DELAYS:
            self.object(node, "a delay, which simulators obey and Yosys ignores; allowed: no delays, `#(` for parameters")
        elif kind == Syntax.AttributeSpec and node.name.valueText in ("full_case", "parallel_case"):
            self.object(node, f"the attribute `{node.name.valueText}`: some tools obey it, others do not; allowed: default")
        elif kind == Syntax.BindDirective:
            self.object(node, "`bind`: Yosys leaves it out; allowed: instances in the module itself")
        elif kind == Syntax.DefParam:
            self.object(node, "`defparam`: Yosys leaves it out; allowed: parameters of an instance, `#(.Width(8))`")
        elif kind == Syntax.ModuleDeclaration and self.alone and self.wire is not None:
            self.object(self.wire, "`default_nettype; allowed: none, and wire behind all modules")
        elif kind == Syntax.CompilationUnit:
            self.unit(node)
        elif kind == Syntax.UnbasedUnsizedLiteralExpression and str(node).strip() != "'0" and self.is_one_bit(node):
            what = f"{str(node).strip()} in a parameter, a function, a shift or an argument, where Yosys makes it one bit; allowed: "
            self.object(node, what + "a number with a width, a replication", True)
        elif kind == Syntax.IntegerVectorExpression and not node.size.rawText and "s" in node.base.rawText.lower():
            what = f"{str(node).strip()}, whose sign Yosys loses; allowed: a width before it"
            self.object(node, what, True)
        elif kind == Syntax.ParameterDeclaration and self.is_bare_signed(node.type):
            what = "a parameter with a sign and no range, which Yosys takes without its sign; allowed: a type or a range"
            self.object(node, what, True)
        elif kind == Syntax.StructUnionMember:
            dimensions = [str(dimension).strip() for dimension in getattr(node.type, "dimensions", [])]
            if len(dimensions) > 1 or any(not re.search(r":\s*0\s*\]$", one) for one in dimensions):
                what = "a member whose range does not end at 0, or that has several, of which Yosys takes other bits; allowed: "
                self.object(node, what + "one range [high:0] a member", True)

    def unit(self, node):
        """Declarations outside of modules."""
        for member in node.members:
            if member.kind not in (Syntax.ModuleDeclaration, Syntax.PackageDeclaration, Syntax.EmptyMember, Syntax.BindDirective):
                what = "a declaration outside of modules and packages, which Yosys takes for those of the same name in them, in "
                self.object(member, what + "other files too; allowed: modules and packages", True)

    @staticmethod
    def is_one_bit(node):
        while node is not None and node.kind not in (Syntax.ModuleDeclaration, Syntax.ContinuousAssign):
            if node.kind in ONE_BIT:
                return True
            node = node.parent
        return False

    @staticmethod
    def is_bare_signed(kind):
        return kind.kind == Syntax.ImplicitType and bool(kind.signing.rawText) and not list(kind.dimensions)


# ---------------------------------------------------------------------------------------------------------- elaborated design


def key(symbol):
    """A symbol's place: the same for all instances of its module."""
    return (symbol.name, symbol.location.buffer.id, symbol.location.offset)


def mask(path):
    """The bits of a path's symbol: all that it may be where its place is not constant."""
    low, high = path.lspBounds
    return (2 << high) - (1 << low)


def is_assignment(expression):
    return expression.kind == Expr.Assignment or expression.kind == Expr.UnaryOp and expression.op in STEPS


def first_word(node):
    return (str(node.syntax).split() or [""])[0][:40] if node.syntax is not None else node.kind.name


def literal(expression):
    """The literal under conversions, if it is one."""
    while expression.kind == Expr.Conversion:
        expression = expression.operand
    return expression if expression.kind == Expr.IntegerLiteral else None


class Walk:
    """One procedure or function, in the order of its statements. Bits of a symbol are a mask."""

    def __init__(self, design, symbol, kind, own=None):
        self.design, self.kind, self.context = design, kind, ast.EvalContext(symbol)
        # Of a function: what it may use. Of all: what it declares itself, and what it reads and assigns.
        self.own, self.local, self.read, self.at_edges = own, set(), set(), {}
        # For each symbol the numbers of its assignments and their bits; how many were passed; what loops around this place assign.
        self.assigned, self.passed, self.loops = {}, 0, []

    def run(self, body):
        """Checks a body; the bits of each symbol that are surely assigned in the end."""
        for number, expression in enumerate(self.assignments(body)):
            for path in self.targets(expression):
                self.assigned.setdefault(key(path.rootSymbol), []).append((number, mask(path)))
        sure = {}
        self.statement(body, sure)
        return sure

    def assignments(self, statement):
        """All assignments of a statement, in the order of the walk."""
        kind = statement.kind
        if kind == Stmt.ExpressionStatement:
            return [statement.expr] if is_assignment(statement.expr) else []
        if kind == Stmt.ForLoop:
            ends = [[one for one in each if is_assignment(one)] for each in (statement.initializers, statement.steps)]
            return ends[0] + self.assignments(statement.body) + ends[1]
        inner = []
        if kind == Stmt.List:
            inner = statement.list
        elif kind == Stmt.Block:
            inner = [statement.body]
        elif kind == Stmt.Conditional:
            inner = [statement.ifTrue, statement.ifFalse]
        elif kind == Stmt.Case:
            inner = [item.stmt for item in statement.items] + [statement.defaultCase]
        return [one for each in inner if each is not None for one in self.assignments(each)]

    def targets(self, assignment):
        """The paths that an assignment assigns to."""
        return self.places(assignment.left if assignment.kind == Expr.Assignment else assignment.operand)

    def places(self, expression):
        kind = expression.kind
        if kind in (Expr.Concatenation, Expr.SimpleAssignmentPattern):
            parts = expression.operands if kind == Expr.Concatenation else expression.elements
            return [path for part in parts for path in self.places(part)]
        if kind == Expr.Conversion:
            return self.places(expression.operand)
        path = ast.ValuePath(expression, self.context)
        if path.empty:
            self.design.object(expression, "an expression that cannot be assigned to; allowed: names, parts of them, { and }")
            return []
        return [path]

    def indices(self, expression, sure):
        """Reads the indices of an expression on the left."""
        kind = expression.kind
        if kind in (Expr.Concatenation, Expr.SimpleAssignmentPattern):
            for part in expression.operands if kind == Expr.Concatenation else expression.elements:
                self.indices(part, sure)
        elif kind == Expr.Conversion:
            self.indices(expression.operand, sure)
        elif kind in (Expr.ElementSelect, Expr.RangeSelect, Expr.MemberAccess):
            self.design.index(expression)
            self.indices(expression.value, sure)
            parts = {Expr.ElementSelect: ["selector"], Expr.RangeSelect: ["left", "right"], Expr.MemberAccess: []}[kind]
            for part in parts:
                self.reads(getattr(expression, part), sure)

    def reads(self, expression, sure):
        """Checks an expression that is read."""
        self.design.check(expression)
        ast.ValuePath.visitPaths(expression, self.context, lambda path: self.path(path, sure))

    def path(self, path, sure):
        symbol = path.rootSymbol
        if symbol is None or symbol.kind in CONSTANTS:
            return
        name = key(symbol)
        self.read.add(name)
        if self.own is not None and name not in self.own:
            self.outside(path.rootExpr, symbol)
        if self.kind == "edge":
            return
        missing = mask(path) & ~sure.get(name, 0)
        later = any(number >= self.passed and bits & missing for number, bits in self.assigned.get(name, []))
        if later or any(loop.get(name, 0) & missing for loop in self.loops):
            what = f"`{symbol.name}` is read before the procedure has assigned it: a simulator takes its value from before; allowed: "
            self.design.object(path.rootExpr, what + "an assignment that stands above in every case")

    def outside(self, expression, symbol):
        what = f"function `{self.kind}` uses `{symbol.name}` of the module, whose changes not every simulator sees; allowed: "
        self.design.object(expression, what + "arguments, own variables, parameters")

    def declare(self, symbol, sure):
        self.local.add(key(symbol))
        if self.own is not None:
            self.own.add(key(symbol))
        sure.pop(key(symbol), None)
        if symbol.initializer is not None:
            self.reads(symbol.initializer, sure)
            sure[key(symbol)] = -1

    def statement(self, statement, sure):
        """`sure` are the bits that are assigned on every way here."""
        kind = statement.kind
        if kind == Stmt.List:
            for one in statement.list:
                self.statement(one, sure)
        elif kind == Stmt.Block:
            if statement.blockKind != ast.StatementBlockKind.Sequential:
                self.design.object(statement, "`fork`: tools carry it out differently; allowed: begin")
            self.statement(statement.body, sure)
        elif kind == Stmt.VariableDeclaration:
            self.design.variable(statement.symbol)
            self.declare(statement.symbol, sure)
        elif kind == Stmt.ExpressionStatement:
            self.expression(statement.expr, sure)
        elif kind == Stmt.Return:
            if statement.expr is not None:
                self.reads(statement.expr, sure)
            sure.update({name: -1 for name in [*self.assigned, RESULT]})
        elif kind in (Stmt.Conditional, Stmt.Case):
            self.branch(statement, sure)
        elif kind == Stmt.ForLoop:
            self.loop(statement, sure)
        elif kind not in (Stmt.Empty, Stmt.Break, Stmt.Continue, Stmt.ImmediateAssertion, Stmt.ConcurrentAssertion):
            what = f"`{first_word(statement)}` is carried out differently by tools, or is not known here; allowed: if, case, for, begin, "
            self.design.object(statement, what + "assignments")

    def branch(self, statement, sure):
        if statement.check != ast.UniquePriorityCheck.None_:
            word = statement.check.name.lower()
            what = f"`{word}`: Yosys leaves other cases undefined, simulators do not; allowed: if, case, default"
            self.design.object(statement, what)
        if statement.kind == Stmt.Conditional:
            for condition in statement.conditions:
                self.reads(condition.expr, sure)
            arms, other = [statement.ifTrue], statement.ifFalse
        else:
            self.design.case(statement, self.own is not None)
            for expression in [statement.expr] + [one for item in statement.items for one in item.expressions]:
                self.reads(expression, sure)
            arms, other = [item.stmt for item in statement.items], statement.defaultCase
        ends = []
        for arm in arms + [other]:
            ends.append(dict(sure))
            if arm is not None:
                self.statement(arm, ends[-1])
        common = {name: functools.reduce(operator.and_, [end.get(name, 0) for end in ends]) for name in ends[0]}
        sure.clear()
        sure.update(common)

    def loop(self, statement, sure):
        for symbol in statement.loopVars:
            self.declare(symbol, sure)
        for expression in statement.initializers:
            self.expression(expression, sure, in_loop=True)
        self.design.counted.update(key(path.rootSymbol) for step in statement.steps for path in self.targets(step))
        around = {}
        for assignment in self.assignments(statement.body) + list(statement.steps):
            for path in self.targets(assignment):
                around[key(path.rootSymbol)] = around.get(key(path.rootSymbol), 0) | mask(path)
        self.loops.append(around)
        if statement.stopExpr is not None:
            self.reads(statement.stopExpr, sure)
        # It may run never.
        end = dict(sure)
        self.statement(statement.body, end)
        for expression in statement.steps:
            self.expression(expression, end, in_loop=True)
        self.loops.pop()

    def expression(self, expression, sure, in_loop=False):
        """An expression as a statement."""
        if expression.kind == Expr.Call and expression.isSystemCall:
            if expression.subroutineName not in SYSTEM | PRINTS:
                self.design.system(expression)
            return
        if not is_assignment(expression):
            self.design.object(expression, "a statement that assigns nothing; allowed: assignments")
            return
        if expression.kind == Expr.UnaryOp:
            self.reads(expression.operand, sure)
        else:
            self.indices(expression.left, sure)
            self.reads(expression.right, sure)
        self.assign(expression, sure, in_loop)

    def assign(self, expression, sure, in_loop):
        self.passed += 1
        is_blocking = expression.kind == Expr.UnaryOp or not expression.isNonBlocking
        for path in self.targets(expression):
            symbol = path.rootSymbol
            name = key(symbol)
            if path.isFullyStatic:
                sure[name] = sure.get(name, 0) | mask(path)
            if self.own is not None and name not in self.own:
                self.outside(path.rootExpr, symbol)
            if self.kind == "edge":
                if is_blocking and not in_loop and name not in self.local:
                    self.at_edges.setdefault(name, expression)
            elif self.own is None:
                self.design.combinational.add(name)
        if self.kind != "edge" and not is_blocking:
            what = "`<=` in a function; allowed: `=`"
            if self.own is None:
                what = "`<=` without an edge: what is read behind it depends on the tool; allowed: `=`"
            self.design.object(expression, what)


class Design:
    """The elaborated design: every instance of a module with other parameters."""

    def __init__(self, objections):
        self.objections, self.seen = objections, set()
        # Who reads a symbol, what edges assign by `=`, what is assigned without an edge, and variables with a first value.
        self.readers, self.at_edges, self.combinational, self.values_first = {}, {}, set(), {}
        self.processes, self.body = 0, None
        # Variables that a loop counts in, which are constants once it is unrolled.
        self.counted = set()

    def object(self, node, what, reader=False):
        place = node.sourceRange.start if hasattr(node, "sourceRange") else node.location
        self.objections.add(place, what, reader)

    def finish(self):
        for name, (symbol, place) in self.values_first.items():
            if name in self.combinational:
                self.refuse_value(symbol)
        for name, (process, expression) in self.at_edges.items():
            if self.readers.get(name, set()) - {process}:
                what = "`=` at an edge: what others read there depends on the tool; allowed: `<=`"
                self.object(expression, what)

    # -------------------------------------------------------------------------------------------------------- declarations

    def scope(self, scope):
        for member in scope:
            self.symbol(member)

    def symbol(self, symbol):
        kind = symbol.kind
        if kind == Sym.GenerateBlock and symbol.isUninstantiated:
            return
        if kind in SCOPES:
            self.scope(symbol)
        elif kind == Sym.Instance:
            self.instance(symbol)
        elif kind == Sym.Port:
            if symbol.initializer is not None:
                self.object(symbol, f"the port `{symbol.name}` is declared with a value; allowed: ports without values")
            if symbol.internalSymbol is not None:
                self.processes += 1
                self.readers.setdefault(key(symbol.internalSymbol), set()).add(self.processes)
        elif kind == Sym.Net:
            self.net(symbol)
        elif kind == Sym.Variable:
            self.variable(symbol)
        elif kind == Sym.Subroutine:
            self.subroutine(symbol)
        elif kind == Sym.ContinuousAssign:
            self.continuous(symbol, symbol.assignment)
        elif kind == Sym.PrimitiveInstance:
            self.gate(symbol)
        elif kind == Sym.ProceduralBlock:
            self.procedure(symbol)
        elif kind not in SYMBOLS:
            what = f"`{first_word(symbol)}`: tools read it differently, or it is not known here; allowed: modules, packages, functions, "
            self.object(symbol, what + "assign, always_comb, always_ff")

    def instance(self, symbol):
        if not symbol.isModule:
            self.object(symbol, "an interface or program: tools read it differently; allowed: modules")
            return
        for connection in symbol.portConnections:
            if connection.expression is not None:
                self.continuous(symbol, connection.expression)
        parameters = [f"{one.name}={getattr(one, 'value', '')}" for one in symbol.body.parameters]
        name = (symbol.definition.name, tuple(parameters))
        if name not in self.seen:
            self.seen.add(name)
            around, self.body = self.body, symbol.body
            self.scope(symbol.body)
            self.body = around

    def net(self, symbol):
        if symbol.netType.netKind not in NETS:
            self.object(symbol, f"`{symbol.netType.name}`: tools resolve it differently; allowed: wire")
        self.vector(symbol)
        if symbol.initializer is not None:
            self.continuous(symbol, symbol.initializer)

    def vector(self, symbol):
        """Nets and variables hold bits."""
        kind = symbol.type
        if not (kind.isBitstreamType or kind.isIntegral) or kind.canonicalType.isFloating or kind.canonicalType.isString:
            self.object(symbol, f"`{symbol.name}` holds no bits: tools compute with it differently; allowed: vectors of bits")
        element = self.element(kind)
        if element is not None and (element.canonicalType.isUnpackedArray or kind.canonicalType.isPackedArray and self.element(element)):
            what = f"`{symbol.name}` has several dimensions: an index beyond one of them is another word for Yosys; allowed: one"
            self.object(symbol, what, True)

    @staticmethod
    def element(kind):
        """What an array or a vector consists of."""
        kind = kind.canonicalType
        return kind.elementType if kind.isUnpackedArray or kind.isPackedArray else None

    def variable(self, symbol):
        self.vector(symbol)
        if symbol.parentScope.containingInstance is None and not symbol.parentScope.isProceduralContext:
            self.object(symbol, "a variable outside of modules; allowed: parameters, types and functions")
        first = symbol.initializer
        if first is None or symbol.syntax is not None and symbol.syntax.parent.kind == Syntax.ForVariableDeclaration:
            return
        if symbol.lifetime == ast.VariableLifetime.Automatic:
            self.refuse_value(symbol, reader=True)
        elif symbol.parentScope.isProceduralContext or not self.is_constant(first):
            self.refuse_value(symbol)
        else:
            # The first value of a register is the same for all tools, that of anything else is not.
            self.values_first[key(symbol)] = (symbol, first)

    def refuse_value(self, symbol, reader=False):
        what = f"the variable `{symbol.name}` is declared with a value, which simulators give it once, at the start, and Yosys "
        self.object(symbol, what + "always; allowed: an assignment of its own, a wire", reader)

    def subroutine(self, symbol):
        if symbol.subroutineKind == ast.SubroutineKind.Task:
            self.object(symbol, f"the task `{symbol.name}`: tools carry it out differently; allowed: functions")
            return
        if symbol.flags & ast.MethodFlags.DPIImport:
            self.object(symbol, f"`{symbol.name}`, a function in another language; allowed: SystemVerilog")
            return
        for argument in symbol.arguments:
            if argument.direction != ast.ArgumentDirection.In:
                self.object(argument, f"the argument `{argument.name}` of a function; allowed: input, and one result")
        result = symbol.returnValVar
        own = {key(argument) for argument in symbol.arguments} | ({key(result)} if result is not None else set())
        sure = Walk(self, symbol, symbol.name, own).run(symbol.body)
        whole = (1 << result.type.bitWidth) - 1 if result is not None else 0
        if RESULT not in sure and (result is None or whole & ~sure.get(key(result), 0)):
            what = f"function `{symbol.name}` has not in every case a result; allowed: one that is assigned first"
            self.object(symbol, what)

    # ---------------------------------------------------------------------------------------------------------- expressions

    def check(self, expression):
        """Checks every node of an expression."""
        expression.visit(lambda node: self.part(node) if isinstance(node, ast.Expression) else None)

    def is_constant(self, expression):
        found = []
        expression.visit(lambda node: found.append(node) if isinstance(node, ast.ValueExpressionBase) else None)
        return all(node.symbol.kind in CONSTANTS for node in found)

    def is_generated(self, node):
        """Whether it is a name in a generate block of the same module."""
        if node.kind != Expr.HierarchicalValue:
            return False
        body = node.symbol.parentScope.containingInstance
        return body is not None and body.hierarchicalPath == self.body.hierarchicalPath

    def part(self, node):
        """One node of an expression."""
        kind = node.kind
        if kind == Expr.Assignment or kind == Expr.UnaryOp and node.op in STEPS:
            text = "=" if kind == Expr.Assignment else node.op.name
            self.object(node, f"`{text}` within an expression; allowed: assignments as statements")
        elif kind == Expr.HierarchicalValue and not self.is_generated(node):
            what = f"`{str(node.syntax).strip()[:60]}`, a name in another scope, which tools may find differently; allowed: ports"
            self.object(node, what)
        elif kind not in EXPRESSIONS:
            self.object(node, f"an expression that is not known here ({kind.name}); allowed: operators and functions of bits")
        elif kind == Expr.Call and node.isSystemCall and node.subroutineName not in SYSTEM:
            self.system(node)
        elif kind in (Expr.ElementSelect, Expr.RangeSelect):
            self.index(node)
        elif kind == Expr.BinaryOp and node.op in EQUALITIES:
            sides = [literal(side) for side in (node.left, node.right)]
            if any(side is not None and side.value.hasUnknown for side in sides):
                self.object(node, "a comparison with x or z: simulators and synthesis take it differently; allowed: 0 and 1")

    def index(self, node):
        """A computed index, of which Yosys's own reader leaves bits away or which it lets reach the next member."""
        if node.kind == Expr.MemberAccess or self.is_counted(place := node.selector if node.kind == Expr.ElementSelect else node.left):
            return
        if node.value.kind == Expr.MemberAccess:
            self.object(node, "a computed index into a member, beyond which Yosys takes the next one; allowed: constants", True)
        elif node.value.type.isUnpackedArray:
            if place.type.isSigned:
                self.object(node, "a computed index with a sign, which Yosys leaves away; allowed: an unsigned index into an array")
            bounds = node.value.type.canonicalType.range
            if min(bounds.left, bounds.right) != 0 or place.type.bitWidth > (bounds.width - 1).bit_length():
                what = "a computed index with more bits than places are, of which Yosys leaves some away; allowed: an array from 0 "
                self.object(node, what + "on, and an index of as many bits as it needs", True)

    def is_counted(self, expression):
        """Whether an expression is constant once loops are unrolled."""
        found = []
        expression.visit(lambda node: found.append(node.symbol) if isinstance(node, ast.ValueExpressionBase) else None)
        return all(symbol.kind in CONSTANTS or key(symbol) in self.counted for symbol in found)

    def system(self, call):
        name = call.subroutineName
        why = "reads another file" if name in ("$readmemh", "$readmemb", "$fopen") else "is no function of bits for all tools"
        self.object(call, f"{name} {why}; allowed: {', '.join(sorted(SYSTEM))}")

    def case(self, statement, in_function):
        condition = statement.condition.name
        if condition == "WildcardXOrZ":
            self.object(statement, "`casex`: Yosys takes other arms for unknown bits; allowed: case, casez")
        if condition == "WildcardJustZ" and in_function:
            what = "`casez` in a function: of constants Yosys takes another arm; allowed: case, if"
            self.object(statement, what, True)
        for item in statement.items:
            for expression in item.expressions:
                value = literal(expression)
                unknown = value is not None and value.value.hasUnknown
                if unknown and (condition == "Normal" or "x" in str(value.value).lower()):
                    what = "a case of unknown bits: simulators and synthesis take it differently; allowed: 0 and 1, in casez ? too"
                    self.object(expression, what)

    # ------------------------------------------------------------------------------------------------------------ processes

    def continuous(self, symbol, expression):
        """A continuous assignment, a connection, or the value of a net."""
        walk = Walk(self, symbol, "edge")
        if expression.kind == Expr.Assignment:
            self.combinational.update(key(path.rootSymbol) for path in walk.targets(expression))
            walk.indices(expression.left, {})
            expression = expression.right
        if expression.kind != Expr.EmptyArgument:
            walk.reads(expression, {})
        self.process(walk)

    def process(self, walk):
        self.processes += 1
        for name in walk.read:
            self.readers.setdefault(name, set()).add(self.processes)
        for name, expression in walk.at_edges.items():
            self.at_edges.setdefault(name, (self.processes, expression))

    def gate(self, symbol):
        if symbol.primitiveType.name not in GATES:
            what = f"`{symbol.primitiveType.name}`: tools resolve it differently; allowed: assign, {', '.join(sorted(GATES))}"
            self.object(symbol, what)
        for connection in symbol.portConnections:
            self.continuous(symbol, connection)

    def procedure(self, symbol):
        kind = symbol.procedureKind.name
        if kind in ("Initial", "Final"):
            what = f"`{kind.lower()}`: a simulator runs it once, and Yosys takes what it assigns for all times; allowed: assign, "
            self.object(symbol, what + "always_comb")
            return
        body, events = symbol.body, None
        if kind in ("Always", "AlwaysFF"):
            if body.kind != Stmt.Timed:
                self.object(symbol, "`always` without events; allowed: always_comb, always_ff @(posedge ...)")
                return
            body, events = body.stmt, body.timing
        edges = events is not None and events.kind.name != "ImplicitEvent"
        if edges and not self.are_edges(events):
            what = "a list of signals behind `always @`: simulators obey it, and Yosys ignores it; allowed: always_comb, "
            self.object(symbol, what + "always @*, posedge and negedge")
            return
        walk = Walk(self, symbol, "edge" if edges else "combinational")
        walk.run(body)
        self.process(walk)
        if events is not None and not edges and not walk.read - set(walk.assigned) - walk.local:
            what = "`@*` before what reads no signal: no simulator ever runs it; allowed: assign, always_comb"
            self.object(symbol, what)

    @staticmethod
    def are_edges(events):
        each = events.events if events.kind.name == "EventList" else [events]
        return all(
            event.kind.name == "SignalEvent" and event.edge.name in ("PosEdge", "NegEdge") and event.iffCondition is None
            for event in each
        )


def compilation(request, manager, buffers):
    """The tree of all files as one unit, and what it makes."""
    bag = Bag()
    preprocessor = parsing.PreprocessorOptions()
    preprocessor.predefines = [f"{name}={value}" for name, value in request["defines"]]
    preprocessor.additionalIncludePaths = request["include"]
    parser = parsing.ParserOptions()
    parser.maxRecursionDepth = DEPTH
    options = ast.CompilationOptions()
    options.topModules = {request["top"]}
    bag.preprocessorOptions, bag.parserOptions, bag.compilationOptions = preprocessor, parser, options
    tree = syntax.SyntaxTree.fromBuffers(buffers, manager, bag)
    made = ast.Compilation(bag)
    made.addSyntaxTree(tree)
    return tree, made


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.setrecursionlimit(20_000)
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    manager = SourceManager()
    buffers = [manager.assignText(file["name"], file["text"]) for file in request["files"]]
    objections = Objections(manager, {buffer.id.id: file["name"] for buffer, file in zip(buffers, request["files"])})
    tree, made = compilation(request, manager, buffers)
    # Included files too, which slang has read by now.
    for buffer in manager.getAllBuffers():
        text = manager.getSourceText(buffer).rstrip("\0")
        if manager.getRawFileName(buffer) not in ("", "<api>"):
            check_text(objections.paths.get(buffer.id) or str(manager.getFullPath(buffer)), text, set(request["differences"]), objections)
    Tree(request, objections).walk(tree.root)
    engine = DiagnosticEngine(manager)
    # A name that is declared twice is one net for Yosys.
    errors = [one for one in made.getAllDiagnostics() if one.isError() or one.code == Diags.Redefinition]
    for error in errors:
        objections.add(error.location, f"{engine.formatMessage(error)}; allowed: what slang reads")
    if not errors:
        design = Design(objections)
        for package in made.getPackages():
            if package.name != "std":
                design.scope(package)
        for unit in made.getRoot().compilationUnits:
            design.scope([one for one in unit if one.kind != Sym.Package])
        for instance in made.getRoot().topInstances:
            design.symbol(instance)
        design.finish()
    order = {file["name"]: place for place, file in enumerate(request["files"])}
    found = sorted(objections.found.values(), key=lambda one: (order.get(one["file"], len(order)), one["line"]))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(found, file)


main()
