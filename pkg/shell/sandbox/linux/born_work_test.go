//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestGitBirths makes repositories as git does, and by copying them.
func TestGitBirths(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := surveyed(newProfile(t))
			o := runWith(t, kind, p, []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}, "sh", "-ec", `
				git init -q n; git -C n -c user.name=a -c user.email=a@b commit -q --allow-empty -m x; git -C n config user.name me; git -C n config user.name
				git clone -q n m; git -C m remote; git -C n worktree add -q ../w; git -C w status --short; git init -q --bare b; git -C m push -q ../b HEAD; cp -r m c`)
			restored, err1 := o.sb.Restored()
			moved, err2 := o.sb.Planted()
			if o.ExitCode != 0 || o.out != "me\norigin\n" || len(restored)+len(moved) > 0 || err1 != nil || err2 != nil {
				t.Errorf("%+v %s %q %v %v %v", o.State, o.out, restored, moved, err1, err2)
			}
			for _, name := range []string{"n/.git", "m/.git", "c/.git", "b"} {
				if text := read(t, filepath.Join(p.Workspace, name, "config")); !strings.Contains(text, "bare = ") {
					t.Errorf("%s: %q", name, text)
				}
			}
		})
	}
}

// ordinary makes files in many ways, none of which anybody obeys, and shows what came of it.
const ordinary = `
mkdir w; cd w; umask 027; mkdir -p a/b/c; mkdir a; mkdir -m 1777 s; echo x > a/f; umask 002; echo y > a/g; (umask 077; echo z > a/h; mkdir a/i)
echo more >> a/f; : > a/g; cat < a/f; ln a/f a/k; ln -s f a/l; ln -s nowhere a/m; echo through > a/m; cat a/nowhere; ln -s loop loop; echo x > loop
echo x > a; echo x > a/f/x; echo x > none/x; echo x > ./a/../top; mkdir top; mkdir none/x; mkdir a/; mkdir a/n/; mv a/n a/o; mv a/o/ a/p/; mv a/f/ q; mv none x
mv -T a/p a/b; mv -T a/b a/p; ln a/p hard; ln none hard; ln -s a b; echo x > b/viab; rm b; set -C; echo x > top; set +C
echo out > /dev/stdout; echo err > /dev/stderr; echo fd > /dev/fd/1; echo self > /proc/self/fd/1; exec 3> a/three; echo three > /dev/fd/3; echo again >&3; cat a/three; echo null > /dev/null
mkfifo pipe; echo through the pipe > pipe & cat pipe; wait; cat pipe & echo the other way > pipe; wait; echo tty > /dev/tty; mktemp -d tmp.XXXXXX | cut -c1-4
long=$(printf '%0256d' 0); echo x > $long; mkdir $long; truncate -s 5 a/f; truncate -s 5 a/none; truncate -s 5 a; wc -c < a/k; install -m 750 a/f a/inst; install -d -m 2770 a/dir; cp -a a copy; tar cf t.tar a; mkdir ex; tar xf t.tar -C ex
cd a; echo x > ../up; mv ../up .; echo x > /proc/self/cwd/here; cd ..; rm -rf s tmp.*
find . -printf '%p %M %s %n %l
' | grep -v tar | sort
`

// TestOrdinaryBirths compares with what happens without any sandbox.
func TestOrdinaryBirths(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			bash, err := exec.LookPath("bash")
			if err != nil {
				t.Skip("no bash")
			}
			plain, confined := newProfile(t), surveyed(newProfile(t))
			want := run(t, sandbox.None, plain, bash, "-c", ordinary)
			got := run(t, kind, confined, bash, "-c", ordinary)
			if diff := cmp.Diff(strings.ReplaceAll(want.out, plain.Workspace, "W"), strings.ReplaceAll(got.out, confined.Workspace, "W")); diff != "" {
				t.Errorf("%s\n%s", diff, got.out)
			}
			restored, err1 := got.sb.Restored()
			moved, err2 := got.sb.Planted()
			if len(restored)+len(moved) > 0 || err1 != nil || err2 != nil {
				t.Errorf("%q %v %v %v", restored, moved, err1, err2)
			}
		})
	}
}

// makeFiles makes as many files as a large build, each as compilers do.
func makeFiles(count int) int {
	for i := range count {
		name := fmt.Sprintf("d%d/f%d.o", i%50, i)
		if i < 50 {
			if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
				return 1
			}
		}
		if err := os.WriteFile(name, []byte(evil), 0o644); err != nil {
			return 1
		}
	}
	return 0
}

// BenchmarkBirths makes 10,000 files with and without a nursery. The times are those of the
// processors, for helve and the command together.
func BenchmarkBirths(b *testing.B) {
	const count = 10_000
	spent := func() (all int64) {
		for _, who := range [...]int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
			var u unix.Rusage
			if err := unix.Getrusage(who, &u); err != nil {
				b.Fatal(err)
			}
			all += u.Utime.Nano() + u.Stime.Nano()
		}
		return all
	}
	for _, kind := range []sandbox.Kind{sandbox.Namespaces, sandbox.Landlock} {
		for _, watched := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/%t", kind, watched), func(b *testing.B) {
				var all int64
				for b.Loop() {
					p := workspaceIn(b, b.TempDir())
					if watched {
						p = surveyed(p)
					}
					program := copySelf(b, p.Workspace)
					before := spent()
					if o := run(b, kind, p, program, "__make", strconv.Itoa(count)); o.ExitCode != 0 {
						b.Fatalf("%+v %s", o.State, o.out)
					}
					all += spent() - before
				}
				b.ReportMetric(float64(all)/float64(b.N)/count, "cpu-ns/file")
			})
		}
	}
}
