package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	_ "image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/scripts/released"
)

// programs returns a file for each platform, with the platform as its text.
func programs(t *testing.T, platforms ...string) (all []released.Program) {
	t.Helper()
	dir := t.TempDir()
	for _, p := range platforms {
		file := filepath.Join(dir, strings.ReplaceAll(p, "/", "-"))
		if err := os.WriteFile(file, []byte(p), 0o600); err != nil {
			t.Fatal(err)
		}
		all = append(all, released.Program{File: file, Platform: p})
	}
	return all
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPack packs a release twice, and reads it as a client and a registry do.
func TestPack(t *testing.T) {
	all := programs(t, "linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "darwin/all", "windows/amd64", "windows/arm64")
	out, again := t.TempDir(), t.TempDir()
	for _, dir := range []string{out, again} {
		if err := pack(released.Release{Root: "../..", Version: "v1.2.3", Programs: all}, dir); err != nil {
			t.Fatal(err)
		}
	}
	const name = "helve_1.2.3.mcpb"
	data := read(t, filepath.Join(out, name))
	if !bytes.Equal(data, read(t, filepath.Join(again, name))) {
		t.Error("the bundle differs when it is packed again")
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
		if executable := f.Mode()&0o111 != 0; executable != strings.HasPrefix(f.Name, "server/") {
			t.Errorf("%s has mode %v", f.Name, f.Mode())
		}
	}
	var m struct {
		Version, Icon string
		Server        struct {
			Entry  string `json:"entry_point"`
			Config struct {
				Command   string
				Args      []string
				Overrides map[string]struct{ Command string } `json:"platform_overrides"`
			} `json:"mcp_config"`
		}
		Tools  []struct{ Name, Description string }
		Config map[string]struct{ Type string } `json:"user_config"`
	}
	if err := json.Unmarshal([]byte(files["manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	if c, kind, err := image.DecodeConfig(strings.NewReader(files[m.Icon])); err != nil || kind != "png" || c.Width != 512 || c.Height != 512 {
		t.Errorf("the icon %q: %s of %+v, %v", m.Icon, kind, c, err)
	}
	if m.Version != "1.2.3" || files[m.Server.Entry] == "" || files["LICENSE"] == "" || m.Config["workspace"].Type != "directory" || len(m.Tools) < 10 {
		t.Errorf("the manifest is %s", files["manifest.json"])
	}
	for system, platform := range map[string]string{"darwin": "darwin/all", "linux": "linux/amd64", "win32": "windows/amd64"} {
		file := strings.TrimPrefix(m.Server.Config.Overrides[system].Command, "${__dirname}/")
		if files[file] != platform {
			t.Errorf("on %s the program is %q", system, files[file])
		}
	}
	judgeServer(t, read(t, filepath.Join(out, "server.json")), name, data)
}

// judgeServer compares server.json with the bundle, and with the npm package that must
// say whose it is.
func judgeServer(t *testing.T, text []byte, bundle string, data []byte) {
	t.Helper()
	var s struct {
		Name, Version, Description string
		Packages                   []struct{ RegistryType, Identifier, Version, FileSHA256 string }
	}
	var npm struct{ Name, MCPName string }
	for into, text := range map[any][]byte{&s: text, &npm: read(t, "../node/package.json")} {
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	if s.Name != npm.MCPName || s.Version != "1.2.3" || len(s.Description) > 100 || len(s.Packages) != 2 {
		t.Fatalf("server.json is %s", text)
	}
	if p := s.Packages[0]; p.RegistryType != "npm" || p.Identifier != npm.Name || p.Version != "1.2.3" {
		t.Errorf("the npm package is %+v", p)
	}
	sum := sha256.Sum256(data)
	if p := s.Packages[1]; p.RegistryType != "mcpb" || !strings.HasSuffix(p.Identifier, "/v1.2.3/"+bundle) || p.FileSHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("the bundle is %+v", p)
	}
}

// TestPackOne packs one program, for whoever tries a bundle.
func TestPackOne(t *testing.T) {
	for _, platform := range []string{"linux/arm64", "darwin/arm64", "windows/amd64"} {
		if err := pack(released.Release{Root: "../..", Version: "1.2.3", Programs: programs(t, platform)}, t.TempDir()); err != nil {
			t.Errorf("%s: %v", platform, err)
		}
	}
}

func TestPackRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		root, version string
		programs      []released.Program
	}{
		"a system without a program": {"../..", "1.2.3", programs(t, "linux/amd64", "windows/amd64")},
		"an unknown system":          {"../..", "1.2.3", programs(t, "plan9/amd64")},
		"no version":                 {"../..", "", programs(t, "linux/amd64")},
		"no program":                 {"../..", "1.2.3", []released.Program{{File: "absent", Platform: "linux/amd64"}}},
		"no tree":                    {t.TempDir(), "1.2.3", programs(t, "linux/amd64")},
	} {
		if err := pack(released.Release{Root: c.root, Version: c.version, Programs: c.programs}, t.TempDir()); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}
