package classify

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/policy"
)

// TestNamesIn has the names of variables that an expression may hold.
func TestNamesIn(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "1+2": "", "a": "a", "a1+_b*c2": "a1 _b c2", "9x + x9": "x9", "a[b]": "a b", "0x1f": "", "é+/": "é", "(a)?b:c": "a b c", "10 a 07": "a",
	} {
		if got := strings.Join(namesIn(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestFirstOf(t *testing.T) {
	for in, want := range map[string]string{"a=b": "a", "=b": "", "ab": "ab", "a+=b": "a", "": ""} {
		if got := firstOf(in, "=+"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestGuardedPaths has what other programs obey, in the workspace and outside, and what
// the caller protects.
func TestGuardedPaths(t *testing.T) {
	o := world
	o.Protect = func(rel string) bool { return rel == "mine" }
	for path, want := range map[string]bool{
		"/src/project/.vscode/tasks.json": true, "/src/project/.git/hooks/x": true, "/src/project/mine": true, "/home/ann/.bashrc": true, "/etc/x/.envrc": true,
		"/src/project/.en\u200bvrc": true, "/src/project": false, "/src/project/a": false, "/src/mine": false, "/home/ann/a": false, "/home/ann": false,
	} {
		a := &analysis{o: o}
		if a.guardedPath(path) != want {
			t.Errorf("%q: %t", path, !want)
		}
	}
}

// TestStrays lists the words that name a path outside, by themselves or behind an option.
func TestStrays(t *testing.T) {
	o := world
	o.Exists = func(abs string) bool { return abs == "/etc" || abs == "/src" }
	o.Stray = func(abs string) bool { return !strings.HasPrefix(abs, "/fine/") }
	for command, want := range map[string]string{
		"cat /etc/hosts": "/etc/hosts", "cat a": "", "cat --file=/etc/x": "--file=/etc/x", "dd if=/etc/x": "if=/etc/x", "cc -I/etc/x a.c": "-I/etc/x", "cat -- /etc/a /etc/a": "/etc/a",
		"cat ../up": "../up", "cat ../project/a": "", "cat /fine/a": "", "grep /api/v1 a": "", "curl http://h/etc": "", "cd": "cd", "cd a": "", "cat < /etc/x": "/etc/x", "ls -l": "", "ls -": "",
		"cat << /etc/x\na\n/etc/x": "", "ls > /dev/null": "", "cat /etc/a /etc/b": "/etc/a /etc/b", "/etc/x a": "",
	} {
		if got := strings.Join(Classify(command, o).Strays, " "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	o.Stray = nil
	if got := Classify("cd; cat /etc/hosts", o).Strays; got != nil {
		t.Errorf("nobody asked for %q", got)
	}
}

// TestBuries moves what cannot be made anew among what is deleted unasked.
func TestBuries(t *testing.T) {
	o := world
	o.Buries = func(from, to string) policy.Risk {
		if strings.HasPrefix(to, "/src/project/dist") && !strings.HasPrefix(from, "/src/project/dist") {
			return Destructive
		}
		return Write
	}
	for command, want := range map[string]policy.Risk{
		"mv a dist": Destructive, "mv a b": Write, "mv dist/a b": Write, "mv dist/a dist/b": Write, "mv -t dist a": Destructive, "mv --target-directory=dist a": Destructive, "mv -tdist a": Destructive,
		"mv -v a b": Write, "mv a b dist": Destructive, "mv -v a dist": Destructive, "mv dist a b": Write,
	} {
		if v := Classify(command, o); v.Risk != want {
			t.Errorf("%s is %s, want %s: %v", command, v.Risk, want, v.Reasons)
		}
	}
}
