//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestMain is several programs: the tests, the one that tries to get out of a sandbox, those
// that plant and make files, the one that is killed,
// and the one that executes the tests where the kernel refuses something.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__attempt" {
		os.Exit(attempt(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "__key" {
		os.Exit(printKey())
	}
	if len(os.Args) > 1 && os.Args[1] == "__unveil" {
		os.Exit(unveil())
	}
	if len(os.Args) > 2 && os.Args[1] == "__sockets" {
		os.Exit(trySockets(os.Args[2]))
	}
	if len(os.Args) > 2 && os.Args[1] == "__swap" {
		os.Exit(swapAddress(os.Args[2]))
	}
	if len(os.Args) > 1 && os.Args[1] == "__plant" {
		os.Exit(plantAll())
	}
	if len(os.Args) > 2 && os.Args[1] == "__race" {
		os.Exit(race(os.Args[2]))
	}
	if len(os.Args) > 2 && os.Args[1] == "__make" {
		count, _ := strconv.Atoi(os.Args[2])
		os.Exit(makeFiles(count))
	}
	if len(os.Args) > 4 && os.Args[1] == "__outlive" {
		os.Exit(outlive(os.Args[2], os.Args[3], os.Args[4]))
	}
	if len(os.Args) > 3 && os.Args[1] == "__refuse" {
		os.Exit(refuse(os.Args[2:]))
	}
	os.Exit(m.Run())
}

var support = System{}.Probe(sandbox.Cache{})

// kinds are those that this machine has; what it lacks is said.
func kinds(t *testing.T) []sandbox.Kind {
	t.Helper()
	var all []sandbox.Kind
	if support.Namespaces {
		all = append(all, sandbox.Namespaces)
	} else {
		t.Logf("no namespaces here: %s", support.Reason)
	}
	if support.LandlockABI > 0 {
		all = append(all, sandbox.Landlock)
	} else {
		t.Log("no Landlock here")
	}
	if len(all) == 0 {
		t.Skip("neither namespaces nor Landlock here")
	}
	return all
}

type outcome struct {
	sandbox.State
	out  string
	left []string
	sb   *confined
}

// run runs a command in a sandbox and waits for it.
func run(t testing.TB, kind sandbox.Kind, p sandbox.Profile, argv ...string) outcome {
	t.Helper()
	return runWith(t, kind, p, nil, argv...)
}

// runWith also sets variables.
func runWith(t testing.TB, kind sandbox.Kind, p sandbox.Profile, extra []string, argv ...string) outcome {
	t.Helper()
	return runOn(t, support, kind, p, extra, argv...)
}

// runOn runs a command as on another machine.
func runOn(t testing.TB, s sandbox.Support, kind sandbox.Kind, p sandbox.Profile, extra []string, argv ...string) outcome {
	t.Helper()
	sb, err := newConfined(p, s, kind)
	if err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	env := []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + os.Getenv("HOME"), "TMPDIR=/tmp"}
	if kind == sandbox.Landlock {
		env[2] = "TMPDIR=" + p.Temp
	}
	process, err := sb.Start(sandbox.Command{
		Path: path, Argv: argv, Dir: p.Workspace, Env: append(env, extra...), Stdin: null, Stdout: w, Stderr: w,
		Limits: sandbox.Limits{OpenFiles: 1024, FileBytes: 1 << 30},
	})
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	out := make(chan string)
	go func() {
		data, _ := io.ReadAll(r)
		out <- string(data)
	}()
	<-process.Done()
	left, err := process.Finish()
	if err != nil {
		t.Fatal(err)
	}
	state, err := process.State()
	if err != nil {
		t.Fatal(err)
	}
	return outcome{state, <-out, left, sb}
}

// workspace is a profile of a new workspace with a repository.
func newProfile(t *testing.T) sandbox.Profile {
	t.Helper()
	return workspaceIn(t, t.TempDir())
}

