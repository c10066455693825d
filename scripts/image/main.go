// Command image packs the programs for Linux as a container image of all processors: an
// archive in the OCI image layout, which skopeo, podman and docker read. The image has the
// program, the certificates of Mozilla, and nothing else. The same input gives the same
// bytes.
//
//	image -dist DIR -out DIR                                      what goreleaser built
//	image -binary FILE -platform OS/ARCH -version V -out DIR      one program
//
// https://github.com/opencontainers/image-spec describes the format.
package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/scripts/released"
)

// Name is the published name of the image, without the version.
const Name = "ghcr.io/helve-dev/helve"

func main() { released.Main("image", pack) }

// pack writes the image of a release.
func pack(r released.Release, out string) error {
	version := strings.TrimPrefix(r.Version, "v")
	l := layout{}
	var images []descriptor
	for _, p := range r.Programs {
		system, processor, _ := strings.Cut(p.Platform, "/")
		if system != "linux" {
			continue
		}
		program, err := os.ReadFile(p.File)
		if err != nil {
			return err
		}
		image, err := l.image(program, processor, version)
		if err != nil {
			return err
		}
		images = append(images, image)
	}
	if len(images) == 0 || version == "" {
		return fmt.Errorf("there are %d programs for Linux, of version %q", len(images), version)
	}
	data, err := l.archive(images, version)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	file := "helve_" + version + "_image.tar"
	fmt.Println(file)
	return os.WriteFile(filepath.Join(out, file), data, 0o644)
}

// entry is a file of an archive, or a directory, whose name ends with a slash.
type entry struct {
	name string
	data []byte
	mode int64
}

// archived returns entries as a tar archive, without times and owners.
func archived(entries []entry) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.data)), Typeflag: tar.TypeReg}
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		err := w.WriteHeader(h)
		if err == nil {
			_, err = w.Write(e.data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
