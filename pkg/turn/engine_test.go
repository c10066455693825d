package turn_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/turn"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is an environment on real directories, in which every call is allowed.
func world(t *testing.T) *tool.Env {
	t.Helper()
	root, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	dir, err := state.Open(t.TempDir(), root.Dir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept := func() (*state.Dir, error) { return dir, nil }
	return &tool.Env{
		Root:    func() (*workspace.Root, error) { return root, nil },
		State:   kept,
		Audit:   kept,
		Journal: sync.OnceValues(func() (*journal.Journal, error) { return journal.New(dir, root.Tree(), journal.Options{}), nil }),
		Now:     time.Now,
		Session: "s",
	}
}

// of returns a world that does not change, for an engine.
func of(env *tool.Env, c *tools.Catalog) func() (*tool.Env, *tools.Catalog, error) {
	return func() (*tool.Env, *tools.Catalog, error) { return env, c, nil }
}

// catalog returns the built-in tools and further ones.
func catalog(t *testing.T, further ...*tool.Tool) *tools.Catalog {
	t.Helper()
	c := tools.New(tools.Options{Custom: func() []tools.Custom {
		var all []tools.Custom
		for _, one := range further {
			all = append(all, tools.Custom{Name: one.Name, Tool: one})
		}
		return all
	}})
	return c
}

// nap returns a tool whose calls take a second.
func nap(name string, risk policy.Risk) *tool.Tool { return napping(name, risk, false, time.Second) }

func napping(name string, risk policy.Risk, parallel bool, long time.Duration) *tool.Tool {
	return tool.New(tool.Def[struct{}, struct{}]{Name: name, Risk: risk, Parallel: parallel, Doc: "Nap.", Run: func(context.Context, *tool.Call, struct{}) (struct{}, error) {
		<-time.After(long)
		return struct{}{}, nil
	}})
}

// TestParallel runs consecutive calls that read eight at a time, and each
// call that writes alone.
func TestParallel(t *testing.T) {
	e := turn.Engine{World: of(world(t), catalog(t, nap("nap", policy.Read), nap("turn", policy.Write), napping("long", policy.Write, true, time.Minute)))}
	for calls, seconds := range map[string]int{
		strings.Repeat("nap ", 8):                                         1,
		strings.Repeat("nap ", 9):                                         2,
		strings.Repeat("turn ", 3):                                        3,
		"nap nap turn nap nap turn turn":                                  5,
		strings.Repeat("long ", 3):                                        60, // beside each other
		strings.Repeat("long ", 65):                                       120,
		strings.Repeat("turn ", 3) + "long " + strings.Repeat("turn ", 3): 63, // after the writers before it
		strings.Repeat("long ", 64) + strings.Repeat("nap turn ", 30):     60, // nothing waits for it
	} {
		var b strings.Builder
		for i, name := range strings.Fields(calls) {
			fmt.Fprintf(&b, `,{"id":"%d","type":"function","function":{"name":"%s","arguments":"{}"}}`, i, name)
		}
		var took time.Duration
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			_, failed, err := e.Answer(t.Context(), nil, []byte("["+b.String()[1:]+"]"))
			if took = time.Since(begun); err != nil || failed > 0 {
				t.Errorf("%s: %d failed, %v", calls, failed, err)
			}
		})
		if took != time.Duration(seconds)*time.Second {
			t.Errorf("%s: %v, want %d s", calls, took, seconds)
		}
	}
}

// While nobody can tell what is allowed each call is answered with that, in the form
// that the caller expects, and none is left to it.
func TestRefusedWorld(t *testing.T) {
	broken := fault.New(fault.NotConfigured, fault.T("the settings are broken"))
	for _, c := range []struct {
		pass []string
		want string
	}{
		{nil, `[{"role":"tool",`},
		{[]string{"*"}, `{"messages":[{"role":"tool",`},
	} {
		e := turn.Engine{Pass: c.pass, World: func() (*tool.Env, *tools.Catalog, error) { return nil, nil, broken }}
		reply, failed, err := e.Answer(t.Context(), nil, []byte(`[{"id":"a","function":{"name":"time"}},{"id":"b","function":{"name":"theirs"}}]`))
		if err != nil || failed != 2 {
			t.Errorf("%d failed, %v", failed, err)
		}
		text, err := schema.Marshal(reply)
		if err != nil || !strings.HasPrefix(string(text), c.want) || strings.Count(string(text), "the settings are broken") != 2 {
			t.Errorf("%s, %v", text, err)
		}
	}
}
