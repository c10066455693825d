package classify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/workspace"
)

// TestCharacters has the first and the last one of each range of characters that nobody
// sees, and their neighbours.
func TestCharacters(t *testing.T) {
	for risk, all := range map[policy.Risk][]rune{
		Read:  {0x20, 0x7e, 0xa1, 0x61b, 0x2010, 0x2030, 0x206a, 0xfdff, 0xfe0f, 0xe0080, '\t', '\n'},
		Write: {0x61c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069},
		Destructive: {1, 0x1f, 0x7f, 0x80, 0x9f, 0xa0, 0xad, 0x200a, 0x200b, 0x200d, 0x2028, 0x2029, 0x202f, 0x2060, 0x2061, 0x2064, 0x3000, 0xfe00, 0xfe0d, 0xfeff,
			0xe0000, 0xe007f},
	} {
		for _, r := range all {
			if v := Classify("echo a"+string(r)+"b", world); v.Risk != risk && r != '\n' {
				t.Errorf("%U is %s, not %s", r, v.Risk, risk)
			}
		}
	}
}

// TestUnparsed has what is too long or no text: no command of it is listed.
func TestUnparsed(t *testing.T) {
	for _, command := range []string{"ls; echo " + strings.Repeat("a", maxBytes), "ls\x00", strings.Repeat("(", maxDepth+1) + "ls" + strings.Repeat(")", maxDepth+1)} {
		if v := Classify(command, world); v.Risk != Destructive || len(v.Commands) != 0 {
			t.Errorf("%.20q is %s, with %d commands", command, v.Risk, len(v.Commands))
		}
	}
}

// TestTouched lists the paths that are named exactly, each use of one once.
func TestTouched(t *testing.T) {
	v := Classify(`cat a a $x > b; touch a "$y"`, world)
	want := []Touch{{"/src/project/b", schema.WritePath}, {"/src/project/a", schema.ReadPath}, {"/src/project/a", schema.WritePath}}
	if d := cmp.Diff(want, v.Touched); d != "" {
		t.Error(d)
	}
	var b strings.Builder
	for i := range maxTouched + 1 {
		fmt.Fprintf(&b, " ../%d", i)
	}
	o := world
	o.Stray = func(string) bool { return true }
	if v := Classify("cat"+b.String(), o); len(v.Touched) != maxTouched || len(v.Strays) != maxTouched {
		t.Errorf("%d paths and %d strays", len(v.Touched), len(v.Strays))
	}
}

// TestDiscards has git take content out of the working tree, and asks what that loses
// where it is certain which files these are.
func TestDiscards(t *testing.T) {
	o := world
	o.Exists = func(abs string) bool {
		return slices.Contains([]string{"/src/project/.git", "/src/project/lib/.git", "/src/project/a"}, abs)
	}
	for command, want := range map[string]string{
		"git checkout -- a": "a", "git checkout a": "a", "git checkout -q -- a sub/b": "a sub/b", "git restore a": "a", "cd sub && git restore a": "a sub/a",
		"git reset --hard": "staged", "git clean -fd": "untracked .", "git clean -f sub": "untracked sub", "cd sub && git clean -f": "untracked . sub",
		"cd sub && git reset --hard": "staged", "git restore a; git restore b": "a,b",

		// Nobody is asked: more than these files may go, or others.
		"git checkout .": ".", "git restore :/": "", "git restore :a": "", "git restore a*": "", "git restore 'a*'": "", `git restore "$x"`: "", "git restore ''": "",
		"git restore a ../b": "", "git -C sub restore a": "", "cd lib && git restore a": "", "cd .. && git clean -f": "", "cd - && git reset --hard": "", `git restore 'a\b'`: "",
		"git restore --config=x a": "", "touch b && git restore a": "", "git stash drop": "", "git checkout b": "", `git checkout "$x"`: "",
	} {
		var asked []string
		o.Discards = func(d Discard) policy.Risk {
			var all []string
			if d.Staged {
				all = append(all, "staged")
			}
			if d.Untracked {
				all = append(all, "untracked")
			}
			for _, p := range d.Paths {
				rel, _ := workspace.Rel(p, o.Root)
				all = append(all, rel)
			}
			asked = append(asked, strings.Join(all, " "))
			return Write
		}
		v := Classify(command, o)
		if got := strings.Join(asked, ","); got != want {
			t.Errorf("%s: asked about %q, not %q", command, got, want)
		}
		if lost := want == "" && command != "git checkout b"; (v.Risk == Destructive) != lost {
			t.Errorf("%s is %s: %v", command, v.Risk, v.Reasons)
		}
		o.Discards = func(Discard) policy.Risk { return Destructive }
		if v := Classify(command, o); v.Risk != Destructive && command != "git checkout b" {
			t.Errorf("%s loses work and is %s", command, v.Risk)
		}
	}
	o.Exists = nil
	if v := Classify("git restore a", o); v.Risk != Destructive {
		t.Errorf("it is not known whose repository this is: %s", v.Risk)
	}
}

