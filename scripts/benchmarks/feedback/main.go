// Command feedback measures what the results of edits say with on_change: whether faults that
// an edit makes are named in its own answer, in each language of which a checker is installed,
// and whether faults that a file had before are repeated over edits that add none.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	binary := flag.String("binary", "", "program to measure (default: one that is built)")
	edits := flag.Int("edits", 200, "number of edits that add no fault")
	flag.Parse()
	if err := bench(context.Background(), os.Stdout, *binary, *edits); err != nil {
		fmt.Fprintln(os.Stderr, "feedback:", err)
		os.Exit(1)
	}
}

// language is one with faults in a file of it.
type language struct {
	file, text string
	check      []string // of on_change; the first word is the program
	faults     [][2]string
	comment    string // with %d
	old        string // a declaration with a fault, with its number three times
}

// languages are judged by checkers that are common; those that are not installed are left out.
var languages = []language{
	{
		"m.go", "package m\n\nimport \"fmt\"\n\nfunc F(a int) int {\n\tfmt.Println(a)\n\treturn a\n}\n\nfunc G() int {\n\treturn F(1)\n}\n", []string{"go", "vet", "{dir}"},
		[][2]string{{"return a\n", "return \"a\"\n"}, {"import \"fmt\"\n", "import (\n\t\"fmt\"\n\t\"os\"\n)\n"}, {"return F(1)\n}", "return F(1)\n"}, {"F(1)", "H(1)"}, {"F(1)", "F(1, 2)"}},
		"", "",
	},
	{
		"m.py", "def f(a: int) -> int:\n    return a\n\n\ndef g() -> int:\n    return f(1)\n", []string{"mypy", "{file}"},
		[][2]string{{"return a\n", "return \"a\"\n"}, {"f(1)", "f(\"x\")"}, {"def g() -> int:", "def g() -> int"}, {"f(1)", "h(1)"}, {"f(1)", "f(1, 2)"}},
		"# x%d", "def f%[1]d(a: int) -> str:\n    return a  # %[1]d\n\n\n",
	},
	{
		"m.c", "int f(int a) {\n    return a;\n}\n\nint g(void) {\n    return f(1);\n}\n", []string{"gcc", "-fsyntax-only", "-Wall", "{file}"},
		[][2]string{{"return a;", "return \"a\";"}, {"int f(int a)", "#include \"nope.h\"\nint f(int a)"}, {"f(1);\n}", "f(1);\n"}, {"f(1)", "h(1)"}, {"f(1)", "f(1, 2)"}},
		"/* x%d */", "int v%[1]d(void) { int unused%[1]d; return w%[1]d; }\n",
	},
	{
		"m.rs", "pub fn f(a: i32) -> i32 {\n    a\n}\n\npub fn g() -> i32 {\n    f(1)\n}\n",
		[]string{"rustc", "--edition", "2021", "--crate-type", "lib", "--emit=metadata", "-o", "/dev/null", "--error-format=short", "{file}"},
		[][2]string{{"    a\n", "    \"a\"\n"}, {"pub fn f", "use std::io::Nope;\npub fn f"}, {"f(1)\n}", "f(1)\n"}, {"f(1)", "h(1)"}, {"f(1)", "f(1, 2)"}},
		"", "",
	},
	{
		"M.java", "class M {\n    static int f(int a) {\n        return a;\n    }\n    static int g() {\n        return f(1);\n    }\n}\n", []string{"javac", "-d", "/tmp", "{file}"},
		[][2]string{{"return a;", "return \"a\";"}, {"class M", "import nope.Nope;\nclass M"}, {"f(1);\n    }", "f(1);\n"}, {"f(1)", "h(1)"}, {"f(1)", "f(1, 2)"}},
		"", "",
	},
	{
		"m.pl", "use strict;\nuse warnings;\nsub f {\n    my ($x) = @_;\n    return $x;\n}\nprint f(1);\n", []string{"perl", "-wc", "{file}"},
		[][2]string{{"return $x;", "return $y;"}, {"use warnings;", "use warnings;\nuse Nope::Module;"}, {"return $x;\n}", "return $x;\n"}, {"print f(1);", "my $z = ;"}, {"return $x;", "return ($x;"}},
		"", "",
	},
	{
		"m.sh", "f() {\n    echo \"$1\"\n}\nif true; then\n    f 1\nfi\n", []string{"bash", "-n", "{file}"},
		[][2]string{{"fi\n", ""}, {"echo \"$1\"", "echo \"$1"}, {"    echo \"$1\"\n}", "    echo \"$1\"\n"}, {"then\n", "\n"}, {"f() {", "f( {"}},
		"", "",
	},
	{
		"m.js", "function f(a) {\n    return a;\n}\nfunction g() {\n    return f(1);\n}\n", []string{"node", "--check", "{file}"},
		[][2]string{{"return a;\n}", "return a;\n"}, {"return f(1);", "return f(1;"}, {"function f(a)", "function (a)"}, {"return a;", "let a = ;"}, {"return a;", "return \"a;"}},
		"", "",
	},
}

// oldFaults is the number of faults that a file has before the edits that add none.
const oldFaults = 150

func bench(ctx context.Context, out io.Writer, binary string, edits int) error {
	dir, err := os.MkdirTemp("", "helve-feedback-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	if binary == "" {
		binary = filepath.Join(dir, "helve")
		if said, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", binary, ".").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, said)
		}
	}
	p := &project{out: out, binary: binary, work: filepath.Join(dir, "work"), home: filepath.Join(dir, "home")}
	judged, err := p.prepare()
	if err != nil {
		return err
	}
	if err := p.faults(ctx, judged); err != nil {
		return err
	}
	return p.clean(ctx, judged, edits)
}

