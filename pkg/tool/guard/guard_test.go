package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is an environment on real directories.
func world(t *testing.T) (*tool.Env, string) {
	t.Helper()
	dir, base := t.TempDir(), t.TempDir()
	root := sync.OnceValues(func() (*workspace.Root, error) { return workspace.Open(dir, workspace.Options{}) })
	t.Cleanup(func() {
		if r, err := root(); err == nil {
			r.Close()
		}
	})
	kept := sync.OnceValues(func() (*state.Dir, error) {
		r, err := root()
		if err != nil {
			return nil, err
		}
		return state.Open(base, r.Dir(), state.Options{})
	})
	return &tool.Env{
		Root:  root,
		State: kept,
		Audit: kept,
		Journal: sync.OnceValues(func() (*journal.Journal, error) {
			r, err := root()
			if err != nil {
				return nil, err
			}
			d, err := kept()
			if err != nil {
				return nil, err
			}
			return journal.New(d, r.Tree(), journal.Options{}), nil
		}),
		Now:     func() time.Time { return time.Unix(1_700_000_000, 0).UTC() },
		Session: "s",
	}, base
}

type args struct {
	Path string `json:"path,omitzero" doc:"A path." path:"write"`
	Text string `json:"text,omitzero" doc:"A text."`
}

// doing is a tool that does what the test says.
func doing(risk policy.Risk, run func(context.Context, *tool.Call, args) (map[string]string, error)) *tool.Tool {
	return tool.New(tool.Def[args, map[string]string]{Name: "probe", Risk: risk, Doc: "Probes.", Run: run, Timeout: time.Minute})
}

func fine(context.Context, *tool.Call, args) (map[string]string, error) {
	return map[string]string{"done": "<yes>"}, nil
}

func TestRun(t *testing.T) {
	env, _ := world(t)
	o := guard.Run(t.Context(), env, doing(policy.Write, func(_ context.Context, call *tool.Call, a args) (map[string]string, error) {
		call.Warn(fault.T("careful"))
		return map[string]string{"path": a.Path}, nil
	}), []byte(`{"path":"./a/../b.txt"}`))
	if o.Err != nil || string(o.JSON) != `{"path":"b.txt"}` || len(o.Warnings) != 1 {
		t.Errorf("%+v", o)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name  string
		input string
		env   func(*tool.Env)
		run   func(context.Context, *tool.Call, args) (map[string]string, error)
		want  fault.Code
	}{
		{"bad arguments", `{"pth":1}`, nil, fine, fault.InvalidArguments},
		{"outside", `{"path":"../x"}`, nil, fine, fault.OutsideWorkspace},
		{"protected", `{"path":".helve/config.json"}`, nil, fine, fault.ProtectedPath},
		{"read only", `{"path":"x"}`, func(e *tool.Env) { e.ReadOnly = true }, fine, fault.Denied},
		{"policy", `{"path":"x"}`, func(e *tool.Env) {
			e.Decide = func(context.Context, *tool.Call) error {
				return fault.New(fault.Rejected, fault.T("the user rejected this change"))
			}
		}, fine, fault.Rejected},
		{"panic", `{"path":"x"}`, nil, func(context.Context, *tool.Call, args) (map[string]string, error) { panic("oh") }, fault.Internal},
		{"plain error", `{}`, nil, func(context.Context, *tool.Call, args) (map[string]string, error) { return nil, errors.New("oh") }, fault.Internal},
		{"too much", `{}`, nil, func(context.Context, *tool.Call, args) (map[string]string, error) {
			return map[string]string{"x": strings.Repeat("y", 64<<20)}, nil
		}, fault.TooLarge},
		{"no state", `{"path":"x"}`, func(e *tool.Env) {
			e.State = func() (*state.Dir, error) { return nil, fault.New(fault.NotConfigured, fault.T("no")) }
			e.Audit = e.State
		}, fine, fault.NotConfigured},
	} {
		t.Run(c.name, func(t *testing.T) {
			env, _ := world(t)
			if c.env != nil {
				c.env(env)
			}
			o := guard.Run(t.Context(), env, doing(policy.Write, c.run), []byte(c.input))
			if o.Err == nil || o.Err.Code != c.want || o.JSON != nil || o.Result != nil {
				t.Errorf("%+v, want %s", o, c.want)
			}
		})
	}
}

