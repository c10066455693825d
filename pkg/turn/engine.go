// Package turn carries out what a model asks for in one turn: it reads the calls in what
// a provider returned, finds their tools, runs them through the guard, and has one
// answer for each call, in the order of the calls, whatever became of it. The command
// line prints the answers; a sub-agent's conversation goes on with them.
package turn

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/turn/dialect"
	"github.com/helve-dev/helve/pkg/turn/modeltext"
)

// Engine carries out the calls of turns. Its methods may be called from several
// goroutines.
type Engine struct {
	// World returns what calls get, as the policy of the moment makes it. While it
	// returns an error no call runs: each is answered with that.
	World  func() (*tool.Env, *tools.Catalog, error)
	Lang   fault.Lang // of the answers
	JSON   bool       // answers contain the JSON envelope instead of text
	Images *bool      // show the model images; nil where results hold them
	// Pass are the tools whose calls the host answers, and all that are not offered; nil
	// leaves it none.
	Pass []string
}

// Done is a call and its outcome.
type Done struct {
	Answer  dialect.Answer
	Err     *fault.Error  // why it failed; nil for one that did not
	Elapsed time.Duration // that it ran
	Passed  bool          // the host answers it: Answer has nothing but the call
}

// Answer carries out the calls in what a provider returned, in a dialect, or in any with
// a nil one. It returns the reply and how many of the calls failed. An error says that
// the document cannot be read; then no call ran.
func (e *Engine) Answer(ctx context.Context, d *dialect.Dialect, document []byte) (reply any, failed int, err error) {
	w := e.world()
	if w.refused != nil && d.OfText() { // which texts are calls, only the tools tell
		return nil, 0, w.refused
	}
	t, err := dialect.Read(d, document, w.known())
	if err != nil {
		return nil, 0, err
	}
	var own []dialect.Answer
	var passed []int
	for i, one := range e.run(ctx, t, w) {
		if one.Err != nil {
			failed++
		}
		if one.Passed {
			passed = append(passed, i)
		} else {
			own = append(own, one.Answer)
		}
	}
	if e.Pass == nil {
		return t.Reply(own), failed, nil
	}
	return t.Share(own, passed), failed, nil
}

// Run carries out the calls of a turn, and returns them in their order.
func (e *Engine) Run(ctx context.Context, t *dialect.Turn) []Done { return e.run(ctx, t, e.world()) }

// world is the environment of all calls of a turn, with the policy in force when the turn
// begins.
type world struct {
	env     *tool.Env
	catalog *tools.Catalog
	refused error // the policy cannot be read
}

func (e *Engine) world() world {
	env, catalog, err := e.World()
	return world{env, catalog, err}
}

// known returns what a reader of texts must know of the tools; nil if there are none.
func (w world) known() dialect.Known {
	if w.refused != nil {
		return nil
	}
	return Known(w.catalog)
}

// Known returns what a reader of texts must know of a caller's tools.
func Known(catalog *tools.Catalog) dialect.Known {
	return func(name string) (modeltext.Tool, bool) {
		t, err := catalog.Find(name)
		if err != nil {
			return modeltext.Tool{}, false
		}
		return modeltext.Of(t), true
	}
}

const (
	// parallel limits the reading calls that run at once.
	parallel = 8
	// aside limits the calls at once that wait for others' work: the largest number of
	// sub-agents at work.
	aside = 64
)