// errNoChecks is the failure where commands are not confined, and checkers do not run.
var errNoChecks = errors.New("no checker runs here")

// project is a workspace with settings of its own.
type project struct {
	out                io.Writer
	binary, work, home string
}

// say reports; where nobody reads it, the status still tells.
func (p *project) say(format string, args ...any) { _, _ = fmt.Fprintf(p.out, format, args...) }

// prepare writes the settings, and returns the languages of which there is a checker.
func (p *project) prepare() (judged []language, err error) {
	type item struct {
		Glob    string   `json:"glob"`
		Check   []string `json:"check"`
		Timeout int      `json:"timeout"`
	}
	var items []item
	for _, l := range languages {
		program, err := exec.LookPath(l.check[0])
		if l.check[0] == "mypy" && err != nil {
			// The judges of the tests have it.
			program = filepath.Join(filepath.Dir(os.Getenv("HELVE_PYTHON")), "mypy")
			_, err = os.Stat(program)
		}
		if err != nil {
			continue
		}
		judged = append(judged, l)
		items = append(items, item{"*" + filepath.Ext(l.file), append([]string{program}, l.check[1:]...), 60})
	}
	settings, err := json.Marshal(map[string]any{"on_change": items})
	for _, file := range []struct {
		dir, name string
		text      []byte
	}{{p.home, "config.json", settings}, {p.work, "go.mod", []byte("module m\n\ngo 1.24\n")}} {
		err = errors.Join(err, os.MkdirAll(file.dir, 0o755), os.WriteFile(filepath.Join(file.dir, file.name), file.text, 0o600))
	}
	return judged, err
}

// answer holds what the benchmark reads of the answers of edit and write.
type answer struct {
	OK   bool `json:"ok"`
	Data struct {
		Baseline, Pending string
		Diagnostics       struct {
			New []struct{ File, Message string }
		}
	} `json:"data"`
	Error    json.RawMessage `json:"error"`
	Warnings []string        `json:"warnings"`
}

func (p *project) call(ctx context.Context, tool string, args map[string]any) (a answer, err error) {
	input, err := json.Marshal(args)
	if err != nil {
		return a, err
	}
	c := exec.CommandContext(ctx, p.binary, tool)
	c.Dir, c.Stdin, c.Env = p.work, bytes.NewReader(input), append(os.Environ(), "HELVE_HOME="+p.home)
	said, err := c.Output()
	if err == nil {
		err = json.Unmarshal(said, &a)
	}
	if err != nil {
		return a, fmt.Errorf("%s %s: %w: %s", tool, input, err, said)
	}
	return a, nil
}

// faults makes each fault in a file without one, and counts those that the answer names.
func (p *project) faults(ctx context.Context, judged []language) error {
	var named, all int
	for _, l := range judged {
		for _, f := range l.faults {
			if _, err := p.call(ctx, "write", map[string]any{"path": l.file, "content": l.text}); err != nil {
				return err
			}
			a, err := p.call(ctx, "edit", map[string]any{"path": l.file, "old_text": f[0], "new_text": f[1]})
			if err != nil {
				return err
			}
			if said := strings.Join(a.Warnings, "; "); strings.Contains(said, "on_change did not run") {
				return fmt.Errorf("%w: %s", errNoChecks, said)
			}
			all++
			if len(a.Data.Diagnostics.New) > 0 && a.Data.Diagnostics.New[0].File == l.file {
				named++
			} else {
				p.say("not named: %s %q: %+v\n", l.file, f[1], a)
			}
		}
		if err := os.Remove(filepath.Join(p.work, l.file)); err != nil {
			return err
		}
	}
	p.say("%d of %d faults in %d languages are named in the answer of their edit\n", named, all, len(judged))
	if named*100 < all*95 {
		return errors.New("too few faults are named")
	}
	return nil
}

// clean adds comments to files that are full of faults, half of them above the faults. It
// counts the diagnostics that are called new.
func (p *project) clean(ctx context.Context, judged []language, edits int) error {
	var files []language
	for _, l := range judged {
		if l.old == "" {
			continue
		}
		var text strings.Builder
		for i := range oldFaults {
			fmt.Fprintf(&text, l.old, i)
		}
		l.file, l.text = "old"+filepath.Ext(l.file), text.String()
		if _, err := p.call(ctx, "write", map[string]any{"path": l.file, "content": l.text}); err != nil {
			return err
		}
		files = append(files, l)
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same edits each time
	repeated := 0
	for i := range edits {
		if len(files) == 0 {
			break
		}
		l := files[random.IntN(len(files))]
		line := 0 // above all faults, or below them
		if i%2 == 1 {
			text, err := os.ReadFile(filepath.Join(p.work, l.file))
			if err != nil {
				return err
			}
			line = bytes.Count(text, []byte("\n"))
		}
		comment := strings.Repeat(fmt.Sprintf(l.comment, i)+"\n", 1+random.IntN(10))
		a, err := p.call(ctx, "edit", map[string]any{"path": l.file, "insert_line": line, "new_text": comment})
		if err != nil {
			return err
		}
		if repeated += len(a.Data.Diagnostics.New); len(a.Data.Diagnostics.New) > 0 || a.Data.Baseline != "" || a.Data.Pending != "" {
			p.say("edit %d of %s: %+v\n", i, l.file, a)
		}
	}
	p.say("%d old diagnostics repeated over %d edits that add none, in %d files with %d\n", repeated, edits, len(files), oldFaults)
	if repeated > 0 {
		return errors.New("old diagnostics are told as new")
	}
	return nil
}
