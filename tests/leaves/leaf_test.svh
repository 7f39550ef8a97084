// What every bench of a leaf counts, and its one verdict: PASS or FAIL, and the name of the leaf. It never looks at the leaf.
//
// The module that includes this has the leaf's name in Leaf. Each of its checkers adds one to started at time 0, calls fail where an
// output is wrong, and finish once it has tried all it tries. A bench is compiled with the macro STRIDE: of many inputs it takes
// every STRIDE-th.

int started  = 0;
int finished = 0;
int checked  = 0;
int caught   = 0;

// The first failure ends the run.
task fail(input string what);
  $display("FAIL %0s %0s", Leaf, what);
  $finish;
endtask

task finish(input int count, input bit twin_differed);
  checked  = checked + count;
  caught   = caught + twin_differed;
  finished = finished + 1;
  if (finished == started) begin
    if (caught != started) $display("FAIL %0s twins=%0d caught=%0d", Leaf, started, caught);
    else $display("PASS %0s checked=%0d faults_caught=%0d", Leaf, checked, caught);
    $finish;
  end
endtask