func workspaceIn(t testing.TB, dir string) sandbox.Profile {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	ws := filepath.Join(dir, "ws")
	for _, d := range []string{ws, filepath.Join(ws, ".git/hooks"), filepath.Join(dir, "temp"), filepath.Join(dir, "secret")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(ws, ".git/config"), "[core]\n")
	write(t, filepath.Join(ws, "a"), "a\n")
	write(t, filepath.Join(dir, "outside"), "outside\n")
	write(t, filepath.Join(dir, "secret/key"), "secret\n")
	return sandbox.Profile{
		Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: ws, Temp: filepath.Join(dir, "temp"),
		Protected: []string{filepath.Join(ws, ".git/hooks"), filepath.Join(ws, ".git/config"), filepath.Join(ws, ".helve")},
		Secrets:   append(sandbox.Secrets(os.Getenv("HOME")), filepath.Join(dir, "secret")),
	}
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRuns(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := newProfile(t)
			o := run(t, kind, p, "sh", "-c", "cat a; echo b > b; echo $$ > $TMPDIR/x && cat $TMPDIR/x > /dev/null; exit 3")
			if d := cmp.Diff(sandbox.State{ExitCode: 3}, o.State); d != "" || o.out != "a\n" || read(t, filepath.Join(p.Workspace, "b")) != "b\n" {
				t.Errorf("%s %q", d, o.out)
			}
			o = run(t, kind, p, "sh", "-c", "kill -SEGV $$")
			if d := cmp.Diff(sandbox.State{ExitCode: -1, Signal: "SIGSEGV"}, o.State); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestCrowd has a secret in a directory with more in it than there can be rules
// for: what else is there is lost, but for the workspace, and nothing beyond it.
func TestCrowd(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := newProfile(t)
			crowd := filepath.Dir(p.Workspace)
			for i := range 600 {
				write(t, filepath.Join(crowd, "file"+strconv.Itoa(i)), "")
			}
			p.Filesystem = sandbox.ReadOnly
			p.Secrets = []string{filepath.Join(crowd, "secret")}
			o := run(t, kind, p, "cat", "a", filepath.Join(crowd, "secret/key"))
			if !strings.HasPrefix(o.out, "a\n") || strings.Contains(o.out, "secret\n") {
				t.Errorf("%q", o.out)
			}
		})
	}
}

func TestReadOnly(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := newProfile(t)
			p.Filesystem = sandbox.ReadOnly
			o := run(t, kind, p, "sh", "-c", "cat a; echo b > b; rm -f a; echo c >> a")
			if !strings.HasPrefix(o.out, "a\n") || read(t, filepath.Join(p.Workspace, "a")) != "a\n" {
				t.Errorf("%q", o.out)
			}
			if _, err := os.Stat(filepath.Join(p.Workspace, "b")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("b was written: %v", err)
			}
		})
	}
}

func TestLeftovers(t *testing.T) {
	for _, kind := range append(kinds(t), sandbox.None) {
		t.Run(string(kind), func(t *testing.T) {
			p := newProfile(t)
			o := run(t, kind, p, "sh", "-c", "sleep 300.5 & setsid sleep 300.25 & (env -i setsid sh -c 'sleep 300.125; true' &) ; sleep 0.3; echo done")
			if o.out != "done\n" {
				t.Errorf("%q", o.out)
			}
			for _, want := range []string{"sleep 300.5", "sleep 300.25", "sleep 300.125"} {
				if !slices.Contains(o.left, want) {
					t.Errorf("%q is not among %q", want, o.left)
				}
			}
			for _, s := range processes() {
				if strings.Contains(commandLine(s.pid), "sleep 300.") {
					t.Errorf("%s still runs", commandLine(s.pid))
				}
			}
		})
	}
}

