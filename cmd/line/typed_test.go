package line_test

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/shell"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/cmd/line"
)

// Every suggestion is a call that helve takes: the command is there, and so are its
// flags.
func TestInsteadOfIsTyped(t *testing.T) {
	cmdtest.Home(t)
	for _, typed := range []string{
		"cat a", "cat a b", "head a", "tail a", "rm a", "mv a b", "mv", "cp a b", "touch a", "md a", "tree a", "dir a", "sed -i s/a/b/g f",
		"sed -n 1,2p f", "vi a", "apply a", "rg a b", "fgrep a", "fd a", "curl a", "google a b", "date", "kill 1", "bash -c a", "git status",
	} {
		name, words, _ := strings.Cut(typed, " ")
		call, ok := line.InsteadOf(name, strings.Fields(words))
		args, err := shell.Fields(call, nil)
		if err != nil || !ok {
			t.Fatalf("%s: %s: %v", typed, call, err)
		}
		root := cmd.Tree()
		c, rest, err := root.Find(args[1:])
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err != nil || c == root {
			t.Errorf("%s: %s: %v", typed, call, err)
			continue
		}
		if given := c.Flags().NArg(); given > len(line.Positionals(line.Builtin(c.Name()))) {
			t.Errorf("%s: %s: %d arguments without a name", typed, call, given)
		}
	}
}
