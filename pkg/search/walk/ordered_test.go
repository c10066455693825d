package walk

import (
	"slices"
	"testing"
)

// TestTasksKeepTheOrder reads two directories at once. The tasks of the second
// one must come after those of the first, even if it is read sooner: otherwise
// all its results would have to wait for the first.
func TestTasksKeepTheOrder(t *testing.T) {
	o := &ordered[int]{}
	o.ready.L = &o.mu
	directories := func(names ...string) []task[int] {
		var all []task[int]
		for _, name := range names {
			all = append(all, task[int]{node: &node[int]{name: name}, batch: -1})
		}
		return all
	}
	var order []string
	next := func() *task[int] {
		t.Helper()
		p := o.pop()
		if p == nil {
			t.Fatal("no task left")
		}
		order = append(order, p.node.name)
		return p
	}
	done := func(p *task[int], inner ...string) {
		o.put(p, directories(inner...))
		o.finish()
	}
	o.tasks = &directories("root")[0]
	done(next(), "a", "b", "c", "d")
	a, b, c := next(), next(), next()
	done(b, "b1", "b2")
	done(c)
	done(a, "a1", "a2")
	a1 := next()
	a2 := next()
	done(a2, "a2x")
	done(a1, "a1x")
	for range 5 {
		done(next())
	}
	if want := []string{"root", "a", "b", "c", "a1", "a2", "a1x", "a2x", "b1", "b2", "d"}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q", order, want)
	}
	if p := o.pop(); p != nil {
		t.Errorf("%+v is left", p)
	}
}
