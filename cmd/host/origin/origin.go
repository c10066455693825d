// Package origin finds out how a copy of helve was installed, by where it lies and by what
// its installer left beside it or in its database. It asks no program.
package origin

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// By names the installer of a copy.
type By string

// The ways to install helve.
const (
	Deb       By = "deb"
	RPM       By = "rpm"
	APK       By = "apk"
	Homebrew  By = "brew"
	Scoop     By = "scoop"
	Winget    By = "winget"
	NPM       By = "npm"
	Pip       By = "pip"
	Pipx      By = "pipx"
	UV        By = "uv"
	Go        By = "go"        // go install
	Container By = "container" // the image that a release has
	Archive   By = "archive"   // of a release, unpacked by install.sh or by hand
	Source    By = "source"    // built from a checkout
)

// Origin describes the installation of a copy.
type Origin struct {
	By       By     `json:"by"`
	Path     string `json:"path"`              // of the program, without links
	Evidence string `json:"evidence,omitzero"` // the file or directory that shows it
	// argument completes the command for an upgrade, such as the name of a package.
	argument string
}

// Copy is a copy of helve.
type Copy struct {
	Program string           // its path, absolute, without links
	Root    fs.FS            // the root of the file system that it is in
	Info    *debug.BuildInfo // what Go has noted in it; nil if nothing
	Release bool             // it is of a release
}

// Find returns how a copy was installed. A file that cannot be read is no evidence.
func Find(c Copy) Origin {
	where := place{c.Root, filepath.ToSlash(c.Program), len(filepath.VolumeName(c.Program))}
	for _, look := range [...]func(place) (Origin, bool){byPath, node, python, image, database} {
		if o, found := look(where); found {
			o.Path = c.Program
			return o
		}
	}
	switch {
	case c.Info != nil && c.Info.Main.Sum != "":
		return Origin{By: Go, Path: c.Program, Evidence: c.Info.Main.Path + "@" + c.Info.Main.Version}
	case !c.Release:
		return Origin{By: Source, Path: c.Program}
	}
	return Origin{By: Archive, Path: c.Program, argument: filepath.Dir(c.Program)}
}

// place is the location of a program.
type place struct {
	root    fs.FS
	program string // with slashes
	volume  int    // the length of its volume's name, in bytes
}

// read returns the text of a file; "" where it cannot be read.
func (p place) read(file string) string {
	text, err := fs.ReadFile(p.root, p.name(file))
	if err != nil {
		return ""
	}
	return string(text)
}

func (p place) exists(file string) bool {
	_, err := fs.Stat(p.root, p.name(file))
	return err == nil
}

// name returns the name of a file in root.
func (p place) name(file string) string {
	if strings.HasPrefix(file, p.program[:p.volume]) {
		file = file[p.volume:]
	}
	return cmp.Or(strings.TrimPrefix(path.Clean(file), "/"), ".")
}

// upTo returns the beginning of the program's path that ends with a part, in any case: the
// names of Windows have none.
func (p place) upTo(part string) (string, bool) {
	i := strings.Index(strings.ToLower(p.program), strings.ToLower(part))
	if i < 0 {
		return "", false
	}
	return strings.TrimSuffix(p.program[:i+len(part)], "/"), true
}

// byPath knows the directories that package managers have for themselves.
func byPath(p place) (Origin, bool) {
	for _, d := range [...]struct {
		part     string
		by       By
		argument string
	}{
		{"/Caskroom/helve/", Homebrew, "--cask"},
		{"/Cellar/helve/", Homebrew, ""},
		{"/Microsoft/WinGet/Packages/HelveDev.Helve_", Winget, ""},
		{"/scoop/apps/helve/", Scoop, ""},
	} {
		if dir, found := p.upTo(d.part); found {
			return Origin{By: d.by, Evidence: dir, argument: d.argument}, true
		}
	}
	dir := path.Dir(p.program) // Scoop's own directory may have any name
	if path.Base(path.Dir(dir)) == "helve" && p.exists(dir+"/manifest.json") && p.exists(dir+"/install.json") {
		return Origin{By: Scoop, Evidence: dir + "/install.json"}, true
	}
	return Origin{}, false
}

// node knows the packages of npm, which have a name of the platform each.
func node(p place) (Origin, bool) {
	const modules = "/node_modules/"
	dir := path.Dir(path.Dir(p.program))
	manifest := dir + "/package.json"
	if !strings.HasSuffix(path.Dir(dir), modules+"@helve") || !strings.Contains(p.read(manifest), `"@helve/`) {
		return Origin{}, false
	}
	o := Origin{By: NPM, Evidence: manifest}
	above := dir[:strings.Index(dir, modules)]
	switch {
	case strings.Contains(above, "/_npx/"):
		o.argument = "npx"
	case path.Base(above) == "lib" || path.Base(above) == "npm": // PREFIX/lib on Unix, AppData/npm on Windows
		o.argument = "--global"
	}
	return o, true
}

// image knows the container image, whose only file of this name says what it is.
func image(p place) (Origin, bool) {
	const file = "/usr/share/helve/image"
	name := strings.TrimSpace(p.read(file))
	return Origin{By: Container, Evidence: file, argument: name}, name != ""
}

// quoted returns a path as shells read it.
func quoted(file string) string {
	q, err := syntax.Quote(file, syntax.LangBash)
	if err != nil { // no shell can name such a file
		return file
	}
	return q
}
