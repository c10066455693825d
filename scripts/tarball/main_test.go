package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/scripts/released"
)

// unpack returns the files of a package and their modes.
func unpack(t *testing.T, file string) (files map[string]string, modes map[string]int64) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	files, modes = map[string]string{}, map[string]int64{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, modes
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name], modes[h.Name] = string(content), h.Mode
	}
}

// assets returns a directory as scripts/assets writes it, with two pages.
func assets(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range []string{"completions/helve.bash", "completions/helve.zsh", "completions/helve.fish", "man/helve.1.gz", "man/helve-read.1.gz"} {
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

// TestPack packs programs twice and reads the packages as npm does.
func TestPack(t *testing.T) {
	dir := t.TempDir()
	var programs []released.Program
	names := map[string]string{
		"linux/amd64": "linux-x64", "linux/arm64": "linux-arm64", "darwin/amd64": "darwin-x64",
		"darwin/arm64": "darwin-arm64", "windows/amd64": "win32-x64", "windows/arm64": "win32-arm64",
	}
	for platform := range names {
		file := filepath.Join(dir, names[platform])
		if err := os.WriteFile(file, []byte(platform), 0o600); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, released.Program{File: file, Platform: platform})
	}
	release := released.Release{Root: "../..", Version: "v1.2.3-rc.1", Programs: programs, Assets: assets(t)}
	var sums [2]string
	for i := range sums {
		out := filepath.Join(dir, fmt.Sprint(i))
		if err := pack(release, out); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(out, "helve-1.2.3-rc.1.tgz"))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = string(data)
	}
	if sums[0] != sums[1] {
		t.Error("the same input gave other bytes")
	}
	files, modes := unpack(t, filepath.Join(dir, "0", "helve-1.2.3-rc.1.tgz"))
	var manifest struct {
		Version              string
		OptionalDependencies map[string]string
		Exports              map[string]json.RawMessage
		Bin                  map[string]string
		Man                  []string
	}
	if err := json.Unmarshal([]byte(files["package/package.json"]), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Version != "1.2.3-rc.1" || len(manifest.OptionalDependencies) != len(names) {
		t.Errorf("%+v", manifest)
	}
	for name, text := range manifest.Exports {
		var paths map[string]string
		if json.Unmarshal(text, &paths) != nil {
			continue // it is one path: itself
		}
		for kind, file := range paths {
			if _, packed := files["package/"+file[2:]]; !packed {
				t.Errorf("%s: %s, its %s, is not in the package", name, file, kind)
			}
		}
	}
	if len(manifest.Man) != 2 {
		t.Errorf("the manual pages are %q", manifest.Man)
	}
	for _, page := range manifest.Man {
		if _, packed := files["package/"+page[2:]]; !packed {
			t.Errorf("%s is not in the package", page)
		}
	}
	if script := "package/" + manifest.Bin["helve"]; modes[script] != 0o755 {
		t.Errorf("%s has mode %o", script, modes[script])
	}
	if _, tests := files["package/tests/package.test.js"]; tests {
		t.Error("the tests are in the package")
	}
	for platform, name := range names {
		if manifest.OptionalDependencies["@helve/"+name] != "1.2.3-rc.1" {
			t.Errorf("no dependency on %s", name)
		}
		files, modes := unpack(t, filepath.Join(dir, "0", "helve-"+name+"-1.2.3-rc.1.tgz"))
		program := "package/bin/helve"
		if name[:3] == "win" {
			program += ".exe"
		}
		if files[program] != platform || modes[program] != 0o755 {
			t.Errorf("%s has %q, mode %o", name, files[program], modes[program])
		}
		var one struct {
			Name    string
			OS, CPU []string
		}
		if err := json.Unmarshal([]byte(files["package/package.json"]), &one); err != nil || one.Name != "@helve/"+name || len(one.OS) != 1 || one.OS[0]+"-"+one.CPU[0] != name {
			t.Errorf("%+v, %v, want %s", one, err, name)
		}
	}
	for what, bad := range map[string]released.Program{
		"an unknown platform": {File: programs[0].File, Platform: "plan9/amd64"},
		"no program":          {File: programs[0].File + "~", Platform: "linux/amd64"},
	} {
		release.Programs = []released.Program{bad}
		if err := pack(release, filepath.Join(dir, "bad")); err == nil {
			t.Errorf("%s was packed", what)
		}
	}
}
