package gocache

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == Argument {
		os.Exit(Serve(os.Args[2], os.Args[3], os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// TestBuild has the go command build with what another cache holds, and leave that as it is.
func TestBuild(t *testing.T) {
	t.Parallel()
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	own, machine, module := filepath.Join(t.TempDir(), "it's own"), t.TempDir(), t.TempDir()
	write(t, filepath.Join(module, "go.mod"), "module example\n")
	for _, one := range []string{"one", "two", "three"} { // which import nothing, so that little is built
		write(t, filepath.Join(module, one, "a.go"), "package "+one+"\n\nfunc Name() string { return \""+one+"\" }\n")
	}
	build := func(cache, program string) (compiled int) {
		t.Helper()
		c := exec.CommandContext(t.Context(), goCommand, "build", "-x", "./...")
		c.Dir = module
		c.Env = append(os.Environ(), "GOCACHE="+cache, "GOCACHEPROG="+program, "GOFLAGS=", "CGO_ENABLED=0")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.Count(string(out), "/compile ")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, ok := Value(self, own, machine)
	if !ok {
		t.Skip("a path with both quotes")
	}
	if got := build(machine, ""); got != 3 {
		t.Fatalf("an empty cache: %d packages were compiled", got)
	}
	before := listing(t, machine)
	for _, c := range []struct {
		name, edit string
		want       int
	}{{"what the machine has", "", 0}, {"one package", "\nvar Two = 2\n", 1}, {"what it has written", "", 0}} {
		if c.edit != "" {
			write(t, filepath.Join(module, "one/a.go"), "package one\n"+c.edit)
		}
		if got := build(own, program); got != c.want {
			t.Errorf("%s: %d packages were compiled, want %d", c.name, got, c.want)
		}
	}
	if after := listing(t, machine); after != before {
		t.Error("the cache of the machine has changed")
	}
	// The go command itself reads what was written, and no more.
	if got := build(own, ""); got != 2 {
		t.Errorf("without the program: %d packages were compiled", got)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// listing has the files below a directory with their sizes and times.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			fmt.Fprintln(&all, path, info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// exchange returns the answers to requests, each with its body, after the first message.
func exchange(t *testing.T, own, machine string, requests ...request) (all []response) {
	t.Helper()
	var in, out bytes.Buffer
	for i, q := range requests {
		q.ID = int64(i + 1)
		text, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&in, "%s\n\n", text)
		if q.BodySize > 0 {
			fmt.Fprintf(&in, "%q\n", base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{'x'}, int(q.BodySize))))
		}
	}
	if status := Serve(own, machine, &in, &out); status != 0 {
		t.Fatalf("status %d", status)
	}
	for line := bufio.NewScanner(&out); line.Scan(); {
		var r response
		if err := json.Unmarshal(line.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all[1:]
}

func id(name string) []byte {
	sum := sha256.Sum256([]byte(name))
	return sum[:]
}

// TestServe has bodies of all remainders, what is damaged, and what cannot be written.
func TestServe(t *testing.T) {
	t.Parallel()
	own, machine := t.TempDir(), t.TempDir()
	var puts, gets []request
	sizes := []int64{0, 1, 2, 3, 4, 5, 3 * 4096, 100_001}
	for _, size := range sizes {
		action, output := id(fmt.Sprint("action", size)), id(fmt.Sprint("output", size))
		puts = append(puts, request{Command: "put", ActionID: action, OutputID: output, BodySize: size})
		gets = append(gets, request{Command: "get", ActionID: action})
	}
	for i, r := range exchange(t, machine, own, puts...) {
		if data, err := os.ReadFile(r.DiskPath); r.Err != "" || err != nil || int64(len(data)) != sizes[i] {
			t.Errorf("%d bytes: %+v, %d, %v", sizes[i], r, len(data), err)
		}
	}
	for i, r := range exchange(t, own, machine, gets...) {
		if r.Miss || r.Size != sizes[i] || filepath.Dir(filepath.Dir(r.DiskPath)) != machine {
			t.Errorf("%d bytes: %+v", sizes[i], r)
		}
	}
	write(t, filepath.Join(machine, name(id("output3"), "-d")), "cut")    // the right size
	write(t, filepath.Join(machine, name(id("output4"), "-d")), "cut")    // a wrong one
	write(t, filepath.Join(machine, name(id("action5"), "-a")), "v1 00 ") // not complete
	for i, r := range exchange(t, own, machine, gets...) {
		if want := sizes[i] == 4 || sizes[i] == 5; r.Miss != want {
			t.Errorf("damaged, %d bytes: %+v", sizes[i], r)
		}
	}
	for _, r := range exchange(t, filepath.Join(machine, name(id("output3"), "-d")), machine, puts[0], request{Command: "put"}, request{Command: "get"}, request{Command: "other"}, gets[0]) {
		if good := r.ID == 5; good != (r.Err == "" && !r.Miss) {
			t.Errorf("nowhere to write: %+v", r)
		}
	}
}

// TestTrim removes what is old, once a day.
func TestTrim(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	put := func(name string) request {
		return request{Command: "put", ActionID: id(name), OutputID: id(name), BodySize: 1}
	}
	age := func(name string, by time.Duration) {
		t.Helper()
		then := time.Now().Add(-by)
		if err := os.Chtimes(filepath.Join(own, name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	exchange(t, own, "", put("old"), put("used"), request{Command: "close"})
	for _, one := range []string{"old", "used"} {
		age(name(id(one), "-a"), 2*trimLimit)
		age(name(id(one), "-d"), 2*trimLimit)
	}
	has := func(want ...bool) {
		t.Helper()
		for i, r := range exchange(t, own, "", request{Command: "get", ActionID: id("old")}, request{Command: "get", ActionID: id("used")})[2-len(want):] {
			if r.Miss == want[i] {
				t.Errorf("%d: %+v", i, r)
			}
		}
	}
	exchange(t, own, "", request{Command: "get", ActionID: id("used")}, request{Command: "close"}) // on the same day
	age("trim.txt", 2*trimInterval)
	exchange(t, own, "", request{Command: "close"})
	has(false, true)
}

// FuzzServe reads whatever is sent, and whatever an entry holds.
func FuzzServe(f *testing.F) {
	f.Add([]byte(`{"ID":1,"Command":"get","ActionID":"AAAA"}`+"\n"), "v1 00 00 1 1\n")
	f.Add([]byte(`{"ID":1,"Command":"put","ActionID":"AAAA","OutputID":"AAAA","BodySize":4}`+"\n\n\"AAAA\"\n"), "")
	f.Fuzz(func(t *testing.T, in []byte, text string) {
		own := t.TempDir()
		Serve(own, "", bytes.NewReader(in), new(bytes.Buffer))
		action := id("x")
		write(t, filepath.Join(own, name(action, "-a")), text)
		if r := exchange(t, own, "", request{Command: "get", ActionID: action})[0]; !r.Miss {
			t.Errorf("%q leads to %+v", text, r)
		}
	})
}
