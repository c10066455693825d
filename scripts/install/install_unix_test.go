//go:build unix

// Package install_test runs install.sh against releases on a loopback server.
package install_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// release is what a server has, by name.
type release map[string][]byte

// archive is the name of the archive of this machine.
func archive(version string) string {
	return "helve_" + version + "_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
}

// program is a helve that only knows its version.
func program(version string) string {
	return "#!/bin/sh\nprintf '{\"ok\":true,\"data\":{\"version\":\"" + version + "\"}}\\n'\n"
}

// makeRelease returns a release of a version with a program.
func makeRelease(t *testing.T, version, program string) release {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range []struct{ name, text string }{
		{"LICENSE", "MIT"}, {"completions/helve.bash", "bash"}, {"completions/helve.fish", "fish"}, {"completions/helve.ps1", "ps1"}, {"completions/helve.zsh", "zsh"},
		{"helve", program}, {"man/helve-config.5.gz", "settings"}, {"man/helve-read.1.gz", "read"}, {"man/helve.1.gz", "all"},
	} {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.text)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(f.text)); err != nil {
			t.Fatal(err)
		}
	}
	if w.Close() != nil || z.Close() != nil {
		t.Fatal("no archive")
	}
	r := release{archive(version): b.Bytes(), "helve_" + version + "_plan9_mips.tar.gz": []byte("another platform's")}
	r.list()
	return r
}

// list renews the list of checksums.
func (r release) list() {
	var lines []string
	for name, data := range r {
		if strings.HasPrefix(name, "helve_") {
			lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name))
		}
	}
	slices.Sort(lines)
	r["checksums.txt"] = []byte(strings.Join(lines, ""))
}

// serve serves the latest release and others by their tags.
func serve(t *testing.T, latest release, others map[string]release) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		dir, name := filepath.Split(r.URL.Path)
		from := latest
		if dir != "/latest/download/" {
			from = others[strings.TrimSuffix(strings.TrimPrefix(dir, "/download/"), "/")]
		}
		data, there := from[name]
		if !there {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data) // the client may be gone
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// machine is where an installer runs: a home, and programs.
type machine struct {
	home, tmp, bin string
	env            []string
}

// newMachine has the programs that the script uses, and none to check signatures.
func newMachine(t *testing.T, base string) *machine {
	t.Helper()
	m := &machine{home: filepath.Join(t.TempDir(), "a home"), tmp: t.TempDir(), bin: t.TempDir()}
	if err := os.Mkdir(m.home, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sh", "uname", "sed", "cut", "sha256sum", "shasum", "mktemp", "mkdir", "tar", "gzip", "chmod", "cp", "mv", "rm", "cat", "curl", "sysctl"} {
		if file, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(file, filepath.Join(m.bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl")
	}
	m.env = []string{"HOME=" + m.home, "TMPDIR=" + m.tmp, "PATH=" + m.bin, "HELVE_INSTALL_BASE=" + base}
	return m
}

// has adds a program to the machine.
func (m *machine) has(t *testing.T, name, script string) {
	t.Helper()
	file := filepath.Join(m.bin, name)
	_ = os.Remove(file) // a link that is there, if it is
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), "sh", append([]string{"install.sh"}, args...)...)
	c.Env = m.env
	return c
}

// run runs the installer and returns what it says.
func (m *machine) run(t *testing.T, args ...string) (said string, ok bool) {
	t.Helper()
	out, err := m.command(t, args...).CombinedOutput()
	if left := tree(t, m.tmp); len(left) > 0 {
		t.Errorf("left in TMPDIR: %v", left)
	}
	return string(out), err == nil
}

// tree returns the files below a directory, with their texts.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		files[strings.TrimPrefix(name, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if b[name] != text {
			return false
		}
	}
	return true
}

