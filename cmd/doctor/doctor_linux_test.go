package doctor_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// found is a check that doctor printed.
type found struct {
	name, level, detail, mend string
	ok                        bool
}

// diagnose runs doctor and returns its checks. Whether its exit status is that of the
// checks is judged here.
func diagnose(t *testing.T, s *scene, what string) (checks []found) {
	t.Helper()
	c := s.helve(what, "doctor")
	if what == "setting" {
		inNamespaces(c, 0)
	} else if strings.HasPrefix(what, "read-only=") {
		if c.SysProcAttr.Cloneflags = syscall.CLONE_NEWNS; os.Geteuid() != 0 {
			inNamespaces(c, syscall.CLONE_NEWNS)
		}
	}
	a, exit := cmdtest.Call(t, c)
	all, _ := a.Data["checks"].([]any)
	matters := false
	for _, one := range all {
		m := one.(map[string]any)
		f := found{m["name"].(string), m["level"].(string), m["detail"].(string), m["mend"].(string), m["ok"].(bool)}
		checks = append(checks, f)
		matters = matters || f.level == "error"
		if f.ok != (f.level == "ok") || f.detail == "" || !f.ok && f.mend == "" || strings.Contains(f.detail+f.mend, "\n") || strings.Contains(f.detail+f.mend, "%!") {
			t.Errorf("%+v", f)
		}
	}
	if want := map[bool]int{true: 5}[matters]; exit != want || a.OK == matters || matters && a.Error.Code != "not_configured" {
		t.Errorf("exit %d, %+v", exit, a.Error)
	}
	if len(checks) < 20 {
		t.Errorf("only %d checks: %+v", len(checks), a)
	}
	return checks
}

// one returns the only check with a name.
func one(t *testing.T, checks []found, name string) found {
	t.Helper()
	var all []found
	for _, c := range checks {
		if c.name == name {
			all = append(all, c)
		}
	}
	if len(all) != 1 {
		t.Fatalf("%d checks named %q in %+v", len(all), name, checks)
	}
	return all[0]
}

// Where nothing is taken away, nothing is wrong that the test could have changed.
func TestDoctor(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, s *scene) {
		checks := diagnose(t, s, "")
		for _, name := range []string{"helve", "system", "configuration", "settings", "trust", "workspace", "configuration directory", "state", "cache", "temporary files", "shell", "tools", "store", "scheduler"} {
			if c := one(t, checks, name); !c.ok {
				t.Errorf("%+v", c)
			}
		}
		if left, err := filepath.Glob(filepath.Join(s.work, "*")); err != nil || len(left) > 0 {
			t.Errorf("left in the workspace: %q", left)
		}
		if left, err := filepath.Glob(filepath.Join(s.dir, "tmp", "*doctor*")); err != nil || len(left) > 0 {
			t.Errorf("left among the temporary files: %q", left)
		}
		out, err := s.helve("", "doctor", "-o", "text").Output()
		if err != nil && one(t, checks, "sandbox of commands").ok || strings.Count(string(out), "\n") < 20 || !strings.Contains(string(out), "\nok       shell ") {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// Without user namespaces, one line says so, and what to do: by the setting of the kernel
// that forbids them, if there is one.
func TestDoctorWithoutNamespaces(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, s *scene) {
		if !one(t, diagnose(t, s, ""), "user namespaces").ok {
			t.Skip("there are no user namespaces here")
		}
		checks := diagnose(t, s, "container")
		if c := one(t, checks, "user namespaces"); c.level != "warning" || !strings.Contains(c.detail, "cannot be made") || !strings.Contains(c.mend, "seccomp") {
			t.Errorf("%+v", c)
		}
		if slices.ContainsFunc(checks, func(c found) bool { return c.name == "sandbox namespaces" }) {
			t.Error("it was tried")
		}
		// The next best sandbox is in force, or it is an error that there is none.
		if c, best := one(t, checks, "sandbox of commands"), one(t, checks, "landlock"); c.ok != best.ok || !c.ok && c.level != "error" {
			t.Errorf("%+v, %+v", c, best)
		}
		if s.ordinary && os.Geteuid() == 0 {
			return // who cannot change a setting of the kernel in a test
		}
		if c := one(t, diagnose(t, s, "setting"), "user namespaces"); c.level != "warning" || !strings.Contains(c.detail, "user.max_user_namespaces is 0") || !strings.Contains(c.mend, "sudo sysctl -w user.max_user_namespaces=") {
			t.Errorf("%+v", c)
		}
	})
}

