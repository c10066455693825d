package state

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestSpool(t *testing.T) {
	d, err := Open(t.TempDir(), t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Spool()
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(s, "the first try, which is longer")
	if err := s.Empty(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(s, "the second")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(s.Path()); err != nil || string(got) != "the second" {
		t.Errorf("%q, %v", got, err)
	}
	s.Discard()
	if left, err := os.ReadDir(filepath.Dir(s.Path())); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	away, err := d.Spool()
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "f")
	if err := Move(away.Path(), to); err != nil {
		t.Fatal(err)
	}
	away.Discard()
	if _, err := os.Stat(to); err != nil {
		t.Error(err)
	}
}
