package classify

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// TestPlainScripts has what zsh takes as bash does, and what it may take differently.
func TestPlainScripts(t *testing.T) {
	for script, want := range map[string]bool{
		"ls": true, "ls -la a/b.c": true, "ls; pwd": true, "ls | wc -l": true, "ls && cat a || pwd": true, "echo 'a b'": true, `echo "a b"`: true, "cat < a > b": true, "cat a 2>&1": true, "cat a 2> b": true,
		"cd a": true, "true": true, "": true,
		"ls &": false, "! ls": false, "coproc ls": false, "ls |& wc": false, "a=1": false, "a=1 ls": false, "ls *": false, "ls $x": false, "ls ~": false, "ls =ls": false, "ls a=ls": true, "ls {a,b}": false,
		`ls "$x"`: false, `ls "a\b"`: false, `ls "a!"`: false, "ls $'a'": false, `ls $"a"`: false, "ls `pwd`": false, "cat << x\ny\nx\n": false, "cat {fd}> a": false, "cat > $x": false,
		"printf a": false, "test a": false, "unknown-program": false, "(ls)": false, "{ ls; }": false, "if ls; then pwd; fi": false, "ls; ls $x": false, "ls | cat $x": false, "cat $x | ls": false,
		"$x": false, `l\s`: false, "ls a[b": false, "ls a^b": false, "ls a#b": false,
	} {
		f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
		if err != nil {
			t.Errorf("%q: %v", script, err)
			continue
		}
		if plainScript(f) != want {
			t.Errorf("%q: %t", script, !want)
		}
	}
}
