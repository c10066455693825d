package awk_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/shell/classify/awk"
)

func Example() {
	fmt.Printf("%+v\n", awk.Parse(`NR > 5 { print $1 > "first"; n += $2 }`))
	fmt.Printf("%+v\n", awk.Parse(`{ print $1 | "sort" }`))
	// Output:
	// {Writes:[first] Computed:false Runs:false}
	// {Writes:[] Computed:false Runs:true}
}

func TestParse(t *testing.T) {
	runs := awk.Program{Runs: true}
	for program, want := range map[string]awk.Program{
		"":                                   {},
		"{print $1}":                         {},
		"NR>5 && $3 > 10":                    {},
		"$1 ~ /a|b/ {n++} END {print n}":     {},
		"{ if ($1 > 5) print }":              {},
		"BEGIN{print 1/2/3}":                 {},
		"{print (a > b)}":                    {},
		"!seen[$0]++":                        {},
		"# system()\n{print}":                {},
		`{print "| sh"}`:                     {},
		`{print "a\"b"}`:                     {},
		`a || b`:                             {},
		`{print > "out"}`:                    {Writes: []string{"out"}},
		`{print >> "log"; printf "x" > "y"}`: {Writes: []string{"log", "y"}},
		`{print > $2}`:                       {Computed: true},
		`{print > "a" x}`:                    {Computed: true},
		`{print > "a\x2f"}`:                  {Computed: true},
		"{print > ":                          {Computed: true},
		"{print >":                           {Computed: true},
		"# system()":                         {},
		"{print \\\n $1}":                    {},
		"{print 1}\n$3 > 10 {n++}":           {}, // a comparison
		"{zZ9A = _ + .5}":                    {},
		"{n = 1 + /a|b/}":                    {},

		`BEGIN{system("id")}`:           runs,
		`{print | "sh"}`:                runs,
		`"id" | getline`:                runs,
		`{getline x < "f"}`:             runs,
		`@load "x"`:                     runs,
		`BEGIN{f="system"; @f("id")}`:   runs,
		"function f() {}":               runs,
		"{print \\ $1}":                 runs,
		`{print x++ / 2 | "sh" / 1}`:    runs,
		`BEGIN{print 1 / 2 | "sh" / 1}`: runs, // two divisions, no pattern
		`BEGIN { x = "a\"" | "sh" }`:    runs,
		"/[/]/":                         runs, // an implementation may end the pattern in the bracket
		`"open`:                         runs,
		"/open":                         runs,
		"`":                             runs,
		`{print > "a"; system("b")}`:    {Writes: []string{"a"}, Runs: true},
	} {
		if d := cmp.Diff(want, awk.Parse(program)); d != "" {
			t.Errorf("%q: %s", program, d)
		}
	}
}

// FuzzParse checks that a command behind a program that is understood is seen.
func FuzzParse(f *testing.F) {
	for _, program := range []string{`{print > "out"}`, "/a[b]/", "a / b / c", `"a\"b"`, "# x", "x[1]++"} {
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program string) {
		if p := awk.Parse(program + "\n;system(x)"); !p.Runs {
			t.Errorf("%q with a command: %+v", program, p)
		}
	})
}
