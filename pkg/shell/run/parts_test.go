package run

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestTerminal(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain\n", "plain\n"},
		{"\x1b[1;31mred\x1b[m", "red"},
		{"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"\x1b]0;title\aafter", "after"},
		{"\x1bPdata\x1b\\after", "after"},
		{"\x1b(Bcharset", "charset"},
		{"\x1b[31", ""},
		{"\x1b[3\nbroken", "\nbroken"},
		{"\x1b]never ends\nnext", "\nnext"},
		{"a\x1b", "a"},
		{"bell\a and \x00nul", "bell and nul"},
		{"10%\r20%\r30%\n", "30%\n"},
		{"loading\rok\n", "okading\n"},
		{"windows\r\nlines\r\n", "windows\nlines\n"},
		{"ab\b\bcd", "cd"},
		{"\b\bx", "x"},
		{"spin |\b/\b-\b", "spin "},
		{"tab\tstays", "tab\tstays"},
		{"é\x1b[0m世界", "é世界"},
	} {
		if got := clean([]byte(c.in), false); got != c.want {
			t.Errorf("%q is %q, want %q", c.in, got, c.want)
		}
		if got := clean([]byte(c.in), true); got != c.in {
			t.Errorf("raw, %q is %q", c.in, got)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"\x1b[31mx\x1b[0m\r\n", "a\rb\b\n", "\x1b]0;x", "\xff\xfe"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		lines := bytes.Count(b, []byte("\n"))
		got := clean(bytes.Clone(b), false)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\r\b") {
			t.Errorf("%q became %q", b, got)
		}
		if strings.Count(got, "\n") != lines {
			t.Errorf("%q has %d lines, %q has others", b, lines, got)
		}
	})
}

// TestCapture compares with keeping everything.
func TestCapture(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		head, tail := 1+random.IntN(40), 1+random.IntN(40)
		c := newCapture(head, tail, &spill{})
		var all []byte
		for range random.IntN(20) {
			piece := bytes.Repeat([]byte{byte('a' + random.IntN(26))}, random.IntN(30))
			if random.IntN(2) == 0 {
				piece = append(piece, '\n')
			}
			all = append(all, piece...)
			c.write(piece)
		}
		if want := all[:min(head, len(all))]; !bytes.Equal(c.head, want) {
			t.Fatalf("the head of %q is %q, want %q", all, c.head, want)
		}
		rest := all[len(c.head):]
		if want := rest[max(0, len(rest)-tail):]; !bytes.Equal(c.tail.bytes(), want) {
			t.Fatalf("the tail of %q is %q, want %q", rest, c.tail.bytes(), want)
		}
		o := c.output(true)
		if !o.Truncated && (o.Text != string(all) || !bytes.Equal(o.Printed, all)) {
			t.Fatalf("%q became %q", all, o.Text)
		}
		if o.Truncated {
			shown := strings.Count(o.Text, "\n") - 1
			if before, _, _ := strings.Cut(o.Text, "[…"); !bytes.HasPrefix(all, []byte(before)) && !bytes.HasPrefix(all, []byte(strings.TrimSuffix(before, "\n"))) {
				t.Fatalf("%q begins with %q", all, before)
			}
			if whole := bytes.Count(all, []byte("\n")); int64(shown)+o.OmittedLines < int64(whole) {
				t.Fatalf("%q: %d lines shown, %d left out, of %d", all, shown, o.OmittedLines, whole)
			}
		}
	}
}

// TestSniff has a NUL as the last byte that is looked at, and as the next one.
func TestSniff(t *testing.T) {
	for size, binary := range map[int]bool{8 << 10: true, 8<<10 + 1: false} {
		c := newCapture(1<<20, 1, &spill{})
		c.write(bytes.Repeat([]byte{'a'}, size-1))
		c.write([]byte{0})
		if got := c.output(true).Binary; got != binary {
			t.Errorf("a NUL at the end of %d bytes: binary is %v", size, got)
		}
	}
}

