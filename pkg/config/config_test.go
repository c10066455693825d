package config

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// world is a directory with the files of every source.
type world struct{ dir string }

func newWorld(t *testing.T) world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"etc", "home", "ws/.helve"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return world{dir}
}

func (w world) file(s Source) File {
	switch s {
	case System:
		return File{Source: s, Path: filepath.Join(w.dir, "etc", "config.json")}
	case Workspace:
		return File{Source: s, Path: filepath.Join(w.dir, "ws", ".helve", "config.json"), Root: filepath.Join(w.dir, "ws")}
	}
	return File{Source: s, Path: filepath.Join(w.dir, "home", "config.json")}
}

func (w world) put(t *testing.T, s Source, text string) {
	t.Helper()
	if err := os.WriteFile(w.file(s).Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (w world) options(values ...Value) Options {
	return Options{Files: []File{w.file(System), w.file(User), w.file(Workspace)}, Values: values}
}

func load(t *testing.T, o Options) *Settings {
	t.Helper()
	s, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDefaults(t *testing.T) {
	s := load(t, newWorld(t).options())
	if d := cmp.Diff(Config{
		Output:   "auto",
		Files:    Files{RequireRead: "warn", Links: "follow", Dotdot: "inside", Artifacts: ".helve/artifacts/{session}"},
		Policy:   Policy{Undoable: "ask"},
		Switches: Switches{Memory: true},
		Tools:    Tools{Imported: "deferred", StartTimeout: 30},
		Audit:    Audit{Megabytes: 16},
		Web:      Web{Search: Search{Provider: "auto"}},
		Exec:     Exec{Sandbox: "auto", Shell: "auto", Reads: "home", Network: "auto", Temp: 4096},
		Git:      Git{Trusted: "before"},
		Spawn:    Spawn{Format: "auto", MaxJobs: 4, Tokens: 2_000_000, Context: 100_000, Timeout: 1800, OnLost: "fail", Runtime: BuiltinRuntime},
	}, s.Config); d != "" {
		t.Error(d)
	}
	// What is known without reading the tags is what they say.
	w := newWorld(t)
	w.put(t, User, "{}")
	if d := cmp.Diff(load(t, w.options()).Config, s.Config, cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
	var keys []string
	for _, e := range s.Entries() {
		keys = append(keys, e.Key)
		if e.Origin != (Origin{Source: Default}) {
			t.Errorf("%+v", e)
		}
	}
	var described []string
	leaves(object(), "", func(key string, _ *schema.Field) { described = append(described, key) })
	if d := cmp.Diff(described, keys); d != "" {
		t.Error(d)
	}
}

func TestPrecedenceAndOrigin(t *testing.T) {
	w := newWorld(t)
	w.put(t, System, "{\n\"files\": {\"require_read\": \"on\"},\n\"tools\": {\"disabled\": [\"exec\"]},\n\"web\":{\"allow_private\": true}}")
	w.put(t, User, "// mine\n{\"files\": {\"require_read\": \"off\",},\n \"projects\": [\n  {\"id\": \"docs\", \"path\": \"../docs\"}],\n"+
		" \"rules\": [{\"path\": \"SOUL.md\", \"write\": \"ask\", \"edit\": \"ask\"}, {\"argv\": [\"git\", [\"fetch\", \"pull\"]], \"decision\": \"allow\", \"match\": [\"git pull\"]}],\n \"web\": {\"proxy\": \"http://me:word@proxy.example:3128\"},\n \"store\": {\"credentials\": \"team.creds\"}}")
	w.put(t, Workspace, "{\"tools\": {\"disabled\": [\"spawn\"]}}")
	s := load(t, w.options(Value{Environment, "HELVE_PROJECT", "project", "docs"}, Value{Flag, "--readonly", "readonly", "true"}, Value{Environment, "BRAVE_API_KEY", "web.search.brave.key", "brave-secret"},
		Value{Environment, "HELVE_STORE_URL", "store.url", "nats://me:word@one.example,two.example/team"}))
	user, system := w.file(User).Path, w.file(System).Path
	want := []Entry{
		{"project", json.RawMessage(`"docs"`), Origin{Source: Environment, Name: "HELVE_PROJECT"}},
		{"readonly", json.RawMessage(`true`), Origin{Source: Flag, Name: "--readonly"}},
		{"output", json.RawMessage(`"auto"`), Origin{Source: Default}},
		{"profile", json.RawMessage(`""`), Origin{Source: Default}},
		{"timezone", json.RawMessage(`""`), Origin{Source: Default}},
		{"files.require_read", json.RawMessage(`"off"`), Origin{Source: User, File: user, Line: 2}},
		{"files.links", json.RawMessage(`"follow"`), Origin{Source: Default}},
		{"files.dotdot", json.RawMessage(`"inside"`), Origin{Source: Default}},
		{"files.artifacts", json.RawMessage(`".helve/artifacts/{session}"`), Origin{Source: Default}},
		{"search.skip", json.RawMessage(`[]`), Origin{Source: Default}},
		{"projects.0", json.RawMessage(`{"id":"docs","path":"` + filepath.Join(w.dir, "docs") + `"}`), Origin{Source: User, File: user, Line: 4}},
		{"policy.undoable", json.RawMessage(`"ask"`), Origin{Source: Default}},
		{"rules.0", json.RawMessage(`{"path":"SOUL.md","write":"ask","edit":"ask"}`), Origin{Source: User, File: user, Line: 5}},
		{"rules.1", json.RawMessage(`{"argv":[["git"],["fetch","pull"]],"decision":"allow","match":[["git","pull"]]}`), Origin{Source: User, File: user, Line: 5}},
		{"switches.memory", json.RawMessage(`true`), Origin{Source: Default}},
		{"tools.disabled.0", json.RawMessage(`"exec"`), Origin{Source: System, File: system, Line: 3}},
		{"tools.disabled.1", json.RawMessage(`"spawn"`), Origin{Source: Workspace, File: w.file(Workspace).Path, Line: 1}},
		{"tools.bound", json.RawMessage(`[]`), Origin{Source: Default}},
		{"tools.sets", json.RawMessage(`[]`), Origin{Source: Default}},
		{"tools.names", json.RawMessage(`[]`), Origin{Source: Default}},
		{"tools.imported", json.RawMessage(`"deferred"`), Origin{Source: Default}},
		{"tools.start_timeout", json.RawMessage(`30`), Origin{Source: Default}},
		{"tools.manifests", json.RawMessage(`[]`), Origin{Source: Default}},
		{"audit.mask", json.RawMessage(`[]`), Origin{Source: Default}},
		{"audit.megabytes", json.RawMessage(`16`), Origin{Source: Default}},
		{"web.allow_private", json.RawMessage(`true`), Origin{Source: System, File: system, Line: 4}},
		{"web.allow_addresses", json.RawMessage(`[]`), Origin{Source: Default}},
		{"web.proxy", json.RawMessage(`"http://***@proxy.example:3128"`), Origin{Source: User, File: user, Line: 6}},
		{"web.browser", json.RawMessage(`""`), Origin{Source: Default}},
		{"web.headers", json.RawMessage(`[]`), Origin{Source: Default}},
		{"web.search.provider", json.RawMessage(`"auto"`), Origin{Source: Default}},
		{"web.search.brave.key", json.RawMessage(`"***"`), Origin{Source: Environment, Name: "BRAVE_API_KEY"}},
	}
	for _, name := range []string{"brave.url", "brave.engine", "duckduckgo.key", "duckduckgo.url", "duckduckgo.engine", "searxng.key", "searxng.url", "searxng.engine", "tavily.key", "tavily.url", "tavily.engine",
		"exa.key", "exa.url", "exa.engine", "serper.key", "serper.url", "serper.engine", "google.key", "google.url", "google.engine"} {
		want = append(want, Entry{"web.search." + name, json.RawMessage(`""`), Origin{Source: Default}})
	}
	want = append(want,
		Entry{"exec.sandbox", json.RawMessage(`"auto"`), Origin{Source: Default}},
		Entry{"exec.shell", json.RawMessage(`"auto"`), Origin{Source: Default}},
		Entry{"exec.reads", json.RawMessage(`"home"`), Origin{Source: Default}},
		Entry{"exec.allow", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"exec.presets.shell_readonly", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"exec.presets.shell_write", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"exec.presets.shell_destructive", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"exec.network", json.RawMessage(`"auto"`), Origin{Source: Default}},
		Entry{"exec.hosts", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"exec.pass", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"exec.deny", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"exec.memory", json.RawMessage(`0`), Origin{Source: Default}},
		Entry{"exec.temp", json.RawMessage(`4096`), Origin{Source: Default}},
		Entry{"exec.disk", json.RawMessage(`0`), Origin{Source: Default}},
		Entry{"exec.writable", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"exec.readable", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"git.trusted", json.RawMessage(`"before"`), Origin{Source: Default}},
		Entry{"messages.sinks", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"store.url", json.RawMessage(`"nats://***@one.example,two.example/team"`), Origin{Source: Environment, Name: "HELVE_STORE_URL"}},
		Entry{"store.credentials", json.RawMessage(`"` + filepath.Join(w.dir, "home", "team.creds") + `"`), Origin{Source: User, File: user, Line: 7}},
		Entry{"store.ca", json.RawMessage(`""`), Origin{Source: Default}},
		Entry{"store.cert", json.RawMessage(`""`), Origin{Source: Default}},
		Entry{"store.key", json.RawMessage(`""`), Origin{Source: Default}},
		Entry{"store.replicas", json.RawMessage("0"), Origin{Source: Default}},
		Entry{"spawn.base_url", json.RawMessage(`""`), Origin{Source: Default}},
		Entry{"spawn.model", json.RawMessage(`""`), Origin{Source: Default}},
		Entry{"spawn.key_env", json.RawMessage(`""`), Origin{Source: Default}},
		Entry{"spawn.key_file", json.RawMessage(`""`), Origin{Source: Default}},
		Entry{"spawn.format", json.RawMessage(`"auto"`), Origin{Source: Default}},
		Entry{"spawn.max_jobs", json.RawMessage(`4`), Origin{Source: Default}},
		Entry{"spawn.max_tokens", json.RawMessage(`2000000`), Origin{Source: Default}},
		Entry{"spawn.max_output", json.RawMessage(`0`), Origin{Source: Default}},
		Entry{"spawn.context", json.RawMessage(`100000`), Origin{Source: Default}},
		Entry{"spawn.timeout", json.RawMessage(`1800`), Origin{Source: Default}},
		Entry{"spawn.on_lost", json.RawMessage(`"fail"`), Origin{Source: Default}},
		Entry{"spawn.prompt", json.RawMessage(`""`), Origin{Source: Default}},
		Entry{"spawn.runtime", json.RawMessage(`"builtin"`), Origin{Source: Default}},
		Entry{"spawn.agents", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"on_change", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"hooks.before", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"hooks.after", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"hooks.session", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"otel.content", json.RawMessage(`false`), Origin{Source: Default}},
		Entry{"mcp.toolsets", json.RawMessage(`[]`), Origin{Source: Default}},
		Entry{"mcp.structured", json.RawMessage(`false`), Origin{Source: Default}},
	)
	if d := cmp.Diff(want, s.Entries()); d != "" {
		t.Error(d)
	}
	if s.Config.Web.Proxy != "http://me:word@proxy.example:3128" || s.Config.Web.Search.Service("brave").Key != "brave-secret" {
		t.Errorf("%+v", s.Config.Web) // hidden from people, not from the tools
	}
	if s.Config.Store.URL != "nats://me:word@one.example,two.example/team" {
		t.Errorf("%+v", s.Config.Store)
	}
	if s.Config.Projects[0] != (Project{ID: "docs", Path: filepath.Join(w.dir, "docs"), Mode: "read"}) || s.Ignored != nil {
		t.Errorf("%+v, %+v", s.Config.Projects, s.Ignored)
	}
	if _, err := policy.New(s.Rules(), policy.Options{Switches: SwitchNames(), On: s.Config.Switches.On()}); err != nil {
		t.Error(err)
	}
	if from := s.Rules()[1].From; from != user+":5" {
		t.Error(from)
	}
	if _, err := s.Get("files.requireread"); !fault.Is(err, fault.InvalidArguments) || !strings.Contains(err.Error(), `"files.require_read"`) {
		t.Error(err)
	}
}

func TestProblemsAllAtOnce(t *testing.T) {
	w := newWorld(t)
	w.put(t, User, "{\n  \"fils\": {},\n  \"files\": {\"require_red\": \"on\"},\n  \"readonly\": \"yes\",\n  \"rules\": [\n    {\"path\": \"/etc\", \"write\": \"ask\"},\n"+
		"    {\"argv\": [\"git\"], \"decision\": \"ask\", \"match\": [\"hg\"]},\n    {\"tool\": \"x\", \"decision\": \"maybe\"}\n  ],\n  \"switches\": {\"luck\": true}\n}")
	w.put(t, Workspace, "{\n  \"tools\": ")
	o := w.options()
	o.Trusted = func(string) bool { return true }
	s, err := Load(o)
	if !fault.Is(err, fault.NotConfigured) || !s.Config.ReadOnly || len(s.Config.Rules) > 0 {
		t.Fatalf("%v, %+v", err, s)
	}
	var got []string
	for _, p := range s.Problems {
		got = append(got, strings.TrimPrefix(p.Text().String(), w.dir))
	}
	want := []string{
		`/home/config.json:2:3: /fils: unknown; did you mean "files"?`,
		`/home/config.json:3:13: /files/require_red: unknown; did you mean "require_read"?`,
		`/home/config.json:4:3: /readonly: want boolean, got string`,
		`/home/config.json:8:19: /rules/2/decision: want one of allow, ask, deny, got "maybe"`,
		`/home/config.json:10:16: /switches/luck: unknown`,
		`/ws/.helve/config.json:2:12: the text ends too early`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	// What only shows in right settings comes when the rest is right.
	problems := validate([]byte("{\"rules\": [\n{\"path\": \"/etc\", \"write\": \"ask\"},\n{\"argv\": [\"git\"], \"decision\": \"ask\", \"match\": [\"hg\"]}],\n\"audit\": {\"mask\": [\"(\"]},\n" +
		"\"projects\": [{\"id\": \"a\", \"path\": \"x\"}, {\"id\": \"a\", \"path\": \"x\"}, {\"id\": \"[\", \"path\": \"x\"}], \"tools\": {\"bound\": [{\"name\": \"x\", \"uses\": \"y\", \"bind\": 7}]}}"))
	got = nil
	for _, p := range problems {
		got = append(got, p.Key)
	}
	if d := cmp.Diff([]string{"/rules/0/path", "/rules/1/match/0", "/audit/mask/0", "/projects/1/id", "/projects/2/id", "/tools/bound/0/bind"}, got); d != "" {
		t.Error(d)
	}
}

func TestBadValues(t *testing.T) {
	for _, v := range []Value{
		{Environment, "X", "nothing", "1"}, {Flag, "--x", "readonly", "maybe"}, {Flag, "--x", "readonly", `"true"`},
		{Flag, "--x", "files.require_read", "never"}, {Flag, "--x", "rules", `[{"decision":"allow"}]`}, {Flag, "--x", "tools", "{}"},
		{Environment, "HELVE_STORE_URL", "store.url", "http://host"}, {Environment, "HELVE_STORE_CA", "store.ca", "a\x00b"},
		{Environment, "HELVE_PROJECT", "project", "nowhere"}, {Environment, "HELVE_PROJECT", "project", "../x"},
	} {
		s, err := Load(newWorld(t).options(v))
		if !fault.Is(err, fault.NotConfigured) || !strings.Contains(err.Error(), v.Name) || !s.Config.ReadOnly {
			t.Errorf("%+v: %v", v, err)
		}
	}
}

func TestOddFiles(t *testing.T) {
	w := newWorld(t)
	// A directory, and a link out of the workspace, are not read.
	if err := os.Mkdir(w.file(User).Path, 0o755); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(w.dir, "secret.json")
	if err := os.WriteFile(outside, []byte(`{"password":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, w.file(Workspace).Path); err != nil {
		t.Skip(err)
	}
	s, err := Load(w.options())
	if !fault.Is(err, fault.NotConfigured) || len(s.Problems) != 1 || len(s.Unused) != 1 || strings.Contains(err.Error()+s.Warnings[0].String(), "password") {
		t.Error(err, s.Unused)
	}
	w = newWorld(t)
	// A file that is too large is not taken for its beginning.
	w.put(t, User, strings.Repeat(" ", 2<<20)+`{"readonly": true}`)
	if _, err := Load(w.options()); !fault.Is(err, fault.NotConfigured) {
		t.Error(err)
	}
	w.put(t, User, " \n")
	load(t, w.options())
	w.put(t, User, `{"$schema": "x", "files": null, "rules": null, "readonly": null}`)
	load(t, w.options())
}

func TestSet(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.dir, "new", "deep", "config.json")
	for _, kv := range [][2]string{{"switches.memory", "false"}, {"files.require_read", "on"}, {"tools.disabled", `["exec"]`}, {"files.require_read", "off"}} {
		if err := Set(path, kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	const commented = "{\n  \"switches\": {\"memory\":false}, // for now\n  \"files\": {\"require_read\":\"off\"},\n  \"tools\": {\"disabled\":[\"exec\"]}\n}\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Replace(commented, " // for now", "", 1), string(text)); d != "" {
		t.Error(d)
	}
	if err := os.WriteFile(path, []byte(commented), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Set(path, "switches.memory", "true"); err != nil {
		t.Fatal(err)
	}
	text, err = os.ReadFile(path)
	if want := strings.Replace(commented, "false", "true", 1); err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 && os.PathSeparator == '/' {
		t.Error(info, err)
	}
	for _, kv := range [][2]string{{"switch.memory", "true"}, {"switches.memory", "perhaps"}, {"files.require_read", "x"}, {"rules", `[{}]`}, {"tools.disabled", `["a"`}} {
		if err := Set(path, kv[0], kv[1]); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%v: %v", kv, err)
		}
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, text) {
		t.Errorf("%q, %v", after, err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Set(path, "readonly", "true"); !fault.Is(err, fault.NotConfigured) {
		t.Error(err)
	}
}

// FuzzLoad gives a workspace any file: nothing panics, nothing is widened, and
// what Load refuses Validate explains.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(greedy))
	f.Add([]byte(`{"rules":[{"argv":["a"],"decision":"allow","not_match":["b"]}],}`))
	f.Add([]byte(`{"tools":{"bound":[{"bind":[]}]},"$schema":1}`))
	f.Add([]byte(`{"readonly":true,"tools":{"bound":[{"name":"a"},{"name":"b","uses":"read","bind":{}},{"name":"b","uses":"read","bind":{}}]}}`))
	f.Add([]byte("{"))
	dir := f.TempDir()
	w := world{dir}
	for _, sub := range []string{"home", "ws/.helve"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		w.put(t, Workspace, string(text))
		s, err := Load(Options{Files: []File{w.file(Workspace)}})
		problems := validate(text)
		if len(problems) > 0 {
			if err != nil || len(s.Unused) == 0 || len(s.Warnings) == 0 {
				t.Fatalf("%v, %+v", err, s)
			}
			trusted, err := Load(Options{Files: []File{w.file(Workspace)}, Trusted: func(string) bool { return true }})
			if len(trusted.Problems) == 0 && len(trusted.Unused) == 0 || err != nil && (!trusted.Config.ReadOnly || !reflect.DeepEqual(s.Config, defaults())) {
				t.Fatalf("%v, trusted: %v, %+v", s.Config, err, trusted)
			}
			for _, p := range problems {
				if p.Message.IsZero() || p.Line < 1 || p.Column < 1 {
					t.Fatalf("%+v", p)
				}
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		c := s.Config
		if c.Project != "" || len(c.Projects)+len(c.Tools.Bound)+len(c.Tools.Manifests)+len(c.Audit.Mask) > 0 || c.Web.AllowPrivate || c.Files.RequireRead == "off" {
			t.Fatalf("widened: %+v", c)
		}
		for _, r := range c.Rules {
			if r.Widens() {
				t.Fatalf("widened: %+v", r)
			}
		}
		if _, err := policy.New(s.Rules(), policy.Options{Switches: SwitchNames()}); err != nil {
			t.Fatal(err)
		}
		// The published schema refuses nothing that is right.
		if tree, _ := jsonc.Parse(text); tree != nil && tree.Kind == jsonc.Object && !bytes.Contains(text, []byte("null")) {
			published, err := JSONSchema()
			if err != nil {
				t.Fatal(err)
			}
			if err := judge(t, published, tree.JSON()); err != nil {
				t.Fatalf("%s: %v", tree.JSON(), err)
			}
		}
	})
}
