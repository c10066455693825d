//go:build linux && (amd64 || arm64)

package linux

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// gaps are attempts that a kind cannot refuse, by the word of its report.
var gaps = map[sandbox.Kind]map[string]string{
	sandbox.Landlock: {
		"write a hook": "protected_paths_restored", "write git's settings": "protected_paths_restored", "swap .git": "protected_paths_restored",
	},
}

// TestEscapes tries to get out of every kind, with a workspace below /tmp, which
// namespaces replace, and with one that is not.
func TestEscapes(t *testing.T) {
	for _, place := range []string{"elsewhere", "below /tmp"} {
		t.Run(place, func(t *testing.T) {
			base := "/tmp"
			if place == "elsewhere" {
				base = outsideOfTmp(t)
			}
			all := kinds(t)
			results := map[sandbox.Kind]map[string]string{}
			for _, kind := range all {
				results[kind] = escapes(t, kind, base)
			}
			var table strings.Builder
			fmt.Fprintf(&table, "%-42s", "")
			for _, kind := range all {
				fmt.Fprintf(&table, " | %-28s", kind)
			}
			table.WriteString("\n")
			for _, p := range probes(victim{}) {
				fmt.Fprintf(&table, "%-42s", p.name)
				for _, kind := range all {
					word := results[kind][p.name]
					if i := strings.LastIndex(word, ": "); i >= 0 {
						word = word[i+2:]
					}
					fmt.Fprintf(&table, " | %-28.28s", word)
				}
				table.WriteString("\n")
			}
			t.Logf("as user %d, workspace below %s\n%s", os.Geteuid(), base, table.String())
		})
	}
}

// isReplaced reports whether a directory lies in one that a sandbox replaces.
func isReplaced(dir string) bool {
	return slices.ContainsFunc(replaced, func(r string) bool { return workspace.WithinOS(dir, r) })
}

// outsideOfTmp finds a directory that no sandbox replaces by one of its own.
func outsideOfTmp(t *testing.T) string {
	t.Helper()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{wd, os.Getenv("HOME"), "/opt", "/srv"} {
		if dir != "" && !isReplaced(dir) && unix.Access(dir, unix.W_OK) == nil {
			return dir
		}
	}
	t.Skip("no directory outside of /tmp may be written to")
	return ""
}

// escapes returns the result of each probe. A call that seems to succeed counts by what
// it did to the host: in a directory of the sandbox's own it does nothing.
func escapes(t *testing.T, kind sandbox.Kind, place string) map[string]string {
	t.Helper()
	dir, err := os.MkdirTemp(place, "escapes-") //nolint:usetesting // the place matters
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Log(err)
		}
	}()
	p := workspaceIn(t, dir)
	base := filepath.Dir(p.Workspace)
	g := victim{
		Workspace: p.Workspace, Secret: filepath.Join(base, "secret/key"), Outside: filepath.Join(base, "outside"),
		Pipe: filepath.Join(base, "pipe"), Socket: filepath.Join(base, "s"), Abstract: "@helve-test-" + strconv.Itoa(os.Getpid()), PID: os.Getpid(),
	}
	if err := unix.Mkfifo(g.Pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tcp.Close() }() // nothing was written
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = udp.Close() }() // nothing was written
	for _, address := range []string{g.Socket, g.Abstract} {
		l, err := net.Listen("unix", address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }() // nothing was written
	}
	g.SharedMemory = os.Getpid()
	segment, err := unix.SysvShmGet(g.SharedMemory, 4096, unix.IPC_CREAT|unix.IPC_EXCL|0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := unix.SysvShmCtl(segment, unix.IPC_RMID, nil); err != nil {
			t.Error(err)
		}
	}()
	g.TCP, g.UDP = tcp.Addr().(*net.TCPAddr).Port, udp.LocalAddr().(*net.UDPAddr).Port
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(p.Workspace, "attempt")
	if err := os.WriteFile(program, self, 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	before := census(t, base, p.Workspace, p.Temp)
	o := run(t, kind, p, program, "__attempt", string(text))
	results := map[string]string{}
	for line := range strings.Lines(o.out) {
		name, word, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		results[name] = word
	}
	if o.ExitCode != 0 || len(results) != len(probes(g)) {
		t.Fatalf("%s: %+v %q", kind, o.State, o.out)
	}
	changed := differences(before, census(t, base, p.Workspace, p.Temp))
	private := kind == sandbox.Namespaces && isReplaced(base)
	for name, word := range results {
		gap, known := gaps[kind][name]
		switch {
		case word != "DONE":
		case known && slices.Contains(o.sb.Report().Degraded, gap):
			results[name] = "undone" // seen to below
		case private && onFiles(name) && len(changed) == 0:
			results[name] = "in a directory of its own"
		default:
			t.Errorf("%s: %s: succeeded", kind, name)
		}
	}
	if len(changed) > 0 {
		t.Errorf("%s: on the host changed %q", kind, changed)
	}
	if _, err := o.sb.Restored(); err != nil {
		t.Errorf("%s: %v", kind, err)
	}
	if got := read(t, filepath.Join(p.Workspace, ".git/config")); got != "[core]\n" {
		t.Errorf("%s: .git/config is %q", kind, got)
	}
	if _, err := os.Lstat(filepath.Join(p.Workspace, ".git/hooks/pre-commit")); err == nil {
		t.Errorf("%s: there is a hook", kind)
	}
	return results
}

// onFiles are the probes that may seem to succeed on a file system that is the
// sandbox's own.
func onFiles(name string) bool {
	return strings.HasSuffix(name, " outside") || strings.HasPrefix(name, "write outside") || name == "move out"
}

// census describes everything below a directory, but for some of it, as far as
// anybody could change it.
func census(t *testing.T, dir string, but ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || slices.Contains(but, name) {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		var st unix.Stat_t
		if err := unix.Lstat(name, &st); err != nil {
			return err
		}
		text := fmt.Sprintf("mode %o owner %d:%d links %d size %d modified %d.%d", st.Mode, st.Uid, st.Gid, st.Nlink, st.Size, st.Mtim.Sec, st.Mtim.Nsec)
		if d.Type().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text += fmt.Sprintf(" bytes %q", data)
		}
		attributes := make([]byte, 1<<10)
		if n, err := unix.Llistxattr(name, attributes); err == nil {
			text += fmt.Sprintf(" attributes %q", attributes[:n])
		}
		all[name] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func differences(before, after map[string]string) []string {
	var all []string
	for name, was := range before {
		if now := after[name]; now != was {
			all = append(all, fmt.Sprintf("%s: %s -> %s", name, was, now))
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			all = append(all, name+": new")
		}
	}
	slices.Sort(all)
	return all
}

// TestUnprivileged runs the escapes again as a user without any rights.
func TestUnprivileged(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	dir, err := os.MkdirTemp("/opt", "helve-sandbox-test-") //nolint:usetesting // that one is below /tmp
	if err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Log(err)
		}
	}()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "sandbox.test")
	if err := os.WriteFile(program, self, 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "-test.run", "^(TestEscapes|TestFirstProcess|TestUnreachable|TestShut|TestRuns|TestProtected|TestPlanted|TestRestoringStaysInside|TestMovedAside|TestPreview|TestLeftovers)$", "-test.v")
	c.Dir = dir
	c.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + dir}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%v", err)
	}
	t.Logf("%s", out)
}
