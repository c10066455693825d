package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/scripts/released"
)

// source is the directory of the package in the tree.
const source = "scripts/python"

// assemble returns the wheel of a program. The program lies where installers put
// scripts, so that it is on the PATH and starts without Python.
func assemble(r released.Release, p released.Program, version, platform string) ([]byte, error) {
	entries, err := modules(os.DirFS(filepath.Join(r.Root, filepath.FromSlash(source))), "helve_tools")
	if err != nil {
		return nil, err
	}
	binary, err := os.ReadFile(p.File)
	if err != nil {
		return nil, err
	}
	name, windows := "helve", strings.HasPrefix(p.Platform, "windows/")
	if windows {
		name += ".exe"
	}
	prefix := "helve_tools-" + version
	entries = append(entries, released.Entry{Name: prefix + ".data/scripts/" + name, Data: binary, Mode: 0o755})

	if !windows { // whose shell looks for neither
		share, err := r.Share()
		if err != nil {
			return nil, err
		}
		for _, e := range share {
			e.Name = prefix + ".data/data/share/" + e.Name
			entries = append(entries, e)
		}
	}
	read := func(file string) (text []byte) {
		if err == nil {
			text, err = os.ReadFile(filepath.Join(r.Root, filepath.FromSlash(file)))
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
		released.Entry{Name: info + "METADATA", Data: slices.Concat(head, []byte("Version: "+version+"\n\n"), body), Mode: 0o644},
		released.Entry{Name: info + "WHEEL", Data: []byte("Wheel-Version: 1.0\nGenerator: helve\nRoot-Is-Purelib: false\n" + tags.String()), Mode: 0o644},
		released.Entry{Name: info + "licenses/LICENSE", Data: license, Mode: 0o644},
	)
	slices.SortFunc(entries[:len(entries)-3], func(a, b released.Entry) int { return cmp.Compare(a.Name, b.Name) })
	entries = append(entries, released.Entry{Name: info + "RECORD", Data: record(entries, info+"RECORD"), Mode: 0o644})
	return released.Zip(entries)
}

// modules returns the files of a package, without what running it leaves.
func modules(tree fs.FS, dir string) (entries []released.Entry, err error) {
	err = fs.WalkDir(tree, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ext := path.Ext(name); ext != ".py" && path.Base(name) != "py.typed" {
			return nil
		}
		data, err := fs.ReadFile(tree, name)
		entries = append(entries, released.Entry{Name: name, Data: data, Mode: 0o644})
		return err
	})
	if err == nil && len(entries) == 0 {
		err = fmt.Errorf("%s has no modules", dir)
	}
	return entries, err
}

// record returns the list of the files with their hashes. The list itself has none.
func record(entries []released.Entry, self string) []byte {
	var b bytes.Buffer
	for _, e := range entries {
		sum := sha256.Sum256(e.Data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", e.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.Data))
	}
	fmt.Fprintf(&b, "%s,,\n", self)
	return b.Bytes()
}
