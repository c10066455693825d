package host_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// newHost returns a host of a workspace with these files, with a home of its own.
func newHost(t *testing.T, files map[string]string) *host.Host {
	t.Helper()
	dir := t.TempDir()
	for name, value := range map[string]string{"HELVE_HOME": t.TempDir(), "HELVE_ROOT": dir, "HELVE_SESSION": "", "HELVE_LANG": "", "HELVE_OUTPUT": "", "HELVE_READONLY": "", "HELVE_PROJECT": "", "HELVE": ""} {
		t.Setenv(name, value)
	}
	for name, text := range files {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	h := host.New(host.FromEnvironment())
	t.Cleanup(h.Close)
	return h
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// call runs a tool in the environment of the host.
func call(t *testing.T, h *host.Host, name, args string) guard.Outcome {
	t.Helper()
	env, tools, err := h.Env()
	if err != nil {
		t.Fatal(err)
	}
	one, err := tools.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return guard.Run(t.Context(), env, one, []byte(args))
}

func TestOptionsOfEnvironment(t *testing.T) {
	h := newHost(t, nil)
	if h.Session != "default" || h.Lang != fault.English {
		t.Errorf("session %q, language %q", h.Session, h.Lang)
	}
	t.Setenv("HELVE_SESSION", "s")
	t.Setenv("HELVE_LANG", "zh")
	if o := host.FromEnvironment(); o.Session != "s" || o.Lang != fault.Chinese {
		t.Errorf("session %q, language %q", o.Session, o.Lang)
	}
}

// TestProjects works in the workspace, in another project by its brackets, and in
// a project that is named for the run.
func TestProjects(t *testing.T) {
	h := newHost(t, map[string]string{"a.txt": "here\n"})
	lib := t.TempDir()
	put(t, filepath.Join(lib, "a.txt"), "there\n")
	put(t, h.Dirs.UserConfig, `{"projects":[{"id":"lib","path":"`+filepath.ToSlash(lib)+`"}]}`)
	for path, want := range map[string]string{"a.txt": "here", "[lib]/a.txt": "there"} {
		if o := call(t, h, "read", `{"path":"`+path+`"}`); o.Err != nil || !bytes.Contains(o.JSON, []byte(want)) {
			t.Errorf("%s: %v %s", path, o.Err, o.JSON)
		}
	}
	if o := call(t, h, "write", `{"path":"[lib]/b.txt","content":"x"}`); o.Err == nil || o.Err.Code != fault.Denied {
		t.Errorf("writing where only reading is allowed: %v", o.Err)
	}
	env, _, err := h.Governed()
	if err != nil {
		t.Fatal(err)
	}
	if first, again := env.Enter("lib"), env.Enter("lib"); first != again || env.Enter("nothing") != nil {
		t.Error("a project has more than one environment, or an unknown one has any")
	}
	h.Project = "lib"
	if o := call(t, h, "read", `{"path":"a.txt"}`); o.Err != nil || !bytes.Contains(o.JSON, []byte("there")) {
		t.Errorf("--project lib: %v %s", o.Err, o.JSON)
	}
}

// TestTrust follows what the workspace's own settings widen only once a person
// trusts exactly these bytes.
func TestTrust(t *testing.T) {
	h := newHost(t, map[string]string{
		".helve/config.json":      `{"web":{"allow_private":true},"readonly":true}`,
		".helve/tools/greet.json": `{"name":"greet","description":"Greet.","risk":"read","run":{"argv":["true"]}}`,
	})
	state := func() (readOnly, private, greet bool) {
		s, err := h.Settings()
		if err != nil {
			t.Fatal(err)
		}
		usable := slices.ContainsFunc(s.Manifests(), func(f manifest.Found) bool { return f.Name == "greet" && f.Usable() })
		return s.Config.ReadOnly, s.Config.Web.AllowPrivate, usable
	}
	expect := func(when string, readOnly, private, greet bool) {
		t.Helper()
		if r, p, g := state(); r != readOnly || p != private || g != greet {
			t.Errorf("%s: read-only %v, private addresses %v, greet %v", when, r, p, g)
		}
	}
	expect("at first", true, false, false)
	u, err := h.Untrusted()
	if err != nil {
		t.Fatal(err)
	}
	if u.Empty() || len(u.Tools) != 1 || !slices.Equal(u.Ignored.Keys, []string{"web.allow_private"}) {
		t.Fatalf("%+v", u)
	}
	file := filepath.Join(h.Root, ".helve", "config.json")
	put(t, file, `{"web":{"allow_private":true},"readonly":false}`) // between the look and the word
	if _, err := u.Trust(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("changed in between", false, false, true)
	put(t, file, `{"web":{"allow_private":true},"readonly":true}`)
	expect("trusted", true, true, true)
	if err := h.Distrust(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("forgotten", true, false, false)
}

// terminal is a person who types an answer.
type terminal struct {
	io.Reader
	bytes.Buffer
	closed bool
}

func (f *terminal) Read(p []byte) (int, error) { return f.Reader.Read(p) }
func (f *terminal) Close() error               { f.closed = true; return nil }

// TestAsking asks the person at the terminal, unless input is forbidden or helve
// started the process.
func TestAsking(t *testing.T) {
	for _, c := range []struct {
		typed   string
		noInput bool
		under   string
		code    fault.Code // "" is done
	}{
		{"y\n", false, "", ""},
		{"n\n", false, "", fault.Rejected},
		{"y\n", true, "", fault.ApprovalRequired},
		{"y\n", false, "1", fault.ApprovalRequired},
	} {
		h := newHost(t, map[string]string{"a.txt": "x\n"})
		put(t, h.Dirs.UserConfig, `{"rules":[{"path":"a.txt","delete":"ask"}]}`)
		t.Setenv("HELVE", c.under)
		person := &terminal{Reader: strings.NewReader(c.typed)}
		h.NoInput, h.Terminal = c.noInput, func() (io.ReadWriteCloser, error) { return person, nil }
		o := call(t, h, "delete", `{"path":"a.txt"}`)
		if o.Err == nil && c.code != "" || o.Err != nil && o.Err.Code != c.code {
			t.Errorf("%+v: %v\n%s", c, o.Err, person.String())
		}
		if asked := person.Len() > 0; asked != person.closed || asked == (c.code == fault.ApprovalRequired) {
			t.Errorf("%+v: asked %v, closed %v", c, asked, person.closed)
		}
		if err := host.Personal(fault.T("do this")); fault.Is(err, fault.Denied) != (c.under != "") {
			t.Errorf("%+v: personal: %v", c, err)
		}
	}
}

// TestOwnFiles keeps settings and state out of the reach of tools, also where they
// are in the workspace.
func TestOwnFiles(t *testing.T) {
	h := newHost(t, nil)
	t.Setenv("HELVE_HOME", filepath.Join(h.Root, "own"))
	temp := t.TempDir() // where the state goes instead
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	inner := host.New(host.FromEnvironment())
	defer inner.Close()
	for _, path := range []string{"own/config.json", "own/tools/a.json", "own/state/x", ".helve/config.json"} {
		if o := call(t, inner, "write", `{"path":"`+path+`","content":"{}"}`); o.Err == nil {
			t.Errorf("%s was written", path)
		}
	}
}