func TestProtected(t *testing.T) {
	script := `echo x > .git/hooks/pre-commit; echo x >> .git/config; mkdir .helve; mv .git moved && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit; true`
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := newProfile(t)
			o := run(t, kind, p, "sh", "-c", script)
			changed, err := o.sb.Restored()
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, filepath.Join(p.Workspace, ".git/config")); got != "[core]\n" {
				t.Errorf("config is %q", got)
			}
			if _, err := os.Stat(filepath.Join(p.Workspace, ".git/hooks/pre-commit")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("there is a hook: %v", err)
			}
			if _, err := os.Stat(filepath.Join(p.Workspace, ".helve")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf(".helve is there: %v", err)
			}
			if kind == sandbox.Landlock && len(changed) < 3 {
				t.Errorf("restored only %q", changed)
			}
			if kind == sandbox.Namespaces && strings.Count(o.out, "Read-only file system") < 2 {
				t.Errorf("%q", o.out)
			}
		})
	}
}

func TestPreview(t *testing.T) {
	if !support.Namespaces {
		t.Skip("no namespaces here: ", support.Reason)
	}
	p := newProfile(t)
	for _, name := range []string{"keep", "edit", "mode", "gone", "d/x", "d/y", "e/x", "f/x"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(p.Workspace, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(p.Workspace, name), name)
	}
	base := filepath.Dir(p.Workspace)
	p.Preview = &sandbox.Preview{Upper: filepath.Join(base, "up:per,1"), Work: filepath.Join(base, "work")}
	for _, d := range []string{p.Preview.Upper, p.Preview.Work} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		if err := errors.Join(sandbox.RemoveAll(p.Preview.Upper), sandbox.RemoveAll(p.Preview.Work)); err != nil {
			t.Error(err)
		}
	}()
	o := run(t, sandbox.Namespaces, p, "sh", "-c", `touch keep; echo more >> edit; chmod 600 mode; rm gone; rm -r d; mv e g; ln -s a link; echo n > new; rm -r f; mkdir f; printf f/x > f/x; echo t > t; rm t; mkdir shut; chmod 0 shut`)
	if o.ExitCode != 0 {
		t.Fatal(o.out)
	}
	changes, complete, err := o.sb.Changes()
	if err != nil || !complete {
		t.Fatal(complete, err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, string(c.Op)+" "+c.Path+" "+c.Target)
	}
	want := []string{
		"delete d ", "delete e ", "modify edit ", "replace f ", "create f/x ", "create g ", "create g/x ", "delete gone ", "create link a", "mode mode ", "create new ", "create shut ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d, o.out)
	}
	for _, name := range []string{"keep", "edit", "mode", "gone", "d/x", "d/y", "e/x", "f/x"} {
		if read(t, filepath.Join(p.Workspace, name)) != name {
			t.Errorf("%s changed", name)
		}
	}
}

func TestFailsToStart(t *testing.T) {
	for _, kind := range append(kinds(t), sandbox.None) {
		p := newProfile(t)
		sb, err := newConfined(p, support, kind)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sb.Start(sandbox.Command{Path: "/does/not/exist", Argv: []string{"x"}, Dir: p.Workspace, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}); err == nil || !strings.Contains(err.Error(), "not_found") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestProbeCache(t *testing.T) {
	var kept []byte
	stores := 0
	cache := sandbox.Cache{Load: func() ([]byte, error) { return kept, nil }, Store: func(b []byte) error { kept = b; stores++; return nil }}
	first := System{}.Probe(cache)
	if d := cmp.Diff(first, System{}.Probe(cache)); d != "" || stores != 1 {
		t.Errorf("%s, stored %d times", d, stores)
	}
	kept = append([]byte("other "), kept...)
	System{}.Probe(cache)
	if stores != 2 {
		t.Errorf("what holds for another machine was believed")
	}
	all := sandbox.Support{Namespaces: true, Reason: "a b=c", LandlockABI: 7, LandlockReason: "d", Filtered: true, Seccomp: true, Broker: true, Sockets: true}
	for _, s := range []sandbox.Support{all, {}, {LandlockABI: 4, Seccomp: true}} {
		got, ok := recall(remember(s, "key"), "key")
		if d := cmp.Diff(s, got); d != "" || !ok {
			t.Errorf("%t %s", ok, d)
		}
	}
	if _, ok := recall(nil, ""); ok {
		t.Error("nothing was recalled")
	}
}
