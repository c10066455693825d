package cmd_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/helve-dev/helve/cmd"
)

var update = flag.Bool("update", false, "renew the golden files, the scripts and the guides")

func TestMain(m *testing.M) {
	testscript.Main(tidy{m}, map[string]func(){
		"helve": func() {
			status := cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
			notePeak(os.Getenv(peakFile))
			os.Exit(status)
		},
		"modelserver": modelServer,
		"restrict":    restrict,
		"mcpserver":   mcpServer,
	})
}

// peakFile is the variable with the name of a file in which helve leaves the status of its
// process, as the kernel shows it at the end. What a parent is told of the
// memory of a child is no less than what the parent has itself.
const peakFile = "PEAK_FILE"

func notePeak(file string) {
	if file == "" {
		return
	}
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(file, status, 0o600)
	}
	if err != nil {
		panic(err)
	}
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
	for _, name := range []string{"HELVE_HOME", "HELVE_ROOT", "HELVE_SESSION", "HELVE_LANG", "HELVE_OUTPUT", "HELVE_READONLY"} { // a test says what it wants
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

// TestScripts runs testdata/script as a user would. With HELVE_BINARY the
// scripts run that binary instead of this one.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               scriptSetup,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"person": asPerson, "website": website, "model": asModel},
	})
}

// documents are real documents, for scripts and for the README.
const documents = "../testdata/documents"

// scriptSetup gives each script a home of its own, the documents and, where HELVE_BINARY names
// one, the binary to test.
func scriptSetup(env *testscript.Env) error {
	home, err := os.MkdirTemp("", "helve-home-") // state is never inside the workspace
	if err != nil {
		return err
	}
	env.Defer(func() { _ = os.RemoveAll(home) })
	env.Setenv("HELVE_HOME", home)
	env.Setenv("GORACE", os.Getenv("GORACE")) // how the race detector runs, in its programs, too
	samples, err := filepath.Abs(documents)
	if err != nil {
		return err
	}
	env.Setenv("DOCUMENTS", samples)
	if binary := os.Getenv("HELVE_BINARY"); binary != "" {
		dir, err := os.MkdirTemp("", "helve-bin-")
		if err != nil {
			return err
		}
		env.Defer(func() { _ = os.RemoveAll(dir) })
		name := "helve"
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		binary, err = filepath.Abs(binary)
		if err != nil {
			return err
		}
		if _, err := os.Stat(binary); err != nil {
			return err
		}
		if err := os.Symlink(binary, filepath.Join(dir, name)); err != nil {
			return err
		}
		env.Setenv("PATH", dir+string(filepath.ListSeparator)+env.Getenv("PATH"))
	}
	return nil
}
