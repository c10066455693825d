package word_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// read reads the words of a simple command.
func read(command string) ([]word.Word, error) {
	f, err := syntax.NewParser().Parse(strings.NewReader(command), "")
	if err != nil {
		return nil, err
	}
	r := word.Reader{Src: command, Home: "/home/ann", Cwd: "/ws"}
	var words []word.Word
	syntax.Walk(f, func(n syntax.Node) bool {
		c, ok := n.(*syntax.CallExpr)
		if !ok {
			return len(words) == 0
		}
		for _, w := range c.Args {
			words = append(words, r.Word(w))
		}
		return false
	})
	return words, nil
}

func Example() {
	words, err := read(`tar -C "$HOME"/src -xf *.tgz "$name"`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range words {
		fmt.Printf("%-12s known=%-5t certain=%-14q may be an option=%t\n", w.Source, w.Known(), w.Prefix(), w.MayBeOption())
	}
	// Output:
	// tar          known=true  certain="tar"          may be an option=false
	// -C           known=true  certain="-C"           may be an option=false
	// "$HOME"/src  known=true  certain="/home/ann/src" may be an option=false
	// -xf          known=true  certain="-xf"          may be an option=false
	// *.tgz        known=false certain=""             may be an option=true
	// "$name"      known=false certain=""             may be an option=true
}

func TestWord(t *testing.T) {
	for _, c := range []struct {
		source string
		want   word.Word
	}{
		{`a`, word.Word{Text: "a", Lit: true}},
		{`'a b'`, word.Word{Text: "a b", Lit: true, Quoted: true}},
		{`a"b"\c`, word.Word{Text: "abc", Lit: true, Quoted: true}},
		{`a$x`, word.Word{Text: "a\x00", Split: true}},
		{`"a$x"`, word.Word{Text: "a\x00", Quoted: true}},
		{`a*`, word.Word{Text: "a*", Lit: true, Glob: true}},
		{`[a-z]`, word.Word{Text: "[a-z]", Lit: true, Glob: true}},
		{`a{b,c}`, word.Word{Text: "a\x00", Split: true}},
		{`<(ls)`, word.Word{Text: "/dev/fd/\x00"}},
		{`~/a`, word.Word{Text: "/home/ann/a", Lit: true}},
		{`~bob/a`, word.Word{Text: "/home/bob/a", Lit: true}},
		{`$PWD/a`, word.Word{Text: "/ws/a", Lit: true}},
		{`$"a"`, word.Word{Text: "\x00", Quoted: true}},
		{`~`, word.Word{Text: "/home/ann", Lit: true}},
		{`~"a"`, word.Word{Text: "~a", Lit: true, Quoted: true}},
		{`~/"a"`, word.Word{Text: "/home/ann/a", Lit: true, Quoted: true}},
		{`{a,b}`, word.Word{Text: "\x00", Split: true}},
		{`{a}`, word.Word{Text: "{a}", Lit: true}},
		{`[a`, word.Word{Text: "[a", Lit: true}},
		{`a]`, word.Word{Text: "a]", Lit: true}},
		{`a\`, word.Word{Text: `a\`, Lit: true}},
		{`${HOME}`, word.Word{Text: "/home/ann", Lit: true}},
		{`${!HOME}`, word.Word{Text: "\x00", Split: true}},
		{`${#HOME}`, word.Word{Text: "\x00", Split: true}},
		{`${HOME[0]}`, word.Word{Text: "\x00", Split: true}},
		{`${HOME:1}`, word.Word{Text: "\x00", Split: true}},
		{`${HOME/a/b}`, word.Word{Text: "\x00", Split: true}},
		{`${HOME%/*}`, word.Word{Text: "\x00", Split: true}},
		{`${!HOME*}`, word.Word{Text: "\x00", Split: true}},
	} {
		c.want.Source = c.source
		words, err := read("x " + c.source)
		if err != nil || len(words) != 2 {
			t.Fatalf("%s: %v %v", c.source, words, err)
		}
		if d := cmp.Diff(c.want, words[1], cmpopts.IgnoreUnexported(word.Word{})); d != "" {
			t.Errorf("%s: %s", c.source, d)
		}
	}
}

// TestMayBeOption has words of which something is certain, and nothing.
func TestMayBeOption(t *testing.T) {
	for source, want := range map[string]bool{
		`-a`: false, `a`: false, `"a$x"`: false, `"-$x"`: true, `"$x"`: true, `$x`: true, `a$x`: true, `a*`: false, `-*`: true, `*`: true, `[-a]x`: true,
	} {
		words, err := read("x " + source)
		if err != nil {
			t.Fatal(err)
		}
		if got := words[1].MayBeOption(); got != want {
			t.Errorf("%s: %t", source, got)
		}
	}
}

// TestForeign reads what is not in the source of the reader.
func TestForeign(t *testing.T) {
	if got := (word.Reader{}).Word(nil); !got.Known() || got.Text != "" {
		t.Errorf("no word is %+v", got)
	}
	words, err := syntax.NewParser().Document(strings.NewReader("abc"))
	if err != nil {
		t.Fatal(err)
	}
	if got := (word.Reader{Src: "a"}).Word(words); got.Text != "abc" || got.Source != "" {
		t.Errorf("a word of another source is %+v", got)
	}
	if got := word.UnescapeDouble(`a\`); got != `a\` {
		t.Errorf("a backslash at the end becomes %q", got)
	}
}

// TestQuoting has bash judge how quotes are removed.
func TestQuoting(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	for _, source := range []string{
		`'a'`, `"a"`, `\a`, `a'b'"c"\d`, `"\$x \\ \a \""`, `'\n'`, `$'\n\t\e\a\b\f\v\r'`, `$'\x41\101\u00e9\U0001F600'`, `$'\cA\'\"\?\q'`,
		`$'a\x00b'`, `"a\
b"`, `a\
b`, `''`, `$'\08'`, `$'\x{41}\x{0142}b\x{g'`, `$'a\x{}c'`, `$'\xg\ug\Ug\x4g'`, `$'\c?\c\\z\ca\c'`,
		`$'a\x{41g'`, `$'a\x{41'`, `$'\x4'`, `$'\1'`, `$'\u41'`, `$'\xe9'`, `$'\x6f\x6a\x4A\x4F'`, `$'\U0010FFFF'`, `a\`, `[a`,
	} {
		words, err := read("x " + source)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		out, err := exec.CommandContext(t.Context(), bash, "-c", "LC_ALL=C.UTF-8; printf %s "+source).Output()
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		if len(words) != 2 || words[1].Text != string(out) {
			t.Errorf("%s is read as %+v, bash says %q", source, words[1:], out)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`a "$b" $'\x41' {c,d} *`)
	f.Add("~ ~a ~/b $\"c\" @(d) `e` [")
	f.Fuzz(func(t *testing.T, command string) {
		words, err := read(command)
		if err != nil {
			return
		}
		for _, w := range words {
			if w.Known() && !strings.Contains(command, "\x00") && w.Prefix() != w.Text {
				t.Errorf("%q is known, but only %q of it is certain", w.Text, w.Prefix())
			}
		}
	})
}
