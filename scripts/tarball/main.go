// Command tarball packs the npm packages: helve, which is scripts/node, and for each
// platform one with the program alone, of which npm installs the one that fits. The same
// input gives the same bytes.
//
//	tarball -dist DIR -out DIR                                      what goreleaser built
//	tarball -binary FILE -platform OS/ARCH -version V -out DIR      one program
//
// It runs at the top of the tree. A package is a tar archive, compressed with gzip, of
// files below "package": https://docs.npmjs.com/cli/v11/commands/npm-pack
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/scripts/released"
)

// source is the directory of the package in the tree.
const source = "scripts/node"

func main() { released.Main("tarball", pack) }

// entry is a file of a package.
type entry struct {
	name string // with slashes, below "package"
	data []byte
	mode fs.FileMode
}

// pack writes a package for each program, and the one that depends on them.
func pack(r released.Release, out string) error {
	root, version := r.Root, strings.TrimPrefix(r.Version, "v")
	manifest, err := manifestOf(filepath.Join(root, filepath.FromSlash(source), "package.json"))
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	write := func(name string, entries []entry) error {
		data, err := archive(append(entries, entry{"LICENSE", license, 0o644}))
		if err != nil {
			return err
		}
		file := strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + version + ".tgz"
		fmt.Println(file)
		return os.WriteFile(filepath.Join(out, file), data, 0o644)
	}
	needs := map[string]string{}
	for _, p := range r.Programs {
		if strings.HasSuffix(p.Platform, "/"+released.All) { // there is one for each processor, too
			continue
		}
		system, machine, err := platform(p.Platform)
		if err != nil {
			return err
		}
		name := "@helve/" + system + "-" + machine
		entries, err := forPlatform(p, manifest, name, version, system, machine)
		if err == nil {
			err = write(name, entries)
		}
		if err != nil {
			return err
		}
		needs[name] = version
	}
	manifest["version"], manifest["optionalDependencies"] = version, needs
	entries, err := sources(os.DirFS(filepath.Join(root, filepath.FromSlash(source))))
	if err != nil {
		return err
	}
	pages, err := r.Pages()
	if err != nil {
		return err
	}
	var man []string // npm links these where "man" looks, when it installs for everybody
	for _, page := range pages {
		entries = append(entries, entry{"man/" + page.Name, page.Data, page.Mode})
		man = append(man, "./man/"+page.Name)
	}
	manifest["man"] = man
	text, err := encode(manifest)
	if err != nil {
		return err
	}
	return write("helve", append(entries, entry{"package.json", text, 0o644}))
}

// platform returns the names of npm for a system and a processor.
// https://nodejs.org/api/process.html#processplatform
func platform(p string) (system, machine string, err error) {
	system, machine, _ = strings.Cut(p, "/")
	systems := map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	machines := map[string]string{"amd64": "x64", "arm64": "arm64"}
	if systems[system] == "" || machines[machine] == "" {
		return "", "", fmt.Errorf("no npm package is known for %q", p)
	}
	return systems[system], machines[machine], nil
}

// forPlatform returns the package with the program of a platform.
func forPlatform(p released.Program, manifest map[string]any, name, version, system, machine string) ([]entry, error) {
	program, err := os.ReadFile(p.File)
	if err != nil {
		return nil, err
	}
	file := "bin/helve"
	if system == "win32" {
		file += ".exe"
	}
	text, err := encode(map[string]any{
		"name": name, "version": version, "description": "The program helve for " + system + " " + machine,
		"license": manifest["license"], "repository": manifest["repository"],
		"os": []string{system}, "cpu": []string{machine}, "files": []string{"bin"}, "preferUnplugged": true,
	})
	if err != nil {
		return nil, err
	}
	readme := "# " + name + "\n\nThe program [helve](https://www.npmjs.com/package/helve) for " + system + " " + machine + ". Install the package `helve`, which depends on it.\n"
	return []entry{{file, program, 0o755}, {"README.md", []byte(readme), 0o644}, {"package.json", text, 0o644}}, nil
}

// sources returns the files of the package that users get.
func sources(tree fs.FS) (entries []entry, err error) {
	add := func(name string) error {
		data, err := fs.ReadFile(tree, name)
		mode := fs.FileMode(0o644)
		if path.Dir(name) == "bin" {
			mode = 0o755
		}
		entries = append(entries, entry{name, data, mode})
		return err
	}
	if err := add("README.md"); err != nil {
		return nil, err
	}
	for _, dir := range []string{"bin", "lib"} {
		err := fs.WalkDir(tree, dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			return add(name)
		})
		if err != nil {
			return nil, err
		}
	}
	return entries, nil
}

func manifestOf(file string) (map[string]any, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var manifest map[string]any
	err = json.Unmarshal(text, &manifest)
	return manifest, err
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// archive returns the entries as npm packs them. Their time is the one that npm gives to
// all files.
func archive(entries []entry) ([]byte, error) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, e := range entries {
		err := t.WriteHeader(&tar.Header{
			Name: "package/" + e.name, Mode: int64(e.mode), Size: int64(len(e.data)), Typeflag: tar.TypeReg,
			ModTime: time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC),
		})
		if err == nil {
			_, err = t.Write(e.data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
