// Command outline compares package outline with Universal Ctags on real source files
// of twelve languages: how many of the definitions that ctags knows it finds, in the
// right line, and how many of those that it finds ctags does not know. One half of the
// files was looked at while the package was written, the other was not.
//
//	scripts/run benchmarks/outline [-dir DIR] [-language NAME] [-misses N] [-half seen|held]
//
// It downloads, or takes from DIR where an earlier run kept them, about 60 MB of
// sources: see corpus.go. It needs ctags, apt-get, npm, pip, cargo and git.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/files/outline"
)

// spoken is a language of the comparison.
type spoken struct {
	name, ctags string
	extensions  []string
	// kinds are those of ctags that count: what has a name and a body. Variables,
	// fields and constants are in few outlines.
	kinds string
}

func languages() []spoken {
	return []spoken{
		{"Go", "Go", []string{".go"}, "func type struct interface talias const var methodSpec"},
		{"Python", "Python", []string{".py"}, "class function member"},
		{"JavaScript", "JavaScript", []string{".js"}, "function class method generator getter setter"},
		{"TypeScript", "TypeScript", []string{".ts"}, "function class interface enum method namespace alias generator"},
		{"Java", "Java", []string{".java"}, "annotation class enum interface method"},
		{"C", "C", []string{".c"}, "function enum struct typedef union"},
		{"C++", "C++", []string{".cc", ".cpp", ".hpp"}, "class function enum namespace struct typedef union"},
		{"C#", "C#", []string{".cs"}, "class enum interface method namespace property struct"},
		{"Rust", "Rust", []string{".rs"}, "module struct interface implementation function enum typedef macro method variable"},
		{"Ruby", "Ruby", []string{".rb"}, "class method module singletonMethod"},
		{"PHP", "PHP", []string{".php"}, "class function interface namespace trait"},
		{"Markdown", "Markdown", []string{".md"}, "chapter section subsection subsubsection l4subsection l5subsection"},
	}
}

func main() {
	log.SetFlags(0)
	if err := bench(); err != nil {
		log.Fatal(err)
	}
}

func bench() (err error) {
	dir := flag.String("dir", "", "directory that keeps the downloads (default: a temporary one, removed at the end)")
	only := flag.String("language", "", "only this language")
	misses := flag.Int("misses", 0, "show so many differences of each language")
	half := flag.String("half", "", "only the files that were looked at (seen), or the others (held)")
	each := flag.Int("files", 50, "files of each language")
	flag.Parse()
	if *dir == "" {
		temporary, err := os.MkdirTemp("", "helve-outline-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
		*dir = temporary
	}
	if err := fetch(*dir); err != nil {
		return err
	}
	fmt.Println("language    files   lines   top-level        nested           unknown to ctags   ms/1,000 lines")
	for _, name := range []string{"seen", "held"} {
		if *half != "" && *half != name {
			continue
		}
		fmt.Printf("%s half\n", name)
		var sum score
		for _, l := range languages() {
			if *only != "" && l.name != *only {
				continue
			}
			files, err := sample(*dir, l, *each, name)
			if err != nil {
				return err
			}
			s, err := compare(l, files, *misses)
			if err != nil {
				return err
			}
			s.print(l.name)
			sum.add(s)
		}
		sum.print("all")
	}
	return nil
}

// sample draws files by the hash of their paths, for one half of them: the other half
// has the other parity.
func sample(dir string, l spoken, n int, half string) (paths []string, err error) {
	type file struct {
		path string
		hash uint32
	}
	var files []file
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(l.extensions, filepath.Ext(path)) || strings.Contains(path, ".min.") {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Size() < 1000 || info.Size() > 200_000 {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		h := fnv.New32a()
		h.Write([]byte(relative))
		if sum := h.Sum32(); (sum%2 == 0) == (half == "seen") {
			files = append(files, file{path, sum / 2})
		}
		return nil
	})
	slices.SortFunc(files, func(a, b file) int { return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(a.path, b.path)) })
	for _, f := range files[:min(len(files), n/2)] {
		paths = append(paths, f.path)
	}
	return paths, err
}

// tag is a line of ctags.
type tag struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Kind      string `json:"kind"`
	Scope     string `json:"scope"`
	ScopeKind string `json:"scopeKind"`
}

// tags returns the symbols that ctags finds, by file.
func tags(l spoken, files []string) (map[string][]tag, error) {
	cmd := exec.CommandContext(context.Background(), "ctags", "--quiet", "--options=NONE", "--language-force="+l.ctags, "--kinds-all=*", "--fields=+ns",
		"--output-format=json", "-L", "-", "-o", "-")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	all := map[string][]tag{}
	in := bufio.NewScanner(bytes.NewReader(out))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var t tag
		if err := json.Unmarshal(in.Bytes(), &t); err != nil {
			return nil, err
		}
		all[t.Path] = append(all[t.Path], t)
	}
	return all, in.Err()
}

