package exec

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/testing/homes"
)

// TestHomeBuilds runs builds and tests of each tool chain in a home directory that is
// closed, without a question. "scripts/bench homes" runs all.
func TestHomeBuilds(t *testing.T) {
	home := filepath.Join(place(t), "me")
	if _, err := homes.Make(home, 100); err != nil {
		t.Fatal(err)
	}
	if err := homes.Furnish(home, os.Getenv("HOME")); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"namespaces", "landlock"} {
		for i, b := range homes.Builds {
			if b.Sample {
				t.Run(kind+", "+b.Command, func(t *testing.T) { runBuild(t, b, kind, home, filepath.Join(home, "work", fmt.Sprint(kind, i))) })
			}
		}
	}
}

func runBuild(t *testing.T, b homes.Build, kind, home, dir string) {
	if missing := b.Missing(); missing != "" {
		t.Skip("no " + missing)
	}
	call, _ := person(t, home, config.Exec{Sandbox: kind})
	m, err := call.Env.Machine()
	if err != nil {
		t.Fatal(err)
	}
	m.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "RUSTUP_HOME=" + filepath.Join(home, ".rustup"), "PYENV_ROOT=" + filepath.Join(home, ".pyenv")}
	m.Homes = []string{os.Getenv("HOME")}
	if err := b.Lay(t.Context(), dir, m.Environ); err != nil {
		t.Fatal(err)
	}
	call = within(t, call, dir)
	j, r, err := judge(t.Context(), call, Args{Command: b.Command, Cwd: ".", Timeout: 600, MaxOutput: 20000})
	if err != nil {
		t.Skip(err)
	}
	if j.Risk == policy.Destructive || j.Network || j.Unconfined || r.network == sandbox.Full {
		t.Fatalf("a person would be asked: %+v", j)
	}
	call.Judgement = j
	if result, err := execute(t.Context(), call, r); err != nil || result.ExitCode != 0 {
		t.Errorf("%v, exit code %d, denials %v: %s", err, result.ExitCode, result.Denials, result.Output)
	}
}
