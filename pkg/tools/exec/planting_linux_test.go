package exec

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/testing/planting"
	"github.com/helve-dev/helve/pkg/tool"
)

// newGrove makes a grove in a directory.
func newGrove(t *testing.T, dir string, ways []planting.Way) *planting.Grove {
	t.Helper()
	for _, judge := range planting.Judges {
		if _, err := exec.LookPath(judge); err != nil {
			t.Skip("no " + judge)
		}
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g, err := planting.New(dir, home, ways)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestPlanting first shows that each way works, and then that none does through exec,
// in either sandbox. Ordinary work with git in the same tree goes on.
func TestPlanting(t *testing.T) {
	t.Run("unguarded", func(t *testing.T) {
		g := newGrove(t, t.TempDir(), planting.Ways())
		if err := g.Person("", g.Script()); err != nil {
			t.Fatal(err)
		}
		ran := map[string]bool{}
		for _, name := range g.Harvest() {
			ran[name] = true
		}
		for _, w := range g.Ways {
			if !ran[w.Name] {
				t.Errorf("%s plants nothing even where nothing guards", w.Name)
			}
		}
		if len(g.Ways) < 40 {
			t.Errorf("only %d ways", len(g.Ways))
		}
	})
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		g := newGrove(t, dir, planting.Ways())
		if err := os.WriteFile(filepath.Join(dir, "plant.sh"), []byte(g.Script()), 0o644); err != nil {
			t.Fatal(err)
		}
		_, result := ran(t, call, "sh plant.sh")
		if result.ExitCode != 0 {
			t.Fatalf("%+v", result)
		}
		if planted := g.Harvest(); len(planted) > 0 {
			t.Errorf("planted by %d of %d ways: %q\nrestored %q, moved aside %v", len(planted), len(g.Ways), planted, result.Restored, result.Planted)
		}
		t.Logf("%d restored, %d moved aside, degraded: %q", len(result.Restored), len(result.Planted), result.Sandbox.Degraded)
	})
}

// TestPlantingMeanwhile has the person act while the command that went all ways still runs.
func TestPlantingMeanwhile(t *testing.T) {
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		g := newGrove(t, dir, planting.Ways())
		if err := os.WriteFile(filepath.Join(dir, "plant.sh"), []byte(g.Script()), 0o644); err != nil {
			t.Fatal(err)
		}
		planted, next := filepath.Join(dir, "planted"), filepath.Join(dir, "next")
		for _, pipe := range []string{planted, next} {
			if err := unix.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		acted := make(chan []string)
		go func() {
			_, _ = os.ReadFile(planted) // until the command says so, or has ended
			ran := g.Harvest()
			if f, err := os.OpenFile(next, os.O_RDWR, 0); err == nil {
				_, _ = f.WriteString("on\n")
				defer f.Close()
			}
			acted <- ran
		}()
		_, result := ran(t, call, "sh plant.sh; echo done > planted; read line < next")
		if f, err := os.OpenFile(planted, os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
			_ = f.Close() // the command has not said so
		}
		if all := <-acted; len(all) > 0 || result.ExitCode != 0 {
			t.Errorf("status %d, planted by %d of %d ways: %q", result.ExitCode, len(all), len(g.Ways), all)
		}
	})
}

// TestGitWorks does ordinary work with git, of which nothing is refused or taken back.
func TestGitWorks(t *testing.T) {
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		g := newGrove(t, dir, nil)
		if err := g.Person("", "cp -r \"$HOME/one/.\" .; git worktree add -q old; mkdir .vscode; echo mine > .vscode/settings.json; git add .vscode; git commit -qm vscode; cp -r \"$HOME/lib\" lib"); err != nil {
			t.Fatal(err)
		}
		call.Env.Machine = func(machine func() (*tool.Machine, error)) func() (*tool.Machine, error) {
			m, err := machine()
			own := *m
			own.Environ = append(own.Environ, "HOME="+g.Home)
			return func() (*tool.Machine, error) { return &own, err }
		}(call.Env.Machine)
		for _, command := range []string{
			"echo b >> a && git add a && git -c user.name=a -c user.email=a@b commit -qm b", "git checkout -q -b mine && git branch -q --set-upstream-to=main mine",
			"git worktree add -q new && git worktree remove old", "git -c protocol.file.allow=always submodule --quiet add ./lib again", "git submodule deinit -q -f sub", "git init -q nested && git clone -q lib cloned",
			"git stash -q; git checkout -q main && git -c user.name=a -c user.email=a@b merge -q mine", "git branch -D mine", "rm -r nested cloned",
		} {
			_, result := ran(t, call, command)
			if result.ExitCode != 0 || len(result.Restored)+len(result.Planted) > 0 {
				t.Errorf("%s: %s\nrestored %q, moved %v", command, result.Output, result.Restored, result.Planted)
			}
		}
	})
}