// A result may have 64 MiB of JSON.
func TestResultLimit(t *testing.T) {
	env, _ := world(t)
	for size, want := range map[int]fault.Code{64 << 20: "", 64<<20 + 1: fault.TooLarge} {
		o := guard.Run(t.Context(), env, doing(policy.Read, func(context.Context, *tool.Call, args) (map[string]string, error) {
			return map[string]string{"x": strings.Repeat("y", size-len(`{"x":""}`))}, nil
		}), []byte(`{}`))
		if got := codeOf(o.Err); got != want {
			t.Errorf("%d bytes: %q, want %q", size, got, want)
		}
	}
}

func codeOf(err *fault.Error) fault.Code {
	if err == nil {
		return ""
	}
	return err.Code
}

// The log keeps texts up to 200 bytes, and arguments up to 64 KiB.
func TestAuditBrief(t *testing.T) {
	for _, c := range []struct {
		paths, length int
		want          string // beginning of the arguments
	}{
		{1, 200, `{"list":["yyy`}, {1, 201, `{"list":[{"bytes":201,`}, {322, 200, `{"list":["yyy`}, {323, 200, `{"bytes":`},
	} {
		env, base := world(t)
		probe := tool.New(tool.Def[listArgs, int]{Name: "probe", Risk: policy.Read, Doc: "Probes.", Run: func(context.Context, *tool.Call, listArgs) (int, error) { return 0, nil }})
		input, err := json.Marshal(listArgs{slices.Repeat([]string{strings.Repeat("y", c.length)}, c.paths)})
		if err != nil {
			t.Fatal(err)
		}
		guard.Run(t.Context(), env, probe, input)
		files, err := filepath.Glob(filepath.Join(base, "*", "audit.jsonl"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(string(text), `"args":`); !strings.HasPrefix(got, c.want) {
			t.Errorf("%d texts of %d bytes: %.80s, want %s", c.paths, c.length, got, c.want)
		}
	}
}

// Every line names the project that the call works in, also that of --project.
func TestAuditProject(t *testing.T) {
	env, base := world(t)
	env.Project = "lib"
	guard.Run(t.Context(), env, doing(policy.Write, fine), []byte(`{}`))
	files, err := filepath.Glob(filepath.Join(base, "*", "audit.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if named := strings.Count(string(text), `"project":"lib"`); named == 0 || named != strings.Count(string(text), "\n") {
		t.Errorf("%d lines name the project:\n%s", named, text)
	}
}

type listArgs struct {
	List []string `json:"list" doc:"Texts."`
}

// A call that only reads goes on without a log; one that changes something does
// not, as the case "no state" above shows.
func TestReadingWithoutLog(t *testing.T) {
	env, _ := world(t)
	env.Audit = func() (*state.Dir, error) { return nil, fault.New(fault.NotConfigured, fault.T("no")) }
	o := guard.Run(t.Context(), env, doing(policy.Read, fine), []byte(`{}`))
	if o.Err != nil || len(o.Warnings) != 1 {
		t.Errorf("%+v", o)
	}
}

// The log keeps as much as it is told to.
func TestAuditBytes(t *testing.T) {
	env, _ := world(t)
	env.AuditBytes = 1000
	for range 20 {
		guard.Run(t.Context(), env, doing(policy.Read, fine), []byte(`{"text":"some"}`))
	}
	dir, err := env.Audit()
	if err != nil {
		t.Fatal(err)
	}
	log, err := dir.Log("audit", env.AuditBytes)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for range log.Records() {
		kept++
	}
	if dropped, err := log.Dropped(); err != nil || dropped == 0 || kept+dropped != 20 {
		t.Errorf("%d kept, %d dropped, %v", kept, dropped, err)
	}
}

func TestAudit(t *testing.T) {
	env, base := world(t)
	long := strings.Repeat("secret ", 100)
	input, _ := json.Marshal(args{Path: "x.txt", Text: long})
	guard.Run(t.Context(), env, doing(policy.Write, fine), input)
	guard.Run(t.Context(), env, doing(policy.Read, func(context.Context, *tool.Call, args) (map[string]string, error) { panic("oh") }), []byte(`{"text":"short"}`))
	files, err := filepath.Glob(filepath.Join(base, "*", "audit.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "secret secret") {
		t.Error("the log holds a whole text")
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		var r struct {
			Event, Tool, Risk, Outcome string
			Paths                      []string
			Args                       map[string]any
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		keys := []string{r.Event, r.Tool, r.Risk, r.Outcome, strings.Join(r.Paths, ",")}
		if s, ok := r.Args["text"].(string); ok {
			keys = append(keys, s)
		}
		got = append(got, strings.Join(keys, " "))
	}
	want := []string{
		"proposed probe write  ", "decided probe write ok x.txt", "executed probe write ok x.txt", "answered probe write ok x.txt",
		"answered probe read internal  short",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A tool that hangs where nothing interrupts it is answered for all the same.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env, _ := world(t)
		release := make(chan struct{})
		begun := time.Now()
		o := guard.Run(t.Context(), env, doing(policy.Read, func(context.Context, *tool.Call, args) (map[string]string, error) {
			<-release
			return nil, nil
		}), []byte(`{}`))
		if o.Err == nil || o.Err.Code != fault.Timeout {
			t.Errorf("%+v", o)
		}
		if took := time.Since(begun); took != time.Minute+2*time.Second { // to clean up
			t.Errorf("took %v", took)
		}
		close(release)
	})
}

// What did land before the deadline is not denied.
func TestLateResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env, _ := world(t)
		ctx, cancel := context.WithCancel(t.Context())
		o := guard.Run(ctx, env, doing(policy.Read, func(context.Context, *tool.Call, args) (map[string]string, error) {
			cancel()
			<-time.After(time.Second) // of the bubble's clock
			return map[string]string{"done": "yes"}, nil
		}), []byte(`{}`))
		if o.Err != nil {
			t.Errorf("%+v", o)
		}
	})
}

// The lock of a file is held across the whole call, for every spelling of it.
func TestLock(t *testing.T) {
	env, _ := world(t)
	var inside, most int
	var mu sync.Mutex
	probe := doing(policy.Write, func(context.Context, *tool.Call, args) (map[string]string, error) {
		mu.Lock()
		inside++
		most = max(most, inside)
		mu.Unlock()
		for range 1000 {
			runtime.Gosched() // let another in, if anything lets it
		}
		mu.Lock()
		inside--
		mu.Unlock()
		return nil, nil
	})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			path := []string{"f.txt", "./f.txt", "a/../f.txt"}[i%3]
			if o := guard.Run(t.Context(), env, probe, []byte(`{"path":"`+path+`"}`)); o.Err != nil {
				t.Error(o.Err)
			}
		})
	}
	group.Wait()
	if most != 1 {
		t.Errorf("%d calls at once", most)
	}
}