type score struct {
	files, lines         int
	top, topOf           int
	nested, nestedOf     int
	unknown, definitions int
	spent                time.Duration
}

func (s *score) add(o score) {
	s.files += o.files
	s.lines += o.lines
	s.top += o.top
	s.topOf += o.topOf
	s.nested += o.nested
	s.nestedOf += o.nestedOf
	s.unknown += o.unknown
	s.definitions += o.definitions
	s.spent += o.spent
}

func (s *score) print(name string) {
	share := func(n, of int) string {
		return fmt.Sprintf("%5.1f%% of %-5d", 100*float64(n)/float64(max(of, 1)), of)
	}
	fmt.Printf("%-10s %6d %7d   %s  %s  %s     %.2f\n", name, s.files, s.lines, share(s.top, s.topOf), share(s.nested, s.nestedOf),
		share(s.unknown, s.definitions), s.spent.Seconds()*1e6/float64(max(s.lines, 1)))
}

// key identifies a symbol in a comparison.
type key struct {
	name string
	line int
}

func compare(l spoken, files []string, misses int) (score, error) {
	s := score{files: len(files)}
	judged, err := tags(l, files)
	if err != nil {
		return s, err
	}
	say := func(format string, a ...any) {
		if misses > 0 {
			misses--
			fmt.Printf(format, a...)
		}
	}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			return s, err
		}
		source := string(raw)
		lines := strings.Split(source, "\n")
		s.lines += strings.Count(source, "\n")
		var defs []outline.Definition
		best := time.Duration(math.MaxInt64) // of some runs: others use this machine too
		for range 5 {
			began := time.Now()
			defs = outline.Outline(l.name, source)
			best = min(best, time.Since(began))
		}
		s.spent += best
		ours := map[key]bool{}
		known := map[key]bool{}
		for path := range outline.All(defs) {
			d := path[len(path)-1]
			ours[key{plain(d.Name), d.Line}] = true
		}
		for _, t := range judged[path] {
			k := key{plain(t.Name), t.Line}
			known[k] = true
			if !slices.Contains(strings.Fields(l.kinds), t.Kind) || mistaken(l, t, lines) {
				continue
			}
			hit := ours[k]
			if !hit {
				say("  missed: %s:%d %s (%s) in %s\n", path, t.Line, t.Name, t.Kind, t.Scope)
			}
			counter, of := &s.nested, &s.nestedOf
			if t.Scope == "" || t.ScopeKind == "namespace" || t.ScopeKind == "package" || l.name == "Go" && t.Kind != "n" {
				counter, of = &s.top, &s.topOf
			}
			*of++
			if hit {
				*counter++
			}
		}
		for of := range outline.All(defs) {
			d := of[len(of)-1]
			if d.Kind == "object" || d.Kind == "macro" {
				continue
			}
			s.definitions++
			if !known[key{plain(d.Name), d.Line}] {
				s.unknown++
				say("  unknown: %s:%d %s %s\n", path, d.Line, d.Kind, d.Name)
			}
		}
	}
	return s, nil
}

// mistaken reports whether a tag is none that an outline should have: a name that ctags
// makes up, or a word of the language that this version of ctags takes for a name.
func mistaken(l spoken, t tag, lines []string) bool {
	lower := strings.ToLower(t.Name)
	if strings.HasPrefix(lower, "__anon") || strings.HasPrefix(lower, "anonymous") {
		return true
	}
	switch l.name {
	case "Java":
		return t.Name == "try" || strings.Contains(t.Name, ".") // try (resource) {, and calls
	case "C#":
		// { get; set; } in several lines, and calls
		return slices.Contains([]string{"get", "set", "lock", "finally"}, t.Name) || t.Kind == "method" && strings.Contains(t.Name, ".") ||
			strings.Contains(lines[t.Line-1], "throw new")
	case "TypeScript":
		return t.Kind == "alias" && !strings.Contains(lines[t.Line-1], "=") // import { type X }
	case "JavaScript":
		// An object that has nothing but values, such as a table of messages.
		return t.Kind == "class" && !strings.Contains(lines[t.Line-1], "class") && !strings.Contains(lines[t.Line-1], "function")
	}
	return false
}

// plain returns the last part of a name, without what the two write differently.
func plain(name string) string {
	if i := strings.LastIndex(name, " for "); i >= 0 {
		name = name[i+len(" for "):]
	}
	if i := strings.IndexByte(name, '<'); i > 0 && !strings.Contains(name, "operator") {
		name = name[:i]
	}
	if i := strings.LastIndexAny(name, ".:\\"); i >= 0 && i+1 < len(name) && !strings.Contains(name, " ") {
		name = name[i+1:]
	}
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimLeft(name, "$#@"), " ", ""))
}
