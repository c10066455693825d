package walk

import "sync"

// Group runs goroutines. If one of them panics, [Group.Wait] panics with the same
// value, in the goroutine of the caller.
type Group struct {
	all  sync.WaitGroup
	once sync.Once
	why  any
}

// Go runs f in a goroutine. If f panics, failed is called.
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

// Wait waits for all goroutines.
func (g *Group) Wait() {
	g.all.Wait()
	if g.why != nil {
		panic(g.why)
	}
}
