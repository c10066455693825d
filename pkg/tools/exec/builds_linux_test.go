package exec

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/testing/homes"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/confine"
)

var (
	workSeed  = flag.Uint64("workseed", 1, "what the work of TestHomeWork is drawn by")
	workDraws = flag.Int("workdraws", 4, "pieces of work that TestHomeWork draws")
)

// furnished makes a home directory with so many other files.
func furnished(t *testing.T, others int) (home string) {
	t.Helper()
	home = filepath.Join(place(t), "me")
	if _, err := homes.Make(home, others); err != nil {
		t.Fatal(err)
	}
	if err := homes.Furnish(home, os.Getenv("HOME")); err != nil {
		t.Fatal(err)
	}
	return home
}

// TestHomeBuilds runs builds and tests of each tool chain in a home directory that is
// closed, without a question. "scripts/bench homes" runs all.
func TestHomeBuilds(t *testing.T) {
	home := furnished(t, 100)
	for _, kind := range []string{"namespaces", "landlock"} {
		for i, b := range slices.Concat(homes.Work, homes.Builds) {
			if b.Sample {
				t.Run(kind+", "+b.Command, func(t *testing.T) { runBuild(t, b, kind, 0, home, filepath.Join(home, "work", fmt.Sprint(kind, i))) })
			}
		}
	}
}

// TestHomeWork draws from all work, in a small and in a large home directory, in namespaces
// and with Landlock as older kernels have it.
func TestHomeWork(t *testing.T) {
	// An empty cache of Go takes longer to fill than everything else together.
	all := slices.DeleteFunc(slices.Clone(homes.Work), func(b homes.Build) bool { return b.Judges == "go" })
	draw := rand.New(rand.NewPCG(*workSeed, 0))
	places := map[int]string{200: furnished(t, 200), 5000: furnished(t, 5000)}
	for n := range *workDraws {
		i, version := draw.IntN(len(all)), 3+draw.IntN(5)
		kind := "landlock"
		if version == 3 {
			kind, version = "namespaces", 0
		}
		for size, home := range places {
			t.Run(fmt.Sprintf("%s %d, %d files, %s", kind, version, size, all[i].Command), func(t *testing.T) {
				runBuild(t, all[i], kind, version, home, filepath.Join(home, "work", fmt.Sprint("drawn", n)))
			})
		}
	}
}

// asVersion has a call take the machine for one with a version of Landlock.
func asVersion(t *testing.T, call *tool.Call, version int) {
	t.Helper()
	if found, err := confine.Find(call); err != nil || found.Support.LandlockABI < version {
		t.Skip("no such Landlock here: ", err)
	}
	dir, err := call.Env.State()
	if err != nil {
		t.Fatal(err)
	}
	data, err := dir.ReadFile("sandbox")
	if err != nil {
		t.Fatal(err)
	}
	data = regexp.MustCompile(`(landlock_abi=)\d+`).ReplaceAll(data, fmt.Append([]byte("${1}"), version))
	if err := dir.WriteFile("sandbox", data); err != nil {
		t.Fatal(err)
	}
}

// runBuild runs a piece of work; version is that of Landlock, 0 for the machine's own.
func runBuild(t *testing.T, b homes.Build, kind string, version int, home, dir string) {
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
	if call = within(t, call, dir); version > 0 {
		asVersion(t, call, version)
	}
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