// run carries out the calls of a turn. Consecutive calls that only read run in parallel;
// a call that writes runs after those before it, and no call that reads or writes runs
// beside it. One whose tool says that it may run beside others begins after the writers
// before it, and nobody waits for it but the end of the turn.
func (e *Engine) run(ctx context.Context, t *dialect.Turn, w world) []Done {
	done := make([]Done, len(t.Calls))
	if w.refused != nil {
		for i, c := range t.Calls {
			done[i] = e.fail(t.Dialect, c, w.refused)
		}
		return done
	}
	env := e.env(w.env, t)
	var readers, others sync.WaitGroup
	slots, places := make(chan struct{}, parallel), make(chan struct{}, aside)
	last := e.lastResponding(w, t)
	for i, c := range t.Calls {
		found, err := choose(w.catalog, c)
		switch {
		case c.Err != nil:
			done[i] = e.answer(t.Dialect, c, nil, guard.Outcome{Err: c.Err, Warnings: c.Repairs})
		case e.passes(c, err):
			done[i] = Done{Answer: dialect.Answer{Call: c}, Passed: true}
		case err != nil:
			done[i] = e.fail(t.Dialect, c, err)
		case found.Risk == policy.Read:
			slots <- struct{}{}
			readers.Go(func() {
				defer func() { <-slots }()
				done[i] = e.call(ctx, t.Dialect, env, c, found)
			})
		case found.Parallel:
			others.Go(func() {
				places <- struct{}{}
				defer func() { <-places }()
				done[i] = e.call(ctx, t.Dialect, env, c, found)
			})
		default:
			readers.Wait()
			in := ctx
			if found.Responds && i < last {
				in = tool.WithFurther(ctx)
			}
			done[i] = e.call(in, t.Dialect, env, c, found)
		}
	}
	readers.Wait()
	others.Wait()
	return done
}

// lastResponding returns the number of the last call whose files are checked; 0 where nothing
// is. The calls before it leave their files to it.
func (e *Engine) lastResponding(w world, t *dialect.Turn) (last int) {
	if w.env.Responder == nil {
		return 0
	}
	for i, c := range t.Calls {
		if found, err := choose(w.catalog, c); c.Err == nil && err == nil && found.Responds {
			last = i
		}
	}
	return last
}

// env returns the world for the calls of a turn: they come from where it says, and
// results show its model what that can see.
func (e *Engine) env(env *tool.Env, t *dialect.Turn) *tool.Env {
	if t.Origin != (tool.Origin{}) {
		env = env.From(t.Origin)
	}
	shows := t.Dialect.Inline // where results hold images the model sees them
	if e.Images != nil {
		shows = *e.Images
	}
	if shows {
		seeing := *env // others may use it
		seeing.Pictures = t.Dialect.Pictures
		env = &seeing
	}
	return env
}

// choose returns the tool of a call. A panic over what the model wrote, or over a
// manifest, is an error of this call alone.
func choose(catalog *tools.Catalog, c dialect.Call) (t *tool.Tool, err error) {
	defer func() {
		if v := recover(); v != nil {
			t, err = nil, guard.Crashed(v)
		}
	}()
	return catalog.For(c.Name, c.Arguments)
}

// passes reports whether the host answers a call; err is the catalogue's error for its
// tool. A call without a name is damaged, and not the host's.
func (e *Engine) passes(c dialect.Call, err error) bool {
	if e.Pass == nil || c.Name == "" {
		return false
	}
	return slices.Contains(e.Pass, c.Name) || fault.Is(err, fault.UnknownTool) || fault.Is(err, fault.NotRegistered)
}

// call runs one call. A panic beyond the guard, such as that of a rendering, is an
// answer, too.
func (e *Engine) call(ctx context.Context, d *dialect.Dialect, env *tool.Env, c dialect.Call, t *tool.Tool) (done Done) {
	begun := time.Now()
	defer func() {
		if v := recover(); v != nil {
			done = e.fail(d, c, guard.Crashed(v))
		}
		done.Elapsed = time.Since(begun)
	}()
	o := guard.Run(tool.WithCallID(ctx, c.ID), env, t, c.Arguments)
	if env.Responder != nil && t.Responds && o.Err != nil && !tool.Further(ctx) {
		o.Warnings = append(o.Warnings, env.Responder.Settle(ctx)...) // of the calls before it
	}
	for _, r := range c.Repairs {
		if env.News(r) {
			o.Warnings = append(o.Warnings, r)
		} else {
			o.Known = append(o.Known, r)
		}
	}
	return e.answer(d, c, t, o)
}
