package host

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDirs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip("no home")
	}
	for name, c := range map[string]struct {
		env  map[string]string
		want Dirs
	}{
		"nothing set": {nil, Dirs{
			State: filepath.Join(home, ".local/state/helve"), Cache: filepath.Join(home, ".cache/helve"),
			UserConfig: filepath.Join(home, ".config/helve/config.json"), SystemConfig: "/etc/helve/config.json",
		}},
		"XDG": {map[string]string{"XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/f"}, Dirs{
			State: "/s/helve", Cache: "/c/helve", UserConfig: "/f/helve/config.json", SystemConfig: "/etc/helve/config.json",
		}},
		"relative XDG directories do not count": {map[string]string{"XDG_STATE_HOME": "s"}, Dirs{
			State: filepath.Join(home, ".local/state/helve"), Cache: filepath.Join(home, ".cache/helve"),
			UserConfig: filepath.Join(home, ".config/helve/config.json"), SystemConfig: "/etc/helve/config.json",
		}},
		"HELVE_HOME moves all": {map[string]string{"HELVE_HOME": "/h", "XDG_STATE_HOME": "/s"}, Dirs{
			State: "/h/state", Cache: "/h/cache", UserConfig: "/h/config.json", SystemConfig: "/etc/helve/config.json",
		}},
	} {
		d := standardDirs(func(name string) string { return c.env[name] })
		if diff := cmp.Diff(c.want, d); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if want := filepath.Join(filepath.Dir(c.want.UserConfig), "tools"); d.UserTools() != want {
			t.Errorf("%s: custom tools in %s", name, d.UserTools())
		}
		if want := filepath.Join(filepath.Dir(c.want.UserConfig), "output"); d.OutputRules() != want {
			t.Errorf("%s: rules about output in %s", name, d.OutputRules())
		}
	}
}