// Where a command can read everything but secrets, and there are more files beside these than
// there can be rules for, it says how many of them cannot be read.
func TestDoctorCrowdedHome(t *testing.T) {
	t.Parallel()
	s := newScene(t, false)
	if one(t, diagnose(t, s, ""), "landlock").level == "warning" {
		t.Skip("there is no Landlock here")
	}
	const files, rules = 51000, 50000
	crowd := filepath.Join(s.home, "crowd")
	if err := errors.Join(os.MkdirAll(filepath.Join(crowd, ".aws"), 0o700), os.MkdirAll(filepath.Join(s.home, ".config/helve"), 0o700)); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, crowd, ".aws/credentials", "")
	for i := range files {
		if err := syscall.Mknod(filepath.Join(crowd, strconv.Itoa(i)), syscall.S_IFREG|0o600, 0); err != nil {
			t.Fatal(err)
		}
	}
	for reads, ok := range map[string]bool{"home": true, "all": false} {
		cmdtest.Put(t, s.home, ".config/helve/config.json", `{"exec": {"sandbox": "landlock", "reads": "`+reads+`"}}`)
		c := s.helve("", "doctor")
		c.Env = append(c.Env, "HOME="+crowd, "XDG_CONFIG_HOME="+filepath.Join(s.home, ".config"))
		a, _ := cmdtest.Call(t, c)
		for _, one := range a.Data["checks"].([]any) {
			check := one.(map[string]any)
			if check["name"] != "sandbox of commands" {
				continue
			}
			left := 0
			if _, text, found := strings.Cut(check["detail"].(string), "cannot read "); found {
				_, _ = fmt.Sscan(text, &left)
			}
			if check["ok"] != ok || !ok && (left < files-rules || left >= files) {
				t.Errorf("%s: %+v", reads, check)
			}
		}
	}
}

// With a home that cannot be written, one line each says what is not kept, or not for long.
func TestDoctorReadOnlyHome(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, s *scene) {
		what := ""
		if s.ordinary {
			if err := os.Chmod(s.home, 0o555); err != nil {
				t.Fatal(err)
			}
		} else {
			what = "read-only=" + s.home
		}
		checks := diagnose(t, s, what)
		for name, says := range map[string]string{"configuration directory": "cannot be written", "state": "may not last", "cache": "cannot be written"} {
			if c := one(t, checks, name); c.level != "warning" || !strings.Contains(c.detail, says) || !strings.Contains(c.mend, "HELVE_HOME") {
				t.Errorf("%+v", c)
			}
		}
		if c := one(t, checks, "temporary files"); !c.ok {
			t.Errorf("%+v", c)
		}
	})
}

// A configuration that cannot be used is a line with the place and what to do, and does not
// keep the other checks from being made.
func TestDoctorBrokenConfiguration(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, s *scene) {
		if err := os.MkdirAll(filepath.Join(s.home, ".config/helve"), 0o755); err != nil {
			t.Fatal(err)
		}
		file := cmdtest.Put(t, s.home, ".config/helve/config.json", "{\n  // mine\n  \"files\": {\"require_read\": \"sometimes\"},\n}\n")
		checks := diagnose(t, s, "")
		if c := one(t, checks, "configuration"); c.level != "error" || !strings.Contains(c.detail, file+":3:") || !strings.Contains(c.detail, "require_read") || !strings.Contains(c.mend, "correct it") {
			t.Errorf("%+v", c)
		}
		for _, name := range []string{"shell", "workspace", "temporary files"} {
			if c := one(t, checks, name); !c.ok {
				t.Errorf("%+v", c)
			}
		}
		// So are variables that cannot be used, in a language that there is.
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		c := s.helve("", "doctor", "--json")
		c.Env = append(c.Env, "HELVE_READONLY=maybe", "HELVE_LANG=fr", "HELVE_OUTPUT=text")
		a, exit := cmdtest.Call(t, c)
		if exit != 5 || !strings.Contains(a.Error.Message, "HELVE_READONLY") || !strings.Contains(a.Error.Message, "HELVE_LANG") {
			t.Errorf("exit %d, %+v", exit, a.Error)
		}
	})
}

