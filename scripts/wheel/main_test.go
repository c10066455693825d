package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/scripts/released"
)

func TestPythonVersion(t *testing.T) {
	for in, want := range map[string]string{
		"1.2.3": "1.2.3", "v0.10.0": "0.10.0", "1.2.3-rc.1": "1.2.3rc1", "1.2.3-beta.12": "1.2.3b12", "1.2.3-alpha.0": "1.2.3a0",
		"0.1.1-next": "0.1.1.dev0", "0.1.1-rc": "0.1.1.dev0", "1.2": "", "1.2.3.4": "", "1.2.x": "", "": "", "dev": "", "1..3": "",
	} {
		if got, err := pythonVersion(in); got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v, want %q", in, got, err, want)
		}
	}
}

// TestReleased packs what goreleaser lists, twice, and reads a wheel as an installer
// does.
func TestReleased(t *testing.T) {
	dist := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dist, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	put("metadata.json", `{"project_name":"helve","version":"1.2.3-rc.1"}`)
	artifacts := []string{`{"path":"dist/helve.tar.gz","type":"Archive","goos":"linux","goarch":"amd64"}`}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
		system, machine, _ := strings.Cut(platform, "/")
		file := put("helve_"+system+machine, platform)
		artifacts = append(artifacts, fmt.Sprintf(`{"path":%q,"type":"Binary","goos":%q,"goarch":%q}`, filepath.ToSlash(file), system, machine))
	}
	put("artifacts.json", "["+strings.Join(artifacts, ",")+"]")

	programs, version, err := released.Programs(dist)
	if err != nil {
		t.Fatal(err)
	}
	release := released.Release{Root: "../..", Version: version, Programs: programs, Assets: assets(t)}
	var wheels [2][]string
	for i := range wheels {
		out := filepath.Join(dist, fmt.Sprint("wheels", i))
		if err := pack(release, out); err != nil {
			t.Fatal(err)
		}
		if wheels[i], err = filepath.Glob(out + "/*.whl"); err != nil || len(wheels[i]) != 6 {
			t.Fatalf("%v, %v", wheels[i], err)
		}
	}
	for i, file := range wheels[0] {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := os.ReadFile(wheels[1][i]); err != nil || !bytes.Equal(data, again) {
			t.Errorf("%s differs when it is packed again: %v", file, err)
		}
		check(t, filepath.Base(file), data)
	}
}

// assets returns a directory as scripts/assets writes it, with two pages.
func assets(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range []string{"completions/helve.bash", "completions/helve.zsh", "completions/helve.fish", "man/helve.1.gz", "man/helve-read.1.gz", "man/helve-config.5.gz"} {
		name := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// check compares a wheel with its own RECORD and its name.
func check(t *testing.T, name string, data []byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || texts[f.Name] != "" {
			t.Errorf("%s: %s: %v, or there are two", name, f.Name, err)
		}
		texts[f.Name] = string(text)
		if executable := f.Mode()&0o111 != 0; executable != strings.Contains(f.Name, "/scripts/") || !f.Mode().IsRegular() {
			t.Errorf("%s: %s has mode %v", name, f.Name, f.Mode())
		}
	}
	const info = "helve_tools-1.2.3rc1.dist-info/"
	var recorded []string
	for line := range strings.SplitSeq(strings.TrimSuffix(texts[info+"RECORD"], "\n"), "\n") {
		fields := strings.Split(line, ",")
		recorded = append(recorded, fields[0])
		sum := sha256.Sum256([]byte(texts[fields[0]]))
		want := []string{fields[0], "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]), fmt.Sprint(len(texts[fields[0]]))}
		if fields[0] == info+"RECORD" {
			want = []string{fields[0], "", ""}
		}
		if !slices.Equal(fields, want) {
			t.Errorf("%s: RECORD has %v, want %v", name, fields, want)
		}
	}
	if len(recorded) != len(z.File) {
		t.Errorf("%s: RECORD has %d of %d files", name, len(recorded), len(z.File))
	}
	system, script := "linux", "helve"
	switch {
	case strings.Contains(name, "-macosx"):
		system = "darwin"
	case strings.Contains(name, "-win"):
		system, script = "windows", "helve.exe"
	}
	if got := texts["helve_tools-1.2.3rc1.data/scripts/"+script]; !strings.HasPrefix(got, system+"/") {
		t.Errorf("%s has the program %q", name, got)
	}
	tags := strings.TrimSuffix(strings.TrimPrefix(name, "helve_tools-1.2.3rc1-py3-none-"), ".whl")
	for tag := range strings.SplitSeq(tags, ".") {
		if !strings.Contains(texts[info+"WHEEL"], "Tag: py3-none-"+tag+"\n") {
			t.Errorf("%s: WHEEL lacks the tag %s", name, tag)
		}
	}
	head, body, _ := strings.Cut(texts[info+"METADATA"], "\n\n")
	if !strings.Contains(head, "\nName: helve-tools\n") || !strings.HasSuffix(head, "\nVersion: 1.2.3rc1") || !strings.HasPrefix(body, "# helve-tools") {
		t.Errorf("%s: METADATA is %s", name, texts[info+"METADATA"])
	}
	share := strings.TrimSuffix(info, ".dist-info/") + ".data/data/share/"
	for _, want := range []string{"bash-completion/completions/helve", "fish/vendor_completions.d/helve.fish", "zsh/site-functions/_helve", "man/man1/helve-read.1.gz", "man/man5/helve-config.5.gz"} {
		if _, there := texts[share+want]; there == strings.Contains(name, "win") {
			t.Errorf("%s: that it has %s is %v", name, want, there)
		}
	}
	for _, module := range []string{"helve_tools/__init__.py", "helve_tools/py.typed", "helve_tools/adapters/__init__.py"} {
		if _, there := texts[module]; !there {
			t.Errorf("%s has no %s", name, module)
		}
	}
}

// TestPackRefuses reports what cannot be packed.
func TestPackRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "helve")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	made := assets(t)
	for name, c := range map[string]struct {
		root, version string
		program       released.Program
		assets        string
	}{
		"an unknown platform": {"../..", "1.2.3", released.Program{File: file, Platform: "plan9/amd64"}, ""},
		"no version":          {"../..", "dev", released.Program{File: file, Platform: "linux/amd64"}, ""},
		"no program":          {"../..", "1.2.3", released.Program{File: file + "~", Platform: "linux/amd64"}, ""},
		"no package":          {t.TempDir(), "1.2.3", released.Program{File: file, Platform: "linux/amd64"}, ""},
		"no manual pages":     {"../..", "1.2.3", released.Program{File: file, Platform: "linux/amd64"}, t.TempDir()},
	} {
		r := released.Release{Root: c.root, Version: c.version, Programs: []released.Program{c.program}, Assets: c.assets}
		if r.Assets == "" {
			r.Assets = made
		}
		if err := pack(r, t.TempDir()); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if _, _, err := released.Programs(t.TempDir()); err == nil {
		t.Error("a directory without a release is no error")
	}
}
