//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// withLayer is a profile with a layer over a directory that has the files a and b.
func withLayer(t *testing.T) (p sandbox.Profile, lower string) {
	t.Helper()
	p = newProfile(t)
	dir := filepath.Dir(p.Workspace)
	if !(System{}).ProbeLayers(dir, support, sandbox.Cache{}) {
		t.Skip("no overlays in user namespaces here")
	}
	lower = filepath.Join(dir, "cache")
	if err := os.MkdirAll(filepath.Join(lower, "secret"), 0o750); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "secret/key"} {
		write(t, filepath.Join(lower, name), name+"\n")
	}
	p.Secrets = append(p.Secrets, filepath.Join(lower, "secret"))
	p.Layers = &sandbox.Layers{Dir: filepath.Join(dir, "layers"), Paths: []string{lower}}
	return p, lower
}

// TestLayers lets commands write to a directory that stays as it is.
func TestLayers(t *testing.T) {
	p, lower := withLayer(t)
	slot0 := filepath.Join(p.Layers.Dir, "0")
	sh := func(script string) string {
		t.Helper()
		o := run(t, sandbox.Namespaces, p, "sh", "-c", "cd "+lower+" && "+script)
		return o.out
	}
	changed := "ls; cat b; stat -c %a .; cat secret/key 2> /dev/null || echo hidden"
	fresh, kept := "a\nb\nsecret\nb\n750\nhidden\n", "b\nn\nsecret\nb\nmore\n750\nhidden\n"
	expect := func(what, want string) {
		t.Helper()
		if got := sh(changed); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	expect("at first", fresh)
	if out := sh("rm a; echo more >> b; echo n > n"); out != "" {
		t.Error(out)
	}
	expect("later", kept)
	if data, err := os.ReadFile(filepath.Join(lower, "b")); err != nil || string(data) != "b\n" {
		t.Errorf("the machine's file is %q, %v", data, err)
	}
	other, err := takeSlot(p.Layers)
	if err != nil || other.dir != slot0 {
		t.Fatalf("%+v, %v", other, err)
	}
	expect("beside another command", fresh)
	other.free()
	expect("again", kept)

	read := p
	read.Filesystem = sandbox.ReadOnly
	run(t, sandbox.Namespaces, read, "sh", "-c", "touch "+lower+"/x "+slot0+"/x 2> /dev/null")
	for _, dir := range []string{lower, slot0} {
		if _, err := os.Lstat(filepath.Join(dir, "x")); err == nil {
			t.Errorf("a command that reads writes to %s", dir)
		}
	}

	// What is broken, too old or too large is dropped.
	upper := other.overlays[0].Upper
	if err := os.RemoveAll(upper); err != nil {
		t.Fatal(err)
	}
	write(t, upper, "not a directory")
	expect("with a broken layer", fresh)
	for what, spoil := range map[string]func() error{
		"too large": func() error {
			before := time.Now().Add(-2 * slotCheck)
			if err := os.Chtimes(filepath.Join(slot0, checked), before, before); err != nil {
				return err
			}
			f, err := os.Create(filepath.Join(upper, "large"))
			if err != nil {
				return err
			}
			defer f.Close()
			return f.Truncate(slotBytes + 1) // a hole
		},
		"not synced": func() error {
			var info unix.Sysinfo_t
			if err := unix.Sysinfo(&info); err != nil {
				return err
			}
			before := time.Now().Add(-time.Duration(info.Uptime)*time.Second - time.Minute)
			return os.Chtimes(slot0, before, before)
		},
		"too old": func() error {
			before := time.Now().Add(-2 * slotAge)
			return os.Chtimes(slot0, before, before)
		},
	} {
		sh("rm a; echo more >> b; echo n > n")
		expect(what+", before", kept)
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		expect(what, fresh)
	}
	// Without any place to write to, the directory is there, read-only.
	p.Layers.Dir = filepath.Join(lower, "a", "none")
	o := run(t, sandbox.Namespaces, p, "sh", "-c", "cat "+lower+"/a; touch "+lower+"/x 2> /dev/null || echo refused")
	if r := o.sb.Report(); o.out != "a\nrefused\n" || len(r.Degraded) != 1 || r.Degraded[0] != "no_cache_layers" {
		t.Errorf("%q, %+v", o.out, r)
	}
}