// TestGuardedPaths has what other programs obey, in the workspace and outside, and what
// the caller protects.
func TestGuardedPaths(t *testing.T) {
	o := world
	o.Protect = func(rel string) bool { return rel == "mine" || rel == "." || rel == "" }
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

// TestGuardedRoot has a workspace in a directory that other programs obey.
func TestGuardedRoot(t *testing.T) {
	a := &analysis{o: Options{Root: "/home/ann/.claude/work"}}
	if a.guardedPath("/home/ann/.claude/work/a") || !a.guardedPath("/home/ann/.claude/a") {
		t.Error("what is in the workspace is not told from what is beside it")
	}
}

// TestStrays lists the words that name a path outside, by themselves or behind an option.
func TestStrays(t *testing.T) {
	o := world
	o.Exists = func(abs string) bool { return abs == "/etc" || abs == "/src" || abs == "/dev" }
	o.Stray = func(abs string) bool { return !strings.HasPrefix(abs, "/fine/") }
	for command, want := range map[string]string{
		"cat /etc/hosts": "/etc/hosts", "cat a": "", "cat --file=/etc/x": "--file=/etc/x", "dd if=/etc/x": "if=/etc/x", "cc -I/etc/x a.c": "-I/etc/x", "cat -- /etc/a /etc/a": "/etc/a",
		"cat ../up": "../up", "cat ../project/a": "", "cat /fine/a": "", "grep /api/v1 a": "", "curl http://h/etc": "", "cd": "cd", "cd a": "", "cat < /etc/x": "/etc/x", "ls -l": "", "ls -": "",
		"cat << /etc/x\na\n/etc/x": "", "ls > /dev/null": "", "cat /etc/a /etc/b": "/etc/a /etc/b", "/etc/x a": "",
		"cat ../../nope/x": "../../nope/x", "cat =/etc/x": "=/etc/x", "cat /dev/fd/3 /dev/null /dev/stdin": "", "cat /dev/sda": "/dev/sda",
	} {
		if got := strings.Join(Classify(command, o).Strays, " "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	o.Exists = nil // any first name may be that of a directory
	if got := Classify("grep /api/v1 a", o).Strays; len(got) != 1 {
		t.Errorf("a path that may exist: %q", got)
	}
	o.Stray = nil
	if got := Classify("cd; cat /etc/hosts", o).Strays; got != nil {
		t.Errorf("nobody asked for %q", got)
	}
}

// TestMoves moves what cannot be made anew among what is deleted unasked.
func TestMoves(t *testing.T) {
	o := world
	o.Moves = func(from, to string) policy.Risk {
		if strings.HasPrefix(to, "/src/project/dist") && !strings.HasPrefix(from, "/src/project/dist") {
			return Destructive
		}
		return Write
	}
	for command, want := range map[string]policy.Risk{
		"mv a dist": Destructive, "mv a b": Write, "mv dist/a b": Write, "mv dist/a dist/b": Write, "mv -t dist a": Destructive, "mv --target-directory=dist a": Destructive, "mv -tdist a": Destructive,
		"mv -tdist=1 a": Destructive, "mv -vtdist a": Destructive, "mv --verbose a b": Write, "mv -v --target-directory dist a": Destructive,
		"mv -v a b": Write, "mv a b dist": Destructive, "mv -v a dist": Destructive, "mv dist a b": Write,
	} {
		if v := Classify(command, o); v.Risk != want {
			t.Errorf("%s is %s, want %s: %v", command, v.Risk, want, v.Reasons)
		}
	}
}