// A report has nothing of whoever made it: not in the file, and not in what is printed.
func TestDoctorReport(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, s *scene) {
		home := filepath.Join(s.home, "annabel")
		work := filepath.Join(s.work, "moonshot")
		for _, dir := range []string{work, filepath.Join(home, ".config/helve")} {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if s.ordinary && os.Geteuid() == 0 {
			for _, dir := range []string{work, home, filepath.Join(home, ".config"), filepath.Join(home, ".config/helve")} {
				if err := os.Chown(dir, nobody, nobody); err != nil {
					t.Fatal(err)
				}
			}
		}
		const token, other = "ghp_0123456789abcdefghijABCDEFGHIJ012345", "ghp_0123456789abcdefghijABCDEFGHIJ543210"
		planted := []string{"annabel", "moonshot", "clientco", "skunkworks", "brave-planted-key", "tavily-planted-key", "proxy-password", "proxy.corp.example", "store-password", token, other, "planted-openai", s.home, s.work}
		if host, err := os.Hostname(); err == nil && len(host) > 3 {
			planted = append(planted, host)
		}
		broken := `{"web": {"search": {"tavily": {"key": "tavily-planted-key"}}}, "projects": [{"id": "clientco", "path": "` + home + `/skunkworks"}], "store": {"url": "nats://ann:store-password@127.0.0.1:1/x"}`
		for name, config := range map[string]string{"whole": broken + "}", "broken": broken + `, "` + other + `": 1}`} {
			cmdtest.Put(t, home, ".config/helve/config.json", config)
			report := filepath.Join(work, name+".txt")
			c := s.helve("", "doctor", "--report="+name+".txt")
			c.Dir = work
			c.Env = append(c.Env, "HOME="+home, "USER=annabel", "BRAVE_API_KEY=brave-planted-key", "OPENAI_API_KEY=planted-openai", "GITHUB_TOKEN="+token,
				"http_proxy=http://ann:proxy-password@proxy.corp.example:3128")
			a, exit := cmdtest.Call(t, c)
			if exit != 5 || a.Data["report"] != name+".txt" {
				t.Fatalf("exit %d, %+v", exit, a)
			}
			said := cmdtest.Content(t, report)
			for _, secret := range planted {
				if strings.Contains(strings.ToLower(said+cmdtest.JSON(a)), strings.ToLower(secret)) {
					t.Errorf("%s: %q is in it:\n%s\n%s", name, secret, said, cmdtest.JSON(a))
				}
			}
			for _, word := range []string{"user namespaces", "~/.config/helve/config.json", "WORKSPACE", "BRAVE_API_KEY", "HOST:3128 (http_proxy)"} {
				if name == "broken" && word == "BRAVE_API_KEY" {
					continue // nobody knows which keys count
				}
				if !strings.Contains(said, word) {
					t.Errorf("%s: %q is not in it:\n%s", name, word, said)
				}
			}
			if info, err := os.Stat(report); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			again := s.helve("", "doctor", "--report="+name+".txt")
			again.Dir = work
			if a, exit := cmdtest.Call(t, again); exit != 1 || a.Error.Code != "already_exists" || cmdtest.Content(t, report) != said {
				t.Errorf("exit %d, %+v", exit, a)
			}
		}
		for _, args := range [][]string{{"--readonly", "doctor", "--report"}, {"doctor", "--report"}} {
			c := s.helve("", args...)
			if len(args) == 2 {
				c.Env = append(c.Env, "HELVE=1")
			}
			if a, exit := cmdtest.Call(t, c); exit != 3 || a.Error.Code != "denied" {
				t.Errorf("%q: exit %d, %+v", args, exit, a)
			}
		}
	})
}
