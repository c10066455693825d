//go:build unix

package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
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

// errorList gathers what went wrong in a role.
type errorList []string

func (l *errorList) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

func (l *errorList) err() error {
	if len(*l) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(*l, "\n"))
}
