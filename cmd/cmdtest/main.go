package cmdtest

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Main runs the tests of a package as its TestMain does. The test binary is then on the path
// under other names, too: as helve, which is the command line, and as the programs.
func Main(m *testing.M, helve func(args []string, in io.Reader, out, err io.Writer) int, programs map[string]func()) {
	all := map[string]func(){"helve": func() { os.Exit(helve(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }}
	maps.Copy(all, programs)
	testscript.Main(tidy{m}, all)
}

// tidy runs the tests with a temporary directory of their own, and removes it
// however they end: processes that a test starts leave files there, too.
type tidy struct{ *testing.M }

func (t tidy) Run() int {
	dir, err := os.MkdirTemp("", "helve-test-")
	if err == nil {
		for _, name := range []string{"TMPDIR", "TMP", "TEMP"} { // the others are Windows's
			err = errors.Join(err, os.Setenv(name, dir))
		}
	}
	for _, name := range []string{"HELVE", "HELVE_HOME", "HELVE_ROOT", "HELVE_SESSION", "HELVE_LANG", "HELVE_OUTPUT", "HELVE_READONLY"} { // a test says what it wants
		err = errors.Join(err, os.Unsetenv(name))
	}
	status := 1
	if err == nil {
		status = t.M.Run()
	}
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(status, 1)
	}
	return status
}