func TestEnvironment(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of Unix")
	}
	parent := []string{
		"PATH=/usr/bin:.:rel::/src/bin:/bin", "HOME=/home/ann", "LANG=C", "LC_ALL=C", "OPENAI_API_KEY=x", "GITHUB_TOKEN=x", "MY_VAR=x", "LD_PRELOAD=x",
		"BASH_ENV=x", "BASH_FUNC_ls%%=() { x; }", "GIT_DIR=x", "SSH_AUTH_SOCK=x", "NODE_OPTIONS=x", "GOPROXY=https://u:p@h/", "TZ=ghp_abc", "DB_PASSWORD=x",
		"HELVE_APPROVER=x", "SHELLOPTS=x", "IFS=x", "odd",
	}
	env, refused := Environment{Parent: parent, Temp: "/t", Extra: []string{"FOO=bar=baz", "LD_LIBRARY_PATH=x", "GIT_AUTHOR_NAME=ann", "HELVE_SANDBOX=0", "PATH=/x:/usr/bin"}}.Build()
	if d := cmp.Diff([]string{"LD_LIBRARY_PATH", "HELVE_SANDBOX"}, refused); d != "" {
		t.Error(d)
	}
	for name, want := range map[string]string{
		"PATH": "/x:/usr/bin", "HOME": "/home/ann", "LANG": "C", "LC_ALL": "C", "FOO": "bar=baz", "TMPDIR": "/t", "EDITOR": "false", "PAGER": "cat", "TERM": "dumb",
		"GIT_AUTHOR_NAME": "ann", "OPENAI_API_KEY": "", "GITHUB_TOKEN": "", "MY_VAR": "", "LD_PRELOAD": "", "BASH_ENV": "", "GIT_DIR": "", "SSH_AUTH_SOCK": "", "NODE_OPTIONS": "",
		"GOPROXY": "", "TZ": "", "DB_PASSWORD": "", "HELVE_APPROVER": "", "HELVE_SANDBOX": "", "IFS": "", "CHROME_CONFIG_HOME": "", "GIT_OPTIONAL_LOCKS": "", "GIT_CONFIG_GLOBAL": "",
	} {
		if got := Value(env, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !slices.IsSorted(env) || strings.Contains(strings.Join(env, "\n"), "BASH_FUNC") {
		t.Errorf("%q", env)
	}
	env, _ = Environment{Parent: parent, ReadOnly: true, Workspace: "/src", Temp: "/t", Sandboxed: true, Pass: []string{"MY_VAR", "GITHUB_TOKEN", "LD_PRELOAD"}}.Build()
	for name, want := range map[string]string{
		"PATH": "/usr/bin:/bin", "MY_VAR": "x", "GITHUB_TOKEN": "x", "LD_PRELOAD": "", "HELVE_SANDBOX": "1", "CHROME_CONFIG_HOME": "/t", "GIT_OPTIONAL_LOCKS": "0", "GIT_CONFIG_COUNT": "19",
		"GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_5": "explicit",
	} {
		if got := Value(env, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	through := Environment{Parent: []string{"PATH=/src/../bin:/srcs:/src/link/../../bin:/x/../src/bin:/x/../bin:/src/"}, ReadOnly: true, Workspace: "/src"}
	env, _ = through.Build()
	if got, want := Value(env, "PATH"), "/srcs:/x/../bin"; got != want {
		t.Errorf("PATH is %q, want %q", got, want)
	}
}

func TestFindShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("shells of Unix")
	}
	env := []string{"PATH=/usr/local/bin:/usr/bin:/bin"}
	for _, c := range []struct {
		want   string
		env    []string
		passwd string
		name   string
	}{
		{"auto", env, "", "bash"},
		{"", env, "", "bash"},
		{"sh", env, "", "sh"},
		{"user", append(env, "SHELL=/bin/sh"), "", "sh"},
		{"user", env, "root:x:0:0::/root:/bin/false\nann:x:1:1::/home/ann:/bin/sh\n", "sh"},
		{"user", env, "ann:x:1:1::/home/ann:/gone/zsh\n", "bash"},
		{"user", append(env, "SHELL=relative"), "", "bash"},
	} {
		s, err := FindShell(c.want, c.env, "ann", []byte(c.passwd))
		if err != nil || s.Name != c.name || !filepath.IsAbs(s.Path) {
			t.Errorf("%s: %+v %v", c.want, s, err)
		}
	}
	if _, err := FindShell("csh", env, "", nil); err == nil {
		t.Error("a shell that is not known")
	}
	if _, err := FindShell("bash", []string{"PATH=/nowhere"}, "", nil); err == nil {
		t.Error("a shell that is not there")
	}
}