// TestLists confines, locks and shows to the policy each path of a list.
func TestLists(t *testing.T) {
	env, _ := world(t)
	parameters, flaws := schema.FromJSON([]byte(`{"type":"object","properties":{
		"in":{"type":"string","path":"read"},"out":{"type":"array","items":{"type":"string"},"path":"write"}}}`))
	if len(flaws) > 0 {
		t.Fatal(flaws)
	}
	var paths []string
	probe := tool.Dynamic[int]{
		Name: "probe", Risk: policy.Write, Doc: "Probes.", Parameters: func() *schema.Object { return parameters },
		Judge: func(_ context.Context, call *tool.Call, _ any) (*tool.Judgement, int, error) {
			for _, p := range call.Paths {
				paths = append(paths, string(p.Use)+" "+p.Real.String())
			}
			return &tool.Judgement{Risk: policy.Write}, 7, nil
		},
		Run: func(_ context.Context, call *tool.Call, found int) (any, error) {
			if call.Tx == nil || found != 7 {
				t.Errorf("the paths are locked by %v, judging found %d", call.Tx, found)
			}
			return "done", nil
		},
	}.Tool()
	o := guard.Run(t.Context(), env, probe, []byte(`{"in":"./a","out":["x/../b","c"]}`))
	if d := cmp.Diff([]string{"read a", "write b", "write c"}, paths); d != "" || o.Err != nil {
		t.Errorf("%s %+v", d, o)
	}
	for _, outside := range []string{`{"out":["b","../c"]}`, `{"out":["b",""]}`, `{"out":[".helve/config.json"]}`} {
		if o := guard.Run(t.Context(), env, probe, []byte(outside)); o.Err == nil {
			t.Errorf("%s: %+v", outside, o)
		}
	}
}
