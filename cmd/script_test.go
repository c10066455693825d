package cmd_test

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
)

var update = flag.Bool("update", false, "renew the golden files, the scripts and the guides")

func TestMain(m *testing.M) {
	cmdtest.Main(m, func(args []string, in io.Reader, out, err io.Writer) int {
		status := cmd.Main(args, in, out, err)
		notePeak(os.Getenv(peakFile))
		return status
	}, map[string]func(){"modelserver": modelServer, "mcpserver": mcpServer})
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
