package cmd_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestColour: results have colour on a terminal, unless the person wants none, and
// nowhere else.
func TestColour(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, dir, "a.txt", "the needle\x1b[2J\n")
	if err := os.Mkdir(dir+"/sub", 0o755); err != nil {
		t.Fatal(err)
	}
	modified := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for _, name := range []string{"/a.txt", "/sub"} {
		if err := os.Chtimes(dir+name, modified, modified); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		env  string
		want string
	}{
		{[]string{"grep", "needle"}, "TERM=xterm", "\x1b[35ma.txt\x1b[m\r\n\x1b[32m1\x1b[m:the \x1b[1;31mneedle\x1b[m\\x1b[2J\r\n"},
		{[]string{"grep", "needle"}, "NO_COLOR=1", "a.txt\r\n1:the needle\\x1b[2J\r\n"},
		{[]string{"grep", "needle"}, "TERM=dumb", "a.txt\r\n1:the needle\\x1b[2J\r\n"},
		{[]string{"ls"}, "TERM=xterm", "[D] \x1b[1;34msub/\x1b[m\x1b[2m  2001-02-03 04:05Z\x1b[m\r\n[F] a.txt\x1b[2m  15  2001-02-03 04:05Z\x1b[m\r\n"},
		{[]string{"find", "sub"}, "TERM=xterm", "\x1b[1;34msub/\x1b[m\x1b[2m  2001-02-03 04:05Z\x1b[m\r\n"},
	} {
		typist, terminal := cmdtest.Terminal(t)
		p := cmdtest.Helve(dir, append([]string{"-o", "text"}, c.args...)...)
		p.Env = append(p.Environ(), "TERM=xterm", "NO_COLOR=", "CI=1", c.env)
		p.Stdout = terminal
		cmdtest.AtTerminal(p, terminal)
		if err := p.Run(); err != nil {
			t.Fatal(err)
		}
		if got := cmdtest.ReadUntil(t, typist, "\n"); !strings.HasPrefix(c.want, got) || got == "" {
			t.Errorf("%v, %s: %q", c.args, c.env, got)
		} else if rest := strings.TrimPrefix(c.want, got); rest != "" && cmdtest.ReadUntil(t, typist, rest) != rest {
			t.Errorf("%v, %s: not %q at the end", c.args, c.env, rest)
		}
	}
}