func TestInstall(t *testing.T) {
	base := serve(t, makeRelease(t, "1.3.0", program("1.3.0")), map[string]release{"v1.2.3": makeRelease(t, "1.2.3", program("1.2.3"))})
	m := newMachine(t, base)
	want := func(version, bin, share string) map[string]string {
		return map[string]string{
			bin + "helve":                                  program(version),
			share + "man/man1/helve.1.gz":                  "all",
			share + "man/man1/helve-read.1.gz":             "read",
			share + "man/man5/helve-config.5.gz":           "settings",
			share + "bash-completion/completions/helve":    "bash",
			share + "zsh/site-functions/_helve":            "zsh",
			share + "fish/vendor_completions.d/helve.fish": "fish",
		}
	}
	said, ok := m.run(t, "--version", "v1.2.3")
	if got := tree(t, m.home); !ok || !same(got, want("1.2.3", ".local/bin/", ".local/share/")) {
		t.Fatalf("%s\n%v", said, got)
	}
	for _, part := range []string{"helve 1.2.3 is in " + m.home + "/.local/bin", "signature: not checked, as neither cosign nor gh", "export PATH="} {
		if !strings.Contains(said, part) {
			t.Errorf("it does not say %q:\n%s", part, said)
		}
	}
	info, err := os.Stat(m.home + "/.local/bin/helve")
	if err != nil || info.Mode() != 0o755 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	// A newer one in its place, which is another file: whoever runs the old one keeps it.
	for range 2 {
		if said, ok = m.run(t); !ok || !same(tree(t, m.home), want("1.3.0", ".local/bin/", ".local/share/")) {
			t.Fatalf("%s\n%v", said, tree(t, m.home))
		}
		now, err := os.Stat(m.home + "/.local/bin/helve")
		if err != nil || os.SameFile(info, now) {
			t.Errorf("the program was written over: %v", err)
		}
		info = now // a third file may get the number of the first
	}
	// Elsewhere: share is beside a directory that is named bin.
	other := t.TempDir()
	if said, ok = m.run(t, "--dir="+other+"/pre fix/bin/"); !ok || !same(tree(t, other), want("1.3.0", "pre fix/bin/", "pre fix/share/")) {
		t.Errorf("%s\n%v", said, tree(t, other))
	}
	bare := t.TempDir()
	m.env = append(m.env, "HELVE_INSTALL_DIR="+bare, "HELVE_VERSION=1.2.3", "PATH="+m.bin+":"+bare)
	said, ok = m.run(t, "--no-extras")
	if got := tree(t, bare); !ok || !same(got, map[string]string{"helve": program("1.2.3")}) || strings.Contains(said, "export PATH=") {
		t.Errorf("%s\n%v", said, got)
	}
}

// Whatever is wrong with a release, nothing of it is installed, and what was there stays.
func TestRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(release)
		args  []string
		says  string
	}{
		"another archive":         {func(r release) { r[archive("1.3.0")] = append(r[archive("1.3.0")], 0) }, nil, "has the checksum"},
		"a shorter archive":       {func(r release) { r[archive("1.3.0")] = r[archive("1.3.0")][:100] }, nil, "has the checksum"},
		"another checksum":        {func(r release) { r["checksums.txt"] = []byte(strings.Repeat("0", 64) + "  " + archive("1.3.0") + "\n") }, nil, "has the checksum"},
		"an empty checksum":       {func(r release) { r["checksums.txt"] = []byte("  " + archive("1.3.0") + "\n") }, nil, "has no archive for"},
		"no list":                 {func(r release) { delete(r, "checksums.txt") }, nil, "there is no release at"},
		"no archive":              {func(r release) { delete(r, archive("1.3.0")) }, nil, "cannot be downloaded"},
		"no archive for this":     {func(r release) { r["checksums.txt"] = []byte("00  helve_1.3.0_plan9_mips.tar.gz\n") }, nil, "has no archive for"},
		"two archives for this":   {func(r release) { r[archive("1.3.1")] = r[archive("1.3.0")]; r.list() }, nil, "several archives"},
		"a path in the list":      {func(r release) { r["checksums.txt"] = []byte("00  helve_1/../../x_" + archive("")[7:] + "\n") }, nil, "has no archive for"},
		"no archive at all":       {func(r release) { r[archive("1.3.0")] = []byte("<html>"); r.list() }, nil, "cannot be unpacked"},
		"another version":         {func(release) {}, []string{"--version", "9.9.9"}, "there is no release at"},
		"a program of another":    {func(r release) { r.replace(t, program("1.2.9")) }, nil, "says that it is not 1.3.0"},
		"a program that fails":    {func(r release) { r.replace(t, "#!/bin/sh\nexit 3\n") }, nil, "does not run here"},
		"a version that is none":  {func(release) {}, []string{"--version", "../1"}, "is no version"},
		"a signature is required": {func(release) {}, []string{"--require-signature"}, "cannot be checked"},
		"an unknown argument":     {func(release) {}, []string{"--verison"}, "unknown argument"},
		"no value":                {func(release) {}, []string{"--dir"}, "needs a value"},
	} {
		t.Run(name, func(t *testing.T) {
			r := makeRelease(t, "1.3.0", program("1.3.0"))
			c.spoil(r)
			m := newMachine(t, serve(t, r, nil))
			old := map[string]string{".local/bin/helve": "the old one"}
			if err := os.MkdirAll(m.home+"/.local/bin", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(m.home+"/.local/bin/helve", []byte("the old one"), 0o755); err != nil {
				t.Fatal(err)
			}
			if said, ok := m.run(t, c.args...); ok || !strings.Contains(said, c.says) {
				t.Errorf("it does not say %q:\n%s", c.says, said)
			}
			if got := tree(t, m.home); !same(got, old) {
				t.Errorf("what was there is now %v", got)
			}
		})
	}
}

