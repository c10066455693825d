package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/scripts/released"
)

// programs returns a release with a file for each platform, with the platform as its text.
func programs(t *testing.T, platforms ...string) released.Release {
	t.Helper()
	r := released.Release{Version: "v1.2.3"}
	for _, p := range platforms {
		file := filepath.Join(t.TempDir(), "helve")
		if err := os.WriteFile(file, []byte(p), 0o600); err != nil {
			t.Fatal(err)
		}
		r.Programs = append(r.Programs, released.Program{File: file, Platform: p})
	}
	return r
}

// files returns the files of a tar archive and their modes.
func files(t *testing.T, archive io.Reader) (texts map[string]string, modes map[string]int64) {
	t.Helper()
	texts, modes = map[string]string{}, map[string]int64{}
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return texts, modes
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		texts[h.Name], modes[h.Name] = string(text), h.Mode
	}
}

// TestPack follows the digests from the index to the programs.
func TestPack(t *testing.T) {
	r := programs(t, "linux/amd64", "darwin/arm64", "linux/arm64", "windows/amd64")
	out, again := t.TempDir(), t.TempDir()
	for _, dir := range []string{out, again} {
		if err := pack(r, dir); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(out, "helve_1.2.3_image.tar"))
	if err != nil {
		t.Fatal(err)
	}
	if other, err := os.ReadFile(filepath.Join(again, "helve_1.2.3_image.tar")); err != nil || !bytes.Equal(data, other) {
		t.Errorf("the image differs when it is packed again: %v", err)
	}
	texts, _ := files(t, bytes.NewReader(data))
	blob := func(d descriptor) string {
		text, there := texts["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		sum := sha256.Sum256([]byte(text))
		if !there || len(text) != d.Size || "sha256:"+hex.EncodeToString(sum[:]) != d.Digest {
			t.Fatalf("the blob of %+v has %d bytes and another digest", d, len(text))
		}
		return text
	}
	parse := func(text string, into any) {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	var top, index manifest
	parse(texts["index.json"], &top)
	parse(blob(top.Manifests[0]), &index)
	if len(index.Manifests) != 2 || top.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "1.2.3" {
		t.Fatalf("%+v, %+v", top, index)
	}
	for _, d := range index.Manifests {
		var image manifest
		var config struct {
			Architecture string
			Config       struct {
				Entrypoint []string
				User       string
			}
			RootFS struct {
				DiffIDs []string `json:"diff_ids"`
			}
		}
		parse(blob(d), &image)
		parse(blob(*image.Config), &config)
		z, err := gzip.NewReader(strings.NewReader(blob(image.Layers[0])))
		if err != nil {
			t.Fatal(err)
		}
		layer, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if config.RootFS.DiffIDs[0] != "sha256:"+digest(layer) || config.Architecture != d.Platform.Architecture || config.Config.User == "" {
			t.Errorf("%+v is not of %+v", config, d)
		}
		texts, modes := files(t, bytes.NewReader(layer))
		program := strings.TrimPrefix(config.Config.Entrypoint[0], "/")
		if texts[program] != "linux/"+d.Platform.Architecture || modes[program] != 0o755 || texts["usr/share/helve/image"] != Name+"\n" {
			t.Errorf("the program is %q, mode %o", texts[program], modes[program])
		}
		if n := strings.Count(texts["etc/ssl/certs/ca-certificates.crt"], "BEGIN CERTIFICATE"); n < 100 {
			t.Errorf("there are %d certificates", n)
		}
	}
}

// TestSkopeo has skopeo copy the image, which checks every digest and type.
func TestSkopeo(t *testing.T) {
	skopeo, err := exec.LookPath("skopeo")
	if err != nil {
		t.Skip("no skopeo")
	}
	out := t.TempDir()
	if err := pack(programs(t, "linux/amd64", "linux/arm64"), out); err != nil {
		t.Fatal(err)
	}
	source := "oci-archive:" + filepath.Join(out, "helve_1.2.3_image.tar") + ":1.2.3"
	for _, args := range [][]string{
		{"copy", "--all", source, "dir:" + t.TempDir()},
		{"copy", "--override-arch", "arm64", "--override-os", "linux", source, "docker-archive:" + filepath.Join(out, "arm64.tar") + ":" + Name + ":1.2.3"},
	} {
		if said, err := exec.CommandContext(t.Context(), skopeo, append([]string{"--insecure-policy"}, args...)...).CombinedOutput(); err != nil {
			t.Errorf("skopeo %s: %v\n%s", args, err, said)
		}
	}
}

func TestPackRefuses(t *testing.T) {
	absent := programs(t, "linux/amd64")
	absent.Programs[0].File += "~"
	unnamed := programs(t, "linux/amd64")
	unnamed.Version = ""
	for name, r := range map[string]released.Release{
		"no program for Linux": programs(t, "darwin/arm64"), "no program": absent, "no version": unnamed,
	} {
		if err := pack(r, t.TempDir()); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}
