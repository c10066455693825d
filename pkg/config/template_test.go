package config

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// values are the values of all settings.
func values(t *testing.T, text []byte, source Source) map[string]string {
	t.Helper()
	dir := t.TempDir()
	f := File{Source: source, Path: filepath.Join(dir, "config.json"), Root: dir}
	if text != nil {
		if err := os.WriteFile(f.Path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Load(Options{Files: []File{f}})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	all := map[string]string{}
	for _, e := range s.Entries() {
		all[e.Key] = string(e.Value)
	}
	return all
}

// A new file changes no setting, neither as it is nor with every comment turned into what
// it says: the defaults in it are those that helve has. It has every setting, and fits the
// schema that it names.
func TestTemplateChangesNothing(t *testing.T) {
	schemaText, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	want := values(t, nil, User)
	for _, source := range []Source{User, Workspace} {
		for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
			text, err := Template(source, lang, nil)
			if err != nil {
				t.Fatal(err)
			}
			all := regexp.MustCompile(`(?m)^( *)// (".*,)$`).ReplaceAll(text, []byte("$1$2"))
			for _, text := range [][]byte{text, all} {
				if diff := cmp.Diff(want, values(t, text, source)); diff != "" {
					t.Errorf("%s %s: %s", source, lang, diff)
				}
				tree, problems := jsonc.Parse(text)
				if len(problems) > 0 {
					t.Fatalf("%v\n%s", problems, text)
				}
				if err := judge(t, schemaText, tree.JSON()); err != nil {
					t.Errorf("%s: the schema refuses it: %v", source, err)
				}
			}
			tree, _ := jsonc.Parse(all)
			for _, key := range Keys() {
				if has := tree.Path(strings.Split(key, ".")...) != nil; has != (source == User || narrowable(key)) {
					t.Errorf("%s: that it has %s is %v", source, key, has)
				}
			}
			if lang == fault.Chinese && !bytes.Contains(text, []byte("取值：off, auto")) {
				t.Errorf("not Chinese: %s", text)
			}
		}
	}
}

func TestTemplateChoices(t *testing.T) {
	text, err := Template(User, fault.English, []Choice{{"exec.sandbox", "require"}, {"spawn.max_jobs", "2"}, {"exec.deny", `["git push.*"]`}})
	if err != nil {
		t.Fatal(err)
	}
	want := values(t, nil, User)
	delete(want, "exec.deny")
	want["exec.sandbox"], want["spawn.max_jobs"], want["exec.deny.0"] = `"require"`, "2", `"git push.*"`
	if diff := cmp.Diff(want, values(t, text, User)); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ key, text, says string }{
		{"exec.sandbx", "off", "exec.sandbox"}, {"exec.sandbox", "none", "exec.sandbox"}, {"spawn.max_jobs", "many", "spawn.max_jobs"}, {"spawn.max_jobs", "900", "spawn.max_jobs"},
		{"web.proxy", "elsewhere", "web.proxy"},
	} {
		if _, err := Template(User, fault.English, []Choice{{c.key, c.text}}); !fault.Is(err, fault.InvalidArguments) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s=%s: %v", c.key, c.text, err)
		}
	}
}

// Every setting that an untrusted file can change is one that a workspace's file has, and
// no other is.
func TestNarrowable(t *testing.T) {
	some := map[string][]string{
		"exec.allow": {`["ls"]`}, "exec.deny": {`["x"]`}, "search.skip": {`["x"]`}, "tools.disabled": {`["x"]`}, "rules": {`[{"tool":"x","decision":"deny"}]`},
		"project": {"p"}, "web.proxy": {"direct"}, "exec.pass": {`["X"]`}, "exec.writable": {`["/x"]`}, "exec.readable": {`["/x"]`}, "web.allow_addresses": {`["198.18.0.0/15"]`},
		"spawn.model": {"m"}, "spawn.max_jobs": {"1", "64"}, "exec.memory": {"1", "2"}, "exec.temp": {"1", "5000"}, "exec.disk": {"1", "2"}, "store.url": {"nats://x/y"}, "audit.mask": {`["x"]`}, "audit.megabytes": {"1", "64"}, "web.browser": {"", "auto"},
	}
	// Each begins with the value that leaves most to be narrowed.
	widest := Options{Files: []File{{Source: User, Path: filepath.Join(t.TempDir(), "config.json")}}}
	text := `{"files":{"require_read":"off"},"tools":{"imported":"offered"},"policy":{"undoable":"allow"},"web":{"allow_private":true,"browser":"auto"},"exec":{"sandbox":"off","network":"full"}}`
	if err := os.WriteFile(widest.Files[0].Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, key := range Keys() {
		tried := slices.Concat(some[key], Values(key))
		narrows := false
		for _, value := range tried {
			text, err := Template(Workspace, fault.English, []Choice{{key, value}})
			if err != nil {
				continue
			}
			root := t.TempDir()
			wide, err := Widens(widest, File{Source: Workspace, Path: filepath.Join(root, ".helve/config.json"), Root: root}, text)
			if err != nil {
				if key == "project" {
					continue // there is none of that name
				}
				t.Fatalf("%s=%s: %v", key, value, err)
			}
			s, _ := Load(widest)
			before, _ := s.Get(key)
			narrows = narrows || len(wide) == 0 && strings.Trim(string(before.Value), `"`) != value
		}
		if len(tried) > 0 && narrows != narrowable(key) {
			t.Errorf("%s: that a workspace can narrow it is %v", key, narrows)
		}
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	f := File{Source: User, Path: filepath.Join(dir, "a/b/config.json")}
	if err := Create(f, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := Create(f, []byte("two")); !fault.Is(err, fault.AlreadyExists) {
		t.Error(err)
	}
	if text, err := os.ReadFile(f.Path); err != nil || string(text) != "one" {
		t.Errorf("%q, %v", text, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "a/b/*")); err != nil || len(left) != 1 {
		t.Errorf("left %q", left)
	}
	if err := Create(File{Source: User, Path: filepath.Join(f.Path, "below")}, nil); err == nil {
		t.Error("below a file")
	}
	// Whoever writes the repository may have made links.
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, ".helve")); err != nil {
		t.Skip("no symbolic links")
	}
	err := Create(File{Source: Workspace, Path: filepath.Join(root, ".helve/config.json"), Root: root}, []byte("x"))
	if left, _ := os.ReadDir(outside); !fault.Is(err, fault.OutsideWorkspace) || len(left) > 0 {
		t.Errorf("%v, %v", err, left)
	}
	if err := os.Symlink(filepath.Join(outside, "x"), filepath.Join(dir, "config.json")); err != nil {
		t.Fatal(err)
	}
	if err := Create(File{Source: User, Path: filepath.Join(dir, "config.json")}, []byte("x")); !fault.Is(err, fault.AlreadyExists) {
		t.Errorf("a link that leads nowhere: %v", err)
	}
}

// The schema is renewed where helve wrote it, and no other file is replaced.
func TestWriteSchema(t *testing.T) {
	f := File{Source: User, Path: filepath.Join(t.TempDir(), "config.json")}
	path, err := WriteSchema(f)
	if err != nil || path != filepath.Join(filepath.Dir(f.Path), schemaFile) {
		t.Fatal(path, err)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{string(want), `{"title": "helve configuration"}`} {
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := WriteSchema(f)
		if got, _ := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%.40s: %v, %.40s", before, err, got)
		}
	}
	if err := os.WriteFile(path, []byte(`{"title": "mine"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteSchema(f); !fault.Is(err, fault.AlreadyExists) {
		t.Error(err)
	}
}
