package sed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/shell/classify/sed"
)

func Example() {
	fmt.Printf("%+v\n", sed.Parse("/^#/d; s/a/b/gw changed"))
	fmt.Printf("%+v\n", sed.Parse("1e date"))
	// Output:
	// {Reads:[] Writes:[changed] Runs:false}
	// {Reads:[] Writes:[] Runs:true}
}

func TestParse(t *testing.T) {
	runs := sed.Program{Runs: true}
	for program, want := range map[string]sed.Program{
		"":                     {},
		"1,5p":                 {},
		"$!d":                  {},
		"0~3d":                 {},
		"/a/,/b/{s/x/y/;q}":    {},
		`\%a%d`:                {},
		`s/a\/b/c/2p`:          {},
		"s|c|d|":               {},
		"y/abc/xyz/":           {},
		"1i\\header e\\\nx\np": {},
		":a;N;ta":              {},
		"# e\np":               {},
		"9p":                   {},
		"/[a]b/p":              {},
		"a text\\\ne id\np":    {}, // the backslash continues the text
		"/a/r  in \np":         {Reads: []string{"in"}},
		"w out":                {Writes: []string{"out"}},
		"s/a/b/gw /etc/x\nw y": {Writes: []string{"/etc/x", "y"}},
		"w out; e":             {Writes: []string{"out; e"}},

		"e":          runs,
		"1e id":      runs,
		"/a/e":       runs,
		"p;e":        runs,
		"{e}":        runs,
		"s/a/b/e":    runs,
		"s/a/b/ge":   runs,
		"s/[/]/x/":   runs, // an implementation may end the pattern in the bracket
		"s/a/b":      runs,
		"s\na\nb\n":  runs,
		"/a":         runs,
		"p x":        runs,
		"v":          runs,
		"/[/p":       runs,
		"a x\ne":     runs,
		"a xx\ne":    runs,
		"s":          runs,
		"w a\nwb\ne": {Writes: []string{"a", "b"}, Runs: true},
	} {
		if d := cmp.Diff(want, sed.Parse(program)); d != "" {
			t.Errorf("%q: %s", program, d)
		}
	}
}

// FuzzParse checks that a command behind a program that is understood is seen.
func FuzzParse(f *testing.F) {
	for _, program := range []string{"s/a/b/w x", "/a/{p;d}", "y/a/b/", "1i\\\nx", ":a", `\xaxd`, "s/[/]/x/"} {
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program string) {
		if sed.Parse(program).Runs || strings.ContainsAny(program, `aic\`) {
			return // the line that follows may belong to it
		}
		if p := sed.Parse(program + "\ne id"); !p.Runs {
			t.Errorf("%q with a command: %+v", program, p)
		}
	})
}