// replace puts another program into the archive.
func (r release) replace(t *testing.T, program string) {
	r[archive("1.3.0")] = makeRelease(t, "1.3.0", program)[archive("1.3.0")]
	r.list()
}

// The programs that check signatures are asked for the identity of the workflow, and
// believed. They are stand-ins: the real ones need the network.
func TestSignature(t *testing.T) {
	r := makeRelease(t, "1.3.0", program("1.3.0"))
	r["checksums.txt.sigstore.json"] = []byte("{}")
	base := serve(t, r, nil)
	for name, c := range map[string]struct {
		program, script string
		ok              bool
		says            string
	}{
		"cosign agrees":    {"cosign", `[ "$1 $2 $4 $6" = "verify-blob --bundle --certificate-oidc-issuer --certificate-identity-regexp" ] && [ -s "$3" ] && [ -s "$8" ]`, true, "by cosign"},
		"cosign disagrees": {"cosign", "echo no such signer; exit 1", false, "no such signer"},
		"gh agrees":        {"gh", `case "$*" in "auth status") ;; "attestation verify "*/` + archive("1.3.0") + `" --repo helve-dev/helve "*) ;; *) exit 1 ;; esac`, true, "by gh attestation"},
		"gh disagrees":     {"gh", `[ "$1" = auth ]`, false, "is not that of a release"},
		"gh is logged out": {"gh", "exit 1", true, "not checked"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, base)
			m.has(t, c.program, c.script)
			said, ok := m.run(t)
			if ok != c.ok || !strings.Contains(said, c.says) || ok != (len(tree(t, m.home)) > 0) {
				t.Errorf("%v, it does not say %q:\n%s", ok, c.says, said)
			}
		})
	}
	// A release that is older than its signature is said to have none.
	m := newMachine(t, serve(t, makeRelease(t, "1.3.0", program("1.3.0")), nil))
	m.has(t, "cosign", "exit 1")
	if said, ok := m.run(t); !ok || !strings.Contains(said, "not checked, as the release has none") {
		t.Error(said)
	}
	if said, ok := m.run(t, "--require-signature"); ok {
		t.Error(said)
	}
}

// With wget alone, as on small systems.
func TestWget(t *testing.T) {
	wget, err := exec.LookPath("wget")
	if err != nil {
		t.Skip("no wget")
	}
	m := newMachine(t, serve(t, makeRelease(t, "1.3.0", program("1.3.0")), nil))
	if err := os.Remove(m.bin + "/curl"); err != nil {
		t.Fatal(err)
	}
	if said, ok := m.run(t); ok || !strings.Contains(said, "curl or wget is needed") {
		t.Error(said)
	}
	if err := os.Symlink(wget, m.bin+"/wget"); err != nil {
		t.Fatal(err)
	}
	if said, ok := m.run(t); !ok {
		t.Error(said)
	}
}

// An installer that is ended while it waits for the archive leaves nothing.
func TestInterrupted(t *testing.T) {
	r := makeRelease(t, "1.3.0", program("1.3.0"))
	asked, end := make(chan bool), make(chan bool)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if strings.HasSuffix(req.URL.Path, "checksums.txt") {
			_, _ = w.Write(r["checksums.txt"]) // the client may be gone
			return
		}
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush() // the client may be gone
		close(asked)
		<-end
	}))
	defer s.Close()
	defer close(end)
	m := newMachine(t, s.URL)
	c := m.command(t)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as the terminal ends all of a job
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := syscall.Kill(-c.Process.Pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil {
		t.Error("it has succeeded")
	}
	if left, got := tree(t, m.tmp), tree(t, m.home); len(left)+len(got) > 0 {
		t.Errorf("left: %v, %v", left, got)
	}
}
