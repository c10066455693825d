// Package pkg_test holds the tests of the structure: which package may import
// which, and that every message speaks both languages.
package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/helve-dev/helve"

// floors are the storeys of the house, lowest first: a package imports only
// lower ones. A trailing "/..." takes every package below a directory.
var floors = [][]string{
	{"pkg/fault", "pkg/limit", "pkg/screen", "pkg/stack"},
	{"pkg/schema", "pkg/jsonc", "pkg/charset", "pkg/secret"},
	{"pkg/workspace", "pkg/policy", "pkg/state"},
	{"pkg/state/journal", "pkg/config", "pkg/approval"},
	{"pkg/manifest"},
	{"pkg/search/scan", "pkg/search/glob"},
	{"pkg/search/ignore", "pkg/search/pattern", "pkg/search/filetype"},
	{"pkg/search/walk", "pkg/search/dfa"},
	{"pkg/search"},
	{"pkg/language", "pkg/diff", "pkg/syntax", "pkg/kind", "pkg/notebook", "pkg/text"},
	{"pkg/web/zstd"},
	{"pkg/web"},
	{"pkg/web/dom", "pkg/web/parse"},
	{"pkg/web/readability", "pkg/web/metadata"},
	{"pkg/web/markdown", "pkg/web/extract"},
	{"pkg/web/page"},
	{"pkg/web/..."},
	{"pkg/tool", "pkg/dialect", "pkg/edit", "pkg/sandbox"},
	{"pkg/textfile", "pkg/patch", "pkg/shell/classify", "pkg/shell/run", "pkg/shell/effect", "pkg/scope"},
	{"pkg/shell/job", "pkg/listing", "pkg/spill"},
	{"pkg/tools/...", "pkg/guard"},
	{"pkg/catalog", "pkg/mcpserver"},
	{"cmd"},
	{"."},
}

// bans are imports and selectors that only some packages may name.
var bans = []struct {
	what   string // an import path, or "package.Name"
	reason string
	only   []string
}{
	{"github.com/spf13/cobra", "only the command line knows its library", []string{"cmd"}},
	{"os/exec", "only these start programs", []string{"pkg/shell/run", "pkg/sandbox", "pkg/agent"}},
	{"http.Client", "only the guarded client reaches the web", web},
	{"http.DefaultClient", "only the guarded client reaches the web", web},
	{"http.DefaultTransport", "only the guarded client reaches the web", web},
	{"http.Transport", "only the guarded client reaches the web", web},
	{"http.Get", "only the guarded client reaches the web", web},
	{"http.Post", "only the guarded client reaches the web", web},
	{"net.Dial", "only the guarded client reaches the web", web},
	{"net.Dialer", "only the guarded client reaches the web", web},
	{"os.Exit", "main alone ends the process", []string{"."}},
	{"os.Stdout", "streams are injected", []string{"."}},
	{"os.Getenv", "the environment is read in one place", []string{"cmd"}},
	{"os.Open", "files are opened by name in one place", openers},
	{"os.OpenFile", "files are opened by name in one place", openers},
	{"os.Create", "files are opened by name in one place", openers},
	{"os.ReadFile", "files are opened by name in one place", openers},
	{"os.WriteFile", "files are opened by name in one place", openers},
	{"os.OpenRoot", "files are opened by name in one place", openers},
	{"regexp.MustCompile", "compiling at start is paid by every call; compile lazily", nil},
}

var openers = []string{"pkg/workspace", "pkg/state", "pkg/config", "pkg/manifest"}

var web = []string{"pkg/web"}

// sources gives the Go files of the product, without tests, by directory.
func sources(t *testing.T) map[string][]*ast.File {
	t.Helper()
	files := map[string][]*ast.File{}
	set := token.NewFileSet()
	for _, top := range []string{"../main.go", "../cmd", "."} {
		err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			dir := path.Join("pkg", filepath.ToSlash(filepath.Dir(name)))
			files[dir] = append(files[dir], f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 10 {
		t.Fatalf("found only %d packages", len(files))
	}
	return files
}

func floorOf(dir string) int {
	for i, floor := range floors {
		for _, p := range floor {
			tree, all := strings.CutSuffix(p, "/...")
			if p == dir || all && strings.HasPrefix(dir, tree+"/") {
				return i
			}
		}
	}
	return -1
}

func TestFloors(t *testing.T) {
	for dir, files := range sources(t) {
		floor := floorOf(dir)
		if floor < 0 {
			t.Errorf("%s has no floor: give it one in floors", dir)
		}
		for _, f := range files {
			for _, spec := range f.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				imported, ours := strings.CutPrefix(imported, module+"/")
				if ours && floorOf(imported) >= floor {
					t.Errorf("%s imports %s, which is not below it", dir, imported)
				}
			}
		}
	}
}

func TestBans(t *testing.T) {
	for dir, files := range sources(t) {
		for _, f := range files {
			for _, ban := range bans {
				if !slices.Contains(ban.only, dir) && names(f, ban.what) {
					t.Errorf("%s names %s: %s", dir, ban.what, ban.reason)
				}
			}
			if dir != "pkg/guard" && calls(f, "Through") {
				t.Errorf("%s runs a tool past the guard", dir)
			}
		}
	}
}

// names reports whether f imports the path what or mentions the selector what.
func names(f *ast.File, what string) bool {
	for _, spec := range f.Imports {
		if imported, _ := strconv.Unquote(spec.Path.Value); imported == what {
			return true
		}
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			found = found || ok && x.Name+"."+s.Sel.Name == what
		}
		return !found
	})
	return found
}

func calls(f *ast.File, method string) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			s, ok := c.Fun.(*ast.SelectorExpr)
			found = found || ok && s.Sel.Name == method
		}
		return !found
	})
	return found
}
