package exec

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// A decision is bound to 200 files and directories, and to the sums of 64 MiB of
// them; of others, size and time count.
func TestPinLimits(t *testing.T) {
	call, dir := world(t, config.Exec{})
	argv := []string{"cat"}
	for i := range 205 {
		name := fmt.Sprintf("%03d.txt", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		argv = append(argv, name)
	}
	_, r := judged(t, call, Args{Argv: argv})
	if _, files, err := r.pin(t.Context()); err != nil || len(files) != 200 {
		t.Errorf("%d files, %v", len(files), err)
	}
	for i, size := range []int64{64 << 20, 64<<20 + 1} {
		name := fmt.Sprintf("%d.large", i)
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		_, r := judged(t, call, Args{Argv: []string{"cat", name}})
		_, files, err := r.pin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Path == name && strings.Contains(f.SHA, " ") == (size <= 64<<20) {
				t.Errorf("%d bytes are pinned by %s", size, f.SHA)
			}
		}
	}
}

// An approval that holds for many runs is bound to what they run, and not to what they
// work on.
func TestPinPrograms(t *testing.T) {
	call, dir := world(t, config.Exec{})
	for name, mode := range map[string]os.FileMode{"tool.sh": 0o700, "report.py": 0o600, "data.csv": 0o600, "Makefile": 0o600} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ command, want string }{
		{"rm data.csv", ""},
		{"python3 report.py data.csv", "report.py"},
		{"nice ./tool.sh data.csv", "./tool.sh"},
		{"make clean", "Makefile"},
	} {
		_, r := judged(t, call, Args{Command: c.command})
		programs, files, err := r.pinPrograms(t.Context())
		var names []string
		for _, f := range files {
			if !strings.HasSuffix(f.Path, "/") { // the directory it runs in
				names = append(names, f.Path)
			}
		}
		if got := strings.Join(names, " "); err != nil || strings.TrimPrefix(got, "./") != strings.TrimPrefix(c.want, "./") || programs == "" {
			t.Errorf("%s: %q, %q, %v", c.command, got, programs, err)
		}
	}
}

// A command that belongs to the run of a job is told so, and cannot be told otherwise.
func TestRunVariable(t *testing.T) {
	call, _ := world(t, config.Exec{})
	_, r := judged(t, call, Args{Command: "true"})
	if got := run.Value(r.env, "HELVE_RUN_ID"); got != "" {
		t.Errorf("outside of a run: %q", got)
	}
	call.Env.Run = "backup@2026-01-02T03:04:05Z"
	_, r = judged(t, call, Args{Command: "true"})
	if got := run.Value(r.env, "HELVE_RUN_ID"); got != call.Env.Run {
		t.Errorf("in a run: %q", got)
	}
	if _, _, err := judge(t.Context(), call, Args{Command: "true", Cwd: ".", Env: []string{"HELVE_RUN_ID="}}); err == nil {
		t.Error("a call may set it")
	}
}
