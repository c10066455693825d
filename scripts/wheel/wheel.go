package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/scripts/released"
)

// source is where the package is in the tree.
const source = "scripts/python"

// entry is a file of a wheel.
type entry struct {
	name string // with slashes
	data []byte
	mode fs.FileMode
}

// assemble returns the wheel of a program. The program lies where installers put
// scripts, so that it is on the PATH and starts without Python.
func assemble(root string, p released.Program, version, platform string) ([]byte, error) {
	entries, err := modules(os.DirFS(filepath.Join(root, filepath.FromSlash(source))), "helve_tools")
	if err != nil {
		return nil, err
	}
	binary, err := os.ReadFile(p.File)
	if err != nil {
		return nil, err
	}
	name := "helve"
	if strings.HasPrefix(p.Platform, "windows/") {
		name += ".exe"
	}
	prefix := "helve_tools-" + version
	entries = append(entries, entry{prefix + ".data/scripts/" + name, binary, 0o755})

	read := func(file string) (text []byte) {
		if err == nil {
			text, err = os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		}
		return text
	}
	head, body, license := read(source+"/METADATA"), read(source+"/README.md"), read("LICENSE")
	if err != nil {
		return nil, err
	}
	var tags strings.Builder
	for tag := range strings.SplitSeq(platform, ".") {
		tags.WriteString("Tag: py3-none-" + tag + "\n")
	}
	info := prefix + ".dist-info/"
	entries = append(entries,
		entry{info + "METADATA", slices.Concat(head, []byte("Version: "+version+"\n\n"), body), 0o644},
		entry{info + "WHEEL", []byte("Wheel-Version: 1.0\nGenerator: helve\nRoot-Is-Purelib: false\n" + tags.String()), 0o644},
		entry{info + "licenses/LICENSE", license, 0o644},
	)
	slices.SortFunc(entries[:len(entries)-3], func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	entries = append(entries, entry{info + "RECORD", record(entries, info+"RECORD"), 0o644})
	return archive(entries)
}

// modules returns the files of a package, without what running it leaves.
func modules(tree fs.FS, dir string) (entries []entry, err error) {
	err = fs.WalkDir(tree, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ext := path.Ext(name); ext != ".py" && path.Base(name) != "py.typed" {
			return nil
		}
		data, err := fs.ReadFile(tree, name)
		entries = append(entries, entry{name, data, 0o644})
		return err
	})
	if err == nil && len(entries) == 0 {
		err = fmt.Errorf("%s has no modules", dir)
	}
	return entries, err
}

// record returns the list of the files with their hashes. The list itself has none.
func record(entries []entry, self string) []byte {
	var b bytes.Buffer
	for _, e := range entries {
		sum := sha256.Sum256(e.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", e.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.data))
	}
	fmt.Fprintf(&b, "%s,,\n", self)
	return b.Bytes()
}

// archive returns the entries as a ZIP file, without their times.
func archive(entries []entry) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(e.mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(e.data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
