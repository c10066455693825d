package custom_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools/custom"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is an environment on real directories with a kind of sandbox, and its
// workspace, where the file sealed must not be read and fixed must not be changed.
func world(t *testing.T, kind sandbox.Kind, setting string) (*tool.Env, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "-odd", "sealed", "fixed"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("content of "+name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	base := t.TempDir()
	kept, err := state.Open(base, dir, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	force(t, kept, kind)
	rules, err := policy.New([]policy.Given{
		{Rule: policy.Rule{Path: "sealed", Read: policy.Deny}, From: "test"}, {Rule: policy.Rule{Path: "fixed", Write: policy.Deny}, From: "test"},
	}, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &tool.Machine{Settings: config.Exec{Sandbox: setting, Network: "none"}, Environ: os.Environ(), Home: "/home/nobody", Hidden: []string{base}}
	stateOf := func() (*state.Dir, error) { return kept, nil }
	return &tool.Env{
		Root: func() (*workspace.Root, error) { return root, nil }, State: stateOf, Audit: stateOf, Policy: rules, Now: time.Now, Session: "s",
		Journal: sync.OnceValues(func() (*journal.Journal, error) { return journal.New(kept, root.Tree(), journal.Options{}), nil }),
		Machine: func() (*tool.Machine, error) { return m, nil },
	}, dir
}

// force has the state directory say that this machine supports no stronger kind.
func force(t *testing.T, dir *state.Dir, kind sandbox.Kind) {
	t.Helper()
	support := native.Probe(sandbox.Cache{Store: func(found []byte) error {
		if kind != sandbox.Namespaces {
			found = without(t, found, "namespaces")
		}
		if kind == sandbox.None {
			found = without(t, found, "seccomp")
		}
		return dir.WriteFile("sandbox", found)
	}})
	if kind == sandbox.Namespaces && !support.Namespaces || kind == sandbox.Landlock && (support.LandlockABI == 0 || !support.Seccomp) {
		t.Skipf("no %s here", kind)
	}
}

// run makes a call of a tool with the given risk, parameter and command.
func run(t *testing.T, env *tool.Env, risk, parameter, argv, args string) guard.Outcome {
	t.Helper()
	m, problems := manifest.Parse("m.json", []byte(`{"name":"probe","description":"Probe.","risk":"`+risk+`",
		"parameters":{"type":"object","properties":{"p":`+parameter+`},"required":["p"]},"run":{"argv":`+argv+`}}`), manifest.Options{})
	if len(problems) > 0 {
		t.Fatal(problems.Err())
	}
	return guard.Run(t.Context(), env, custom.New(m, os.Environ()), []byte(args))
}

func TestConfined(t *testing.T) {
	const text = `{"type":"string"}`
	outside := filepath.Join(t.TempDir(), "outside")
	for _, kind := range []sandbox.Kind{sandbox.Namespaces, sandbox.Landlock} {
		t.Run(string(kind), func(t *testing.T) {
			env, dir := world(t, kind, "require")
			content := func(name string) string {
				out, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					return "(missing)"
				}
				return string(out)
			}
			o := run(t, env, "read", text, `["cat","--","{p}"]`, `{"p":"a"}`)
			if o.Err != nil || o.Result.(custom.Result).Output != "content of a\n" {
				t.Errorf("reading: %+v", o)
			}
			o = run(t, env, "read", text, `["cat","--","{p}"]`, `{"p":"sealed"}`)
			if o.Err == nil || bytes.Contains(must(schema.Marshal(o.Err.Details)), []byte("content")) {
				t.Errorf("reading what a rule forbids: %+v", o)
			}
			for _, readOnly := range []bool{true, false} {
				env.ReadOnly = readOnly
				if o = run(t, env, "read", text, `["rm","--","{p}"]`, `{"p":"a"}`); o.Err == nil || content("a") != "content of a\n" {
					t.Errorf("a tool that reads deletes: %+v", o)
				}
			}
			write := `["sh","-c","echo new > \"$1\"","sh","{p}"]`
			if o = run(t, env, "write", text, write, `{"p":"new"}`); o.Err != nil || content("new") != "new\n" {
				t.Errorf("writing: %+v", o)
			}
			made := o.Result.(custom.Result)
			if diff := cmp.Diff([]track.Change{{Path: "new", Action: track.Create}}, made.Changes); diff != "" {
				t.Error(diff)
			}
			j, err := env.Journal()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := j.Undo(t.Context(), "s", journal.Selector{ID: made.UndoID}, false); err != nil || content("new") != "(missing)" {
				t.Errorf("undo: %v", err)
			}
			if run(t, env, "write", text, write, `{"p":"fixed"}`); content("fixed") != "content of fixed\n" {
				t.Errorf("a tool changes what a rule forbids to change: %q", content("fixed"))
			}
			if o = run(t, env, "write", text, write, `{"p":"`+outside+`"}`); o.Err == nil {
				t.Errorf("writing outside the workspace: %+v", o)
			}
			if _, err := os.Stat(outside); err == nil {
				t.Error("a tool writes outside the workspace")
			}
			env.ReadOnly = true
			if o = run(t, env, "write", text, write, `{"p":"late"}`); !fault.Is(o.Err, fault.Denied) || content("late") != "(missing)" {
				t.Errorf("writing in a run that only reads: %+v", o)
			}
		})
	}
}

// TestPaths gives programs paths relative to the root with links resolved, and
// nothing outside, with a sandbox and without.
func TestPaths(t *testing.T) {
	const one, list = `{"type":"string","path":"read"}`, `{"type":"array","items":{"type":"string"},"path":"read"}`
	for _, setting := range []string{"auto", "off"} {
		env, dir := world(t, sandbox.Namespaces, setting)
		for link, target := range map[string]string{"near": "a", "away": "/etc/passwd"} {
			if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct{ parameter, argv, args, want string }{
			{one, `["echo","{p}"]`, `{"p":"./b/../a"}`, "a\n"},
			{one, `["echo","--in={p}"]`, `{"p":"near"}`, "--in=a\n"},
			{one, `["echo","{p}"]`, `{"p":"./-odd"}`, "./-odd\n"},
			{one, `["echo","{p}"]`, `{"p":"` + dir + `/a"}`, "a\n"},
			{list, `["echo","{p}"]`, `{"p":["near","./b","."]}`, "a b .\n"},
			{list, `["echo","{p}"]`, `{"p":[]}`, "\n"},
		} {
			if o := run(t, env, "read", c.parameter, c.argv, c.args); o.Err != nil || o.Result.(custom.Result).Output != c.want {
				t.Errorf("%s %s: %+v, want %q", setting, c.args, o, c.want)
			}
		}
		for args, code := range map[string]fault.Code{
			`{"p":["a","/etc/passwd"]}`: fault.OutsideWorkspace, `{"p":["../x"]}`: fault.OutsideWorkspace, `{"p":["away"]}`: fault.OutsideWorkspace,
			`{"p":["a",""]}`: fault.InvalidArguments,
		} {
			if o := run(t, env, "read", list, `["cat","{p}"]`, args); !fault.Is(o.Err, code) {
				t.Errorf("%s %s: %+v, want %s", setting, args, o, code)
			}
		}
	}
}

// TestRequired refuses to run a program unconfined where the settings require a
// sandbox.
func TestRequired(t *testing.T) {
	env, _ := world(t, sandbox.None, "require")
	if o := run(t, env, "read", `{"type":"string"}`, `["echo","{p}"]`, `{"p":"a"}`); !fault.Is(o.Err, fault.SandboxUnavailable) {
		t.Errorf("%+v", o)
	}
	env, _ = world(t, sandbox.None, "auto")
	o := run(t, env, "read", `{"type":"string"}`, `["echo","{p}"]`, `{"p":"a"}`)
	if o.Err != nil || !strings.HasPrefix(o.Result.(custom.Result).Output, "a") {
		t.Errorf("%+v", o)
	}
}

func must(out []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return out
}

// without returns what was found about the machine with one thing less.
func without(t *testing.T, found []byte, what string) []byte {
	t.Helper()
	if !bytes.Contains(found, []byte(what+"=")) {
		t.Fatalf("%s is not in %q", what, found)
	}
	return bytes.ReplaceAll(found, []byte(what+"=true"), []byte(what+"=false"))
}
