package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// roles are what the test binary can be started as, in a process of its own:
// without privileges, in its own mount namespace, or to be killed.
var roles = map[string]func(args []string) error{}

const rolePrefix = "role:"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], rolePrefix) {
		if err := roles[strings.TrimPrefix(os.Args[1], rolePrefix)](os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// role is a command that runs the test binary as one of roles.
func role(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command(exe, append([]string{rolePrefix + name}, args...)...)
}

// inRole runs a role to its end; exit status 0 is success, and a message that
// starts with "skip" is why it could not be tried here.
func inRole(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	roleResult(t, out, err)
}

func roleResult(t *testing.T, out []byte, err error) {
	t.Helper()
	if reason, ok := strings.CutPrefix(string(out), "skip: "); ok {
		t.Skip(strings.TrimSpace(reason))
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// everyMode runs a test with each way of confinement that this system has.
func everyMode(t *testing.T, test func(t *testing.T, open func(dir string, o Options) *Root)) {
	for name, opener := range openers {
		t.Run(name, func(t *testing.T) {
			test(t, func(dir string, o Options) *Root {
				t.Helper()
				r, err := opener(dir, o)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					if err := r.Close(); err != nil {
						t.Error(err)
					}
				})
				return r
			})
		})
	}
}

// tree makes files, directories and links below dir, in this order: "a/" is a
// directory, "a -> b" a link, "a = text" a file, "a" an empty one.
func tree(t *testing.T, dir string, entries ...string) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range entries {
		name, target, link := strings.Cut(e, " -> ")
		name, text, _ := strings.Cut(name, " = ")
		p := filepath.Join(dir, filepath.FromSlash(name))
		check(os.MkdirAll(filepath.Dir(p), 0o755))
		switch {
		case link:
			check(os.Symlink(target, p))
		case strings.HasSuffix(name, "/"):
			check(os.MkdirAll(p, 0o755))
		default:
			check(os.WriteFile(p, []byte(text), 0o644))
		}
	}
}

// workspaceDir is an empty directory "ws", with siblings possible, under its
// real name.
func workspaceDir(t testing.TB) (ws, above string) {
	t.Helper()
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws = filepath.Join(above, "ws")
	if err := os.Mkdir(ws, 0o755); err != nil {
		t.Fatal(err)
	}
	return ws, above
}

func wantCode(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("got %v, want %s", err, code)
	}
}

func wantText(t *testing.T, file, text string) {
	t.Helper()
	got, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	} else if diff := cmp.Diff(text, string(got)); diff != "" {
		t.Errorf("%s (-want +got)\n%s", file, diff)
	}
}

// wantNames compares what is in a directory with names.
func wantNames(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(names, got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", dir, diff)
	}
}

// errorList gathers what went wrong in a role.
type errorList []string

func (l *errorList) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

func (l *errorList) want(err error, code fault.Code) {
	if !fault.Is(err, code) {
		l.add("got %v, want %s", err, code)
	}
}

func (l *errorList) err() error {
	if len(*l) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(*l, "\n"))
}
