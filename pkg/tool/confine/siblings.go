package confine

import (
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace"
)

// manifests are the files by which a directory is known as a project.
var manifests = [...]string{
	"go.mod", "package.json", "Cargo.toml", "pyproject.toml", "setup.py", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts",
	"CMakeLists.txt", "composer.json", "Gemfile", "mix.exs", "pubspec.yaml",
}

// namers are the files of a workspace that name projects beside it, as in
// "replace example.org/lib => ../lib".
var namers = [...]string{
	"go.work", "go.mod", "package.json", "pnpm-workspace.yaml", "tsconfig.json", "Cargo.toml", "pyproject.toml", "requirements.txt", "setup.cfg", "pom.xml",
	"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "CMakeLists.txt", "composer.json", "Gemfile", "mix.exs", "pubspec.yaml",
}

const (
	maxNamer    = 256 << 10 // bytes that are read of such a file
	maxSiblings = 64        // projects, and modules of the workspace, that count
)

// siblings returns the projects outside the workspace that its own files name and its
// node_modules link to. Whoever writes the workspace chooses them, so each must be a
// project: it has a manifest, and no hidden directory leads to it.
func (p *Sandboxed) siblings() (all []string) {
	closed := p.withheld()
	if !within(p.Root.Dir(), closed) {
		return nil // nothing beside it is withheld
	}
	add := func(target string) {
		if len(all) >= maxSiblings || workspace.WithinOS(target, p.Root.Dir()) {
			return
		}
		real, err := filepath.EvalSymlinks(target)
		if err != nil {
			return
		}
		if info, err := os.Stat(real); err == nil && !info.IsDir() {
			real = filepath.Dir(real) // as of ../tsconfig.base.json
		}
		if within(real, closed) && !p.general(real) && !p.hidden(real, closed) && isProject(real) {
			all = append(all, filepath.Clean(target), real)
		}
	}
	dirs := []string{"."}
	for i := 0; i < len(dirs); i++ {
		dir := dirs[i]
		for _, name := range namers {
			rel := path.Join(dir, name)
			for _, word := range pathsOf(p.text(rel)) {
				target := filepath.FromSlash(word)
				if filepath.IsAbs(target) {
					if name != "go.work" && name != "go.mod" {
						continue
					}
				} else {
					target = filepath.Join(p.Root.Path(dir), target)
				}
				below, inside := p.Root.Rel(target)
				switch {
				case !inside:
					add(target)
				case name == "go.work" && below != "." && len(dirs) < maxSiblings:
					dirs = append(dirs, below)
				}
			}
		}
	}
	for _, link := range p.linked("node_modules") {
		add(link)
	}
	return all
}

// linked returns where the links in a directory of packages lead, and those in its scopes.
func (p *Sandboxed) linked(dir string) (all []string) {
	entries, err := os.ReadDir(p.Root.Path(dir))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.Type()&os.ModeSymlink != 0:
			if target, err := os.Readlink(p.Root.Path(name)); err == nil {
				if !filepath.IsAbs(target) {
					target = filepath.Join(p.Root.Path(dir), target)
				}
				all = append(all, target)
			}
		case e.IsDir() && e.Name()[0] == '@':
			all = append(all, p.linked(name)...)
		}
	}
	return all
}

// hidden reports whether a name between a withheld directory and a path begins with a dot.
func (p *Sandboxed) hidden(path string, closed []string) bool {
	for _, dir := range closed {
		if rel, ok := workspace.RelOS(path, dir); ok {
			return strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.")
		}
	}
	return true
}

func isProject(dir string) bool {
	for _, name := range manifests {
		if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// pathsOf returns the words of a text that are paths which begin with a dot or a slash.
func pathsOf(text string) (all []string) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`()[]{}<>,;=", r) }) {
		for _, scheme := range [...]string{"file:", "link:", "portal:", "workspace:"} {
			word = strings.TrimPrefix(word, scheme)
		}
		if strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../") || word == ".." || strings.HasPrefix(word, "/") && len(word) > 1 && word[1] != '/' {
			all = append(all, word)
		}
	}
	return all
}

// text returns the beginning of a file of the workspace, "" without one.
func (p *Sandboxed) text(rel string) string {
	if _, err := os.Lstat(p.Root.Path(rel)); err != nil {
		return "" // as most, and to open it would look for similar names
	}
	f, err := p.Root.Open(p.Root.At(rel))
	if err != nil {
		return ""
	}
	defer f.Close()
	text := make([]byte, maxNamer)
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	return string(text[:n])
}
