package line

import (
	"testing"

	"mvdan.cc/sh/v3/shell"
)

// Programs of the shell, and the calls to type instead of them.
func TestInsteadOf(t *testing.T) {
	for typed, want := range map[string]string{
		"cat":                       "helve read PATH",
		"cat README.md":             "helve read README.md",
		"cat -n 'a b.md'":           "helve read 'a b.md'",
		"cat a b":                   "helve read --paths a --paths b",
		"head a":                    "helve read a --limit 10",
		"head -n 5 a":               "helve read a --limit 5",
		"head -5 a":                 "helve read a --limit 5",
		"tail -n20 a":               "helve read a --offset -20",
		"tail --lines=7 a":          "helve read a --offset -7",
		"tail -f a":                 "helve read a --offset -10",
		"rm -rf a":                  "helve delete a",
		"rm a b":                    "helve delete a && helve delete b",
		"rm -- -a":                  "helve delete --path -a",
		"touch a":                   "helve write a --content ''",
		"tree":                      "helve ls . --depth 3",
		"dir sub":                   "helve ls sub",
		"sed -n 5,9p a":             "helve read a --offset 5 --limit 5",
		"sed -i s/a/b/ f":           "helve edit f a b",
		"sed -i 's|a|b|g' f":        "helve edit f a b --replace-all",
		"sed s/a.*/b/ f":            "helve edit f OLD NEW",
		"vim f":                     "helve edit f OLD NEW",
		"apply fix.diff":            "helve patch fix.diff",
		"search TODO":               "helve grep TODO",
		"rg -i TODO src":            "helve grep TODO src",
		"fgrep a.b":                 "helve grep a.b --literal",
		"fd main":                   "helve find main",
		"curl -s https://x.example": "helve fetch https://x.example",
		"google go generics":        "helve websearch 'go generics'",
		"date":                      "helve time",
		"ps":                        "helve job",
		"bash -c 'ls | wc'":         "helve exec 'ls | wc'",
		"bash":                      "helve exec COMMAND",
		"bash run.sh -x":            "helve exec 'bash run.sh -x'",
		"git log -n 3":              "helve exec 'git log -n 3'",
		"md a/b":                    "helve mkdir a/b",
	} {
		words, err := shell.Fields(typed, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := insteadOf(words[0], words[1:])
		if got != want || !ok {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
	if got, ok := insteadOf("quux", nil); ok {
		t.Errorf("quux: %s", got)
	}
}
