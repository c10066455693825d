package config

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSinks(t *testing.T) {
	w := newWorld(t)
	w.put(t, System, `{"messages": {"sinks": [{"name": "a", "kind": "file", "path": "/var/log/a"}, {"name": "b", "kind": "stdout"}]}}`)
	w.put(t, User, `{"messages": {"sinks": [
  {"name": "a", "kind": "file", "path": "a.ndjson", "channel": "email", "to": "ann"},
  {"name": "c", "kind": "command", "argv": ["bin/send", "bin/x", "--"], "timeout": 5, "at_once": true},
  {"name": "d", "kind": "command", "argv": ["send"]},
  {"name": "e", "kind": "webhook", "url": "https://hooks.example:8443/services/T0/verysecret?token=verysecret#x", "secret_file": "key"}]}}`)
	s := load(t, w.options())
	home := filepath.Join(w.dir, "home")
	want := []Sink{
		{Name: "a", Kind: "file", Path: filepath.Join(home, "a.ndjson"), Channel: "email", To: "ann", Timeout: 30},
		{Name: "b", Kind: "stdout", Timeout: 30},
		{Name: "c", Kind: "command", Argv: []string{filepath.Join(home, "bin", "send"), "bin/x", "--"}, Timeout: 5, AtOnce: true},
		{Name: "d", Kind: "command", Argv: []string{"send"}, Timeout: 30},
		{Name: "e", Kind: "webhook", URL: "https://hooks.example:8443/services/T0/verysecret?token=verysecret#x", SecretFile: filepath.Join(home, "key"), Timeout: 30},
	}
	if d := cmp.Diff(want, s.Config.Messages.Sinks); d != "" {
		t.Error(d)
	}
	shown, err := json.Marshal(s.All("messages"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(shown), "verysecret") || !strings.Contains(string(shown), `"url":"https://hooks.example:8443/***"`) {
		t.Errorf("shown as %s", shown)
	}
}

func TestBadSinks(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": "a"}`:                                                                               "/messages/sinks/0/kind",
		`{"name": "a/b", "kind": "stdout"}`:                                                           "/messages/sinks/0/name",
		`{"name": "", "kind": "stdout"}`:                                                              "/messages/sinks/0/name",
		`{"name": "stdout", "kind": "file", "path": "x"}`:                                             "/messages/sinks/0/name",
		`{"name": "a", "kind": "stdout"}, {"name": "a", "kind": "stdout"}`:                            "/messages/sinks/1/name",
		`{"name": "a", "kind": "stdout", "channel": "a/b"}`:                                           "/messages/sinks/0/channel",
		`{"name": "a", "kind": "stdout", "at_once": true}`:                                            "/messages/sinks/0/at_once",
		`{"name": "a", "kind": "stdout", "timeout": 0}`:                                               "/messages/sinks/0/timeout",
		`{"name": "a", "kind": "stdout", "timeout": 601}`:                                             "/messages/sinks/0/timeout",
		`{"name": "a", "kind": "stdout", "path": "x"}`:                                                "/messages/sinks/0/path",
		`{"name": "a", "kind": "file"}`:                                                               "/messages/sinks/0/path",
		`{"name": "a", "kind": "file", "path": "x\u0000"}`:                                            "/messages/sinks/0/path",
		`{"name": "a", "kind": "command"}`:                                                            "/messages/sinks/0/argv",
		`{"name": "a", "kind": "command", "argv": [""]}`:                                              "/messages/sinks/0/argv",
		`{"name": "a", "kind": "command", "argv": "x"}`:                                               "/messages/sinks/0/argv",
		`{"name": "a", "kind": "webhook"}`:                                                            "/messages/sinks/0/url",
		`{"name": "a", "kind": "webhook", "url": "ftp://x"}`:                                          "/messages/sinks/0/url",
		`{"name": "a", "kind": "webhook", "url": "//x"}`:                                              "/messages/sinks/0/url",
		`{"name": "a", "kind": "webhook", "url": "https://me:word@x"}`:                                "/messages/sinks/0/url",
		`{"name": "a", "kind": "webhook", "url": "https://x", "secret_env": "A", "secret_file": "b"}`: "/messages/sinks/0/secret_file",
		`{"name": "a", "kind": "file", "path": "x", "secret_env": "A"}`:                               "/messages/sinks/0/secret_env",
		`{"name": "a", "kind": "webhook", "url": "https://x", "secret": "in the open"}`:               "/messages/sinks/0/secret",
	} {
		problems := validate([]byte(`{"messages": {"sinks": [` + text + `]}}`))
		if len(problems) != 1 || problems[0].Key != want {
			t.Errorf("%s: %v, want one of %s", text, problems, want)
		}
	}
}

// FuzzSinks wants the settings of sinks to be refused, or to be shown without what is
// secret in an address.
func FuzzSinks(f *testing.F) {
	for _, s := range []string{
		`[{"name": "a", "kind": "file", "path": "x"}]`, `[{"name": "e", "kind": "webhook", "url": "https://x/y"}]`, `[{"name": "c", "kind": "command", "argv": ["./x", 7]}]`,
		`{}`, `[null]`, `[{"argv": {}, "url": [], "path": 1}]`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sinks string) {
		l, problems := parse(File{Source: User, Path: "/home/config.json"}, []byte(`{"messages": {"sinks": `+sinks+`}}`))
		if len(problems) > 0 || l == nil {
			return
		}
		l.absolute()
		list := l.tree.Path("messages", "sinks")
		if list == nil {
			return
		}
		for i, item := range list.Items {
			var s Sink
			if err := json.Unmarshal(shown("messages.sinks."+string(rune('0'+i%10)), item), &s); err != nil {
				t.Fatalf("%s: %v", item.JSON(), err)
			}
			if s.URL != "" && !strings.HasSuffix(s.URL, "/"+hidden) {
				t.Errorf("%s is shown as %s", item.JSON(), s.URL)
			}
		}
	})
}
