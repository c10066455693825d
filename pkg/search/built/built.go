// Package built distinguishes build output from files that somebody wrote. Deleting
// output loses nothing that a program would not make again.
package built

import (
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/files/gitindex"
	"github.com/helve-dev/helve/pkg/search/ignore"
	"github.com/helve-dev/helve/pkg/workspace"
)

// named reports whether a directory of this name usually holds generated files: output,
// installed dependencies, caches.
func named(dir string) bool {
	switch dir {
	case "node_modules", "bower_components", // npm, bower
		"dist", "build", "_build", "out", "target", "obj", // compilers and bundlers
		"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".venv", "venv", ".eggs", "htmlcov", // Python
		".next", ".nuxt", ".svelte-kit", ".turbo", ".parcel-cache", ".nyc_output", "coverage", // JavaScript
		".gradle", ".dart_tool", "DerivedData": // Gradle, Dart, Xcode
		return true
	}
	return strings.HasSuffix(dir, ".egg-info")
}

// Output reports whether the entry at rel, a path from the root without links in it, is
// build output or in a directory of it: the directory has a known name, git ignores it
// and tracks nothing in it, and no repository starts between it and the entry. global are
// the person's own ignore rules. In doubt it is not output.
func Output(root *workspace.Root, global []byte, rel string) bool {
	above, top := root.IgnoresAbove()
	stack := ignore.New(ignore.Parse(global), top)
	repository := "." // the top of the repository, from the root
	known := top != ""
	if top != "" {
		repository = strings.Repeat("../", strings.Count(top, "/")+1)
		if _, fold := root.GitRules(repository); fold {
			stack = stack.Folded()
		}
	}
	for _, f := range above {
		if rules := ignore.Parse(f.Content); f.Exclude {
			stack = stack.AboveExclude(f.Prefix, rules)
		} else {
			stack = stack.Above(f.Prefix, rules)
		}
	}
	output, ignored := "", false
	for dir, rest := ".", rel; ; {
		if isRepository(root, dir) {
			repository, known, output, ignored = dir, true, "", false
		}
		if !ignored {
			stack = stack.Enter(base(dir), rules(root, dir, repository == dir))
		}
		name, next, _ := strings.Cut(rest, "/")
		if name == "" {
			break
		}
		dir, rest = path.Join(dir, name), next
		info, err := root.Lstat(root.At(dir))
		if err != nil || !info.IsDir() {
			break
		}
		ignored = ignored || stack.Match(dir, true)
		if output == "" && ignored && named(name) {
			output = dir
		}
	}
	return output != "" && known && !tracks(root, repository, output)
}

// tracks reports whether a repository may track files of a directory. Both are paths
// from the root. It says yes where the index cannot be read.
func tracks(root *workspace.Root, top, dir string) bool {
	data, ok := root.GitIndex(top)
	if !ok || data == nil {
		return !ok
	}
	index, err := gitindex.Parse(data)
	if err != nil {
		return true
	}
	base := root.Dir()
	below, ok := workspace.RelOS(filepath.Join(base, filepath.FromSlash(dir)), filepath.Join(base, filepath.FromSlash(top)))
	return !ok || index.Below(below)
}

// base returns how many bytes of a path from the root come before the name of an
// entry of dir.
func base(dir string) int {
	if dir == "." {
		return 0
	}
	return len(dir) + 1
}

func isRepository(root *workspace.Root, dir string) bool {
	_, err := root.Lstat(root.At(path.Join(dir, ".git")))
	return err == nil
}

// rules returns the rules that git reads in a directory.
func rules(root *workspace.Root, dir string, top bool) ignore.Directory {
	d := ignore.Directory{Git: ignore.Parse(content(root, root.At(path.Join(dir, ".gitignore")))), Repository: top}
	if top {
		exclude, fold := root.GitRules(dir)
		d.Exclude, d.Fold = ignore.Parse(exclude), fold
	}
	return d
}

// content returns the content of a small file; nil if there is none.
func content(root *workspace.Root, file workspace.Path) []byte {
	if info, err := root.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := root.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, workspace.IgnoreFileBytes))
	if err != nil {
		return nil
	}
	return text
}
