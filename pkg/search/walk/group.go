package walk

import "sync"

// Group runs goroutines together. If one panics, [Group.Wait] does: in the
// goroutine that can deal with it.
type Group struct {
	all  sync.WaitGroup
	once sync.Once
	why  any
}

// Go runs f. If it panics, failed is called.
func (g *Group) Go(f, failed func()) {
	g.all.Go(func() {
		defer func() {
			if why := recover(); why != nil {
				g.once.Do(func() { g.why = why })
				failed()
			}
		}()
		f()
	})
}

// Wait returns when all are done.
func (g *Group) Wait() {
	g.all.Wait()
	if g.why != nil {
		panic(g.why)
	}
}
