package policy

import "testing"

// The order is total, is not that of the strings, and takes what is no risk for
// the worst.
func TestRiskOrder(t *testing.T) {
	for i, worse := range []Risk{Read, Write, Destructive} {
		for j, r := range []Risk{Read, Write, Destructive} {
			if got := worse.Worse(r); got != (i > j) {
				t.Errorf("%q.Worse(%q) = %v", worse, r, got)
			}
			if got, want := Worst(worse, r), max(i, j); got.level() != want {
				t.Errorf("Worst(%q, %q) = %q", worse, r, got)
			}
		}
	}
	for _, r := range []Risk{"", "READ", "unknown"} {
		if !r.Worse(Write) || r.Worse(Destructive) || Worst(Write, r) != r {
			t.Errorf("%q is not as bad as %q", r, Destructive)
		}
	}
	if got := Worst(); got != Read {
		t.Errorf("the worst of none is %q", got)
	}
}
