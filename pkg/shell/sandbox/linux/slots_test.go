//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestSlots has commands take slots beside each other, until there is none, and take
// them again.
func TestSlots(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, "750:lower/")
	l := &sandbox.Layers{Dir: filepath.Join(dir, "made/slots"), Paths: []string{filepath.Join(dir, "lower")}}
	var held []*slot
	for i := range maxSlots {
		s, err := takeSlot(l)
		if err != nil || s == nil || s.dir != filepath.Join(l.Dir, strconv.Itoa(i)) {
			t.Fatalf("%d: %+v, %v", i, s, err)
		}
		held = append(held, s)
	}
	if s, err := takeSlot(l); s != nil || err != nil {
		t.Errorf("one more than there are: %+v, %v", s, err)
	}
	held[7].free()
	s, err := takeSlot(l)
	if err != nil || s == nil || s.dir != held[7].dir {
		t.Fatalf("%+v, %v", s, err)
	}
	o := s.overlays[0]
	if info, err := os.Stat(o.Upper); err != nil || info.Mode().Perm() != 0o750 || o.Lower != l.Paths[0] {
		t.Errorf("%v, %v", info, err)
	}
	// What the kernel noted is gone when it is prepared again, and what was written stays.
	lay(t, o.Upper, "kept=x")
	lay(t, o.Work, "work/")
	if err := s.prepare(); err != nil || !exists(filepath.Join(o.Upper, "kept")) || exists(filepath.Join(o.Work, "work")) || len(s.overlays) != 1 {
		t.Errorf("%v, %+v", err, s.overlays)
	}
	for _, s := range append(slices.Delete(held, 7, 8), s) {
		s.free()
	}
	l.Paths = []string{filepath.Join(dir, "none")}
	if s, err := takeSlot(l); s != nil || err == nil {
		t.Errorf("a layer over nothing: %+v, %v", s, err)
	}
	lay(t, dir, "file=x")
	l.Dir = filepath.Join(dir, "file/slots")
	if s, err := takeSlot(l); s != nil || err == nil {
		t.Errorf("slots in a file: %+v, %v", s, err)
	}
}

// TestFullSlots empties a slot that holds too much, when it is looked at, or was not used
// for long.
func TestFullSlots(t *testing.T) {
	before := func(d time.Duration) time.Time { return time.Now().Add(-d) }
	for _, c := range []struct {
		name    string
		looked  time.Duration // since it was looked at; 0 is never
		used    time.Duration // since it was used
		size    int64
		want    bool
		touched bool // it was looked at now
	}{
		{"new", 0, 0, 1, false, true},
		{"looked at just now", time.Minute, 0, slotBytes + 1, false, false},
		{"looked at long ago", 2 * slotCheck, 0, 1, false, true},
		{"large", 2 * slotCheck, 0, slotBytes + 1, true, true},
		{"as large as it may be", 2 * slotCheck, 0, slotBytes, false, true},
		{"not used", time.Minute, 2 * slotAge, 1, true, false},
		{"used in this time", time.Minute, slotAge / 2, 1, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "0")
			lock, err := lockSlot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Close()
			lay(t, dir, "own/", "own/f=")
			if err := os.Truncate(filepath.Join(dir, "own/f"), c.size); err != nil { // a hole
				t.Fatal(err)
			}
			mark := filepath.Join(dir, checked)
			if c.looked > 0 {
				lay(t, dir, checked+"/")
				at := before(c.looked)
				err = os.Chtimes(mark, at, at)
			}
			used := before(c.used)
			if err = errors.Join(err, os.Chtimes(dir, used, used)); err != nil {
				t.Fatal(err)
			}
			s := &slot{dir: dir, lock: lock}
			if torn(time.Now(), used) {
				t.Skip("the machine started right after")
			}
			if got := s.full(); got != c.want {
				t.Errorf("full: %t", got)
			}
			if info, err := os.Stat(mark); c.touched && (err != nil || info.ModTime().Before(before(slotCheck))) {
				t.Errorf("it was not noted that the slot was looked at: %v", err)
			}
			if err := s.empty(); err != nil {
				t.Error(err)
			}
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != checked {
				t.Errorf("%v is left, %v", entries, err)
			}
		})
	}
}

// TestTorn has what was written before the machine started, and how long before.
func TestTorn(t *testing.T) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	start := now.Add(-time.Duration(info.Uptime) * time.Second)
	for since, want := range map[time.Duration]bool{-time.Minute: true, -time.Hour: false, time.Minute: false, 24 * time.Hour: false} {
		if torn(now, start.Add(since)) != want {
			t.Errorf("%s after the start: %t", since, !want)
		}
	}
}

// TestProbedLayers believes a cache about this machine and this directory alone.
func TestProbedLayers(t *testing.T) {
	dir := t.TempDir()
	var kept []byte
	stored := 0
	cache := sandbox.Cache{Load: func() ([]byte, error) { return kept, nil }, Store: func(b []byte) error { kept = b; stored++; return nil }}
	if (System{}).ProbeLayers(dir, sandbox.Support{}, cache) || stored != 1 {
		t.Errorf("layers without namespaces, stored %d times", stored)
	}
	System{}.ProbeLayers(dir, sandbox.Support{}, cache)
	if stored != 1 {
		t.Error("the answer was not believed")
	}
	kept = []byte(strings.Replace(string(kept), `"yes":false`, `"yes":true`, 1))
	if !(System{}).ProbeLayers(dir, sandbox.Support{}, cache) || stored != 1 {
		t.Error("the answer was not believed")
	}
	if (System{}).ProbeLayers(t.TempDir(), sandbox.Support{}, cache) || stored != 2 {
		t.Error("the answer for another directory was believed")
	}
	if (System{}).ProbeLayers(dir, sandbox.Support{}, sandbox.Cache{}) {
		t.Error("layers without namespaces")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
