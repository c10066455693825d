//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// changeMetadata changes modes, times, groups and attributes in all the ways
// that programs do. What it prints and leaves must not depend on the sandbox.
const changeMetadata = `
umask 022
mkdir -p d/e; touch f d/g; ln -s f link; ln -s nothing dangling
chmod 751 d; chmod u+x,g-r f; chmod 640 link; chmod 600 d/e/../g; (cd d && chmod 700 e && chmod 2750 ../d)
chmod 600 nothing; chmod 600 "$PWD/d/g/x"; chmod 600 /proc/self/fd/0/../none
touch -d '2001-02-03 04:05:06.789' f; touch -h -d '2002-01-01' dangling; touch -a -d '2003-01-01' d/g
chgrp "$(id -g)" f; chown "$(id -u):$(id -g)" d/g; chown 12345 f; chown -h "$(id -u)" dangling
cp -a f copy; cp -a link copiedlink; mkdir t; tar cf - d f | tar xpf - -C t
exec 5<f; chmod 604 /dev/fd/5; exec 5<&-
mv f moved; chmod 444 moved
stat -c '%n %a %U %G %Y %F' $(find . ! -name attempt ! -path './.git*' | sort) | sed 's/ [0-9]* directory/ directory/; s/17[0-9]* symbolic/now symbolic/; s/\(17\)[0-9]* regular/now regular/'
`

// TestMetadata compares with what happens without any sandbox.
func TestMetadata(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			plain, confined := newProfile(t), newProfile(t)
			want := run(t, sandbox.None, plain, "sh", "-c", changeMetadata)
			got := run(t, kind, confined, "sh", "-c", changeMetadata)
			if d := cmp.Diff(strings.ReplaceAll(want.out, plain.Workspace, "W"), strings.ReplaceAll(got.out, confined.Workspace, "W")); d != "" && os.Geteuid() != 0 {
				t.Errorf("%s\n%s", d, got.out)
			} else if d != "" {
				// Root may give files away, until it is in a sandbox.
				if d := cmp.Diff(without(want.out, plain.Workspace), without(got.out, confined.Workspace)); d != "" {
					t.Errorf("%s\n%s", d, got.out)
				}
			}
		})
	}
}

// without leaves out what root alone may do, and what follows from it.
func without(out, dir string) string {
	var kept strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(out, dir, "W")) {
		if !strings.Contains(line, "changing ownership") && !strings.Contains(line, "Cannot change ownership") {
			kept.WriteString(strings.ReplaceAll(strings.ReplaceAll(line, "UNKNOWN", "root"), "12345", "root"))
		}
	}
	return kept.String()
}

// TestMetadataOfPrograms asks the calls of Python, which makes all of them.
func TestMetadataOfPrograms(t *testing.T) {
	if _, err := exec.LookPath("/usr/bin/python3"); err != nil {
		t.Skip("no python3")
	}
	const script = `
import os, sys
def attempt(what, f):
    try: f(); print(what, "ok")
    except OSError as e: print(what, os.strerror(e.errno))
d = os.open("d", os.O_RDONLY)
f = os.open("a", os.O_RDONLY)
out = os.open(sys.argv[1], os.O_RDONLY)
attempt("fchmod", lambda: os.fchmod(f, 0o640))
attempt("fchmodat", lambda: os.chmod("x", 0o600, dir_fd=d))
attempt("utimensat", lambda: os.utime("x", ns=(1, 2), dir_fd=d))
attempt("futimens", lambda: os.utime(f, ns=(3, 4)))
attempt("now", lambda: os.utime("a"))
attempt("fchown", lambda: os.fchown(f, os.getuid(), os.getgid()))
attempt("setxattr", lambda: os.setxattr("a", "user.k", b"v"))
attempt("fsetxattr", lambda: os.setxattr(f, "user.l", b"w"))
attempt("create", lambda: os.setxattr("a", "user.l", b"z", os.XATTR_CREATE))
attempt("removexattr", lambda: os.removexattr("a", "user.k"))
attempt("security", lambda: os.setxattr("a", "security.x", b"v"))
attempt("setuid", lambda: os.chmod("a", 0o4755))
attempt("long", lambda: os.chmod("y" * 5000, 0o600))
attempt("fchmod outside", lambda: os.fchmod(out, 0o666))
attempt("futimens outside", lambda: os.utime(out))
attempt("fsetxattr outside", lambda: os.setxattr(out, "user.k", b"v"))
attempt("fd outside", lambda: os.chmod("/proc/self/fd/%d" % out, 0o666))
attempt("link outside", lambda: (os.symlink(sys.argv[1], "way"), os.chmod("way", 0o666)))
attempt("device", lambda: os.chmod("/dev/null", 0o666))
attempt("device inherited", lambda: os.fchmod(0, 0o666))
attempt("device through it", lambda: os.chmod("/proc/self/fd/0", 0o666))
attempt("protected", lambda: os.chmod(".git/config", 0o666))
print(sorted(os.listxattr("a")), oct(os.stat("a").st_mode), oct(os.stat("d/x").st_mode), os.stat("d/x").st_mtime_ns)
`
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := workspaceIn(t, outsideDir(t))
			outside := filepath.Join(filepath.Dir(p.Workspace), "outside")
			if err := os.Mkdir(filepath.Join(p.Workspace, "d"), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(p.Workspace, "d/x"), "x")
			before := census(t, filepath.Dir(p.Workspace), p.Workspace, p.Temp)
			o := run(t, kind, p, "/usr/bin/python3", "-c", script, outside)
			const refused, readonly = "Operation not permitted", "Read-only file system"
			no, setuid := refused, refused
			if kind == sandbox.Namespaces {
				no, setuid = readonly, "ok" // no way to run it with other rights leads out of these
			}
			want := strings.Join([]string{
				"fchmod ok", "fchmodat ok", "utimensat ok", "futimens ok", "now ok", "fchown ok", "setxattr ok", "fsetxattr ok", "create File exists",
				"removexattr ok", "security " + refused, "setuid " + setuid, "long File name too long", "fchmod outside " + no, "futimens outside " + no,
				"fsetxattr outside " + no, "fd outside " + no, "link outside " + no, "device " + no, "device inherited " + no, "device through it " + no, "protected " + no,
				"['user.l'] " + map[bool]string{true: "0o104755", false: "0o100640"}[setuid == "ok"] + " 0o100600 2", "",
			}, "\n")
			if d := cmp.Diff(want, o.out); d != "" {
				t.Error(d)
			}
			if changed := differences(before, census(t, filepath.Dir(p.Workspace), p.Workspace, p.Temp)); len(changed) > 0 {
				t.Errorf("%q", changed)
			}
		})
	}
}

// outsideDir is a directory that no sandbox replaces, and that goes with the
// test.
func outsideDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(outsideOfTmp(t), "sandbox-") //nolint:usetesting // the place matters
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Log(err)
		}
	})
	return dir
}
