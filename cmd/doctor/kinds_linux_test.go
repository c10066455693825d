package doctor_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// taken is the outcome of a command: its kind of sandbox, or a code of an error with a part
// of its message.
type taken struct{ kind, code, says string }

// TestKinds has the sandbox that each setting takes in a container, in one with a profile that
// knows no Landlock, and where a setting of the kernel forbids user namespaces. All of them
// use one state directory in turn, so that what one has found does not mislead the next.
func TestKinds(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, s *scene) {
		if checks := diagnose(t, s, ""); !one(t, checks, "user namespaces").ok || one(t, checks, "landlock").level == "warning" {
			t.Skip("not both kinds are to be had here")
		}
		landlock, asks := taken{kind: "landlock"}, taken{code: "approval_required"}
		off := taken{kind: "none"}
		const noClone = "exec.sandbox is namespaces, which is not to be had here: clone: "
		places := []struct {
			what                              string
			reads, writes                     taken // by auto
			require, landlock, namespaces, on taken
		}{
			{"", taken{kind: "namespaces"}, taken{kind: "namespaces"}, taken{kind: "namespaces"}, landlock, taken{kind: "namespaces"}, off},
			{"container", landlock, landlock, landlock, landlock, taken{code: "sandbox_unavailable", says: noClone + "operation not permitted"}, off},
			{"old container", off, asks,
				taken{code: "sandbox_unavailable", says: "exec.sandbox is require, but there is no sandbox here: clone: operation not permitted; landlock_create_ruleset: operation not permitted"},
				taken{code: "sandbox_unavailable", says: "exec.sandbox is landlock, which is not to be had here: landlock_create_ruleset: operation not permitted"},
				taken{code: "sandbox_unavailable", says: noClone}, off},
			{"setting", landlock, landlock, landlock, landlock, taken{code: "sandbox_unavailable", says: noClone + "no space left on device"}, off},
		}
		for _, p := range slices.Concat(places, places[:1]) {
			if p.what == "setting" && s.ordinary && os.Geteuid() == 0 {
				continue // who cannot change a setting of the kernel in a test
			}
			for _, c := range []struct {
				setting, command string
				want             taken
			}{
				{"auto", "cat given", p.reads}, {"auto", "touch made", p.writes}, {"require", "touch made", p.require}, {"landlock", "touch made", p.landlock},
				{"namespaces", "touch made", p.namespaces}, {"off", "cat given", p.on}, {"off", "touch made", asks},
			} {
				s.configure(t, c.setting)
				if got := s.takes(t, p.what, c.command); got.kind != c.want.kind || got.code != c.want.code || !strings.Contains(got.says, c.want.says) {
					t.Errorf("%q, exec.sandbox=%s, %s: %+v, want %+v", p.what, c.setting, c.command, got, c.want)
				}
			}
		}
		s.configure(t, "auto")
		t.Run("refuted", s.refuted)
	})
}

// refuted has a command find the sandbox gone that the machine had when it was last looked
// for.
func (s *scene) refuted(t *testing.T) {
	found, err := filepath.Glob(filepath.Join(s.home, ".local/state/helve/*/sandbox"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%q, %v", found, err)
	}
	for _, command := range []string{"cat given", "touch made"} {
		if got := s.takes(t, "container", command); got.kind != "landlock" {
			t.Fatalf("%+v", got)
		}
		text := cmdtest.Content(t, found[0])
		mistaken := strings.Replace(text, "\nnamespaces=false", "\nnamespaces=true", 1)
		if err := os.WriteFile(found[0], []byte(mistaken), 0o600); err != nil || text == mistaken {
			t.Fatalf("%v: %s", err, text)
		}
		if got := s.takes(t, "container", command); got.kind != "landlock" {
			t.Errorf("%s: %+v", command, got)
		}
		if now := cmdtest.Content(t, found[0]); now != text {
			t.Errorf("%s, want %s", now, text)
		}
	}
}

// configure writes the person's settings.
func (s *scene) configure(t *testing.T, kind string) {
	t.Helper()
	cmdtest.Put(t, s.work, "given", "")
	dir := filepath.Join(s.home, ".config", "helve")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, dir, "config.json", `{"exec": {"sandbox": "`+kind+`"}}`)
}

// takes runs a command in what the scene is restricted to.
func (s *scene) takes(t *testing.T, what, command string) taken {
	t.Helper()
	c := s.helve(what, "exec", command)
	if what == "setting" {
		inNamespaces(c, 0)
	}
	a, exit := cmdtest.Call(t, c)
	report, _ := a.Data["sandbox"].(map[string]any)
	kind, _ := report["tier"].(string)
	if a.OK && a.Data["exit_code"] != 0.0 || a.OK != (exit == 0) {
		t.Errorf("%s: %d %+v", command, exit, a)
	}
	return taken{kind, a.Error.Code, a.Error.Message}
}
