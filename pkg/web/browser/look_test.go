package browser

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// A browser is there, and something encloses it: namespaces, or its own sandbox, which
// root's has not.
func TestLook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is none on Windows")
	}
	dir := t.TempDir()
	program, text := filepath.Join(dir, "chromium"), filepath.Join(dir, "text")
	for name, mode := range map[string]os.FileMode{program: 0o755, text: 0o644} {
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		program    string
		namespaces bool
		user       int
		code       fault.Code
	}{
		{program, true, 0, ""}, {program, false, 1000, ""}, {program, false, 0, fault.SandboxUnavailable}, {text, true, 0, fault.NotConfigured},
		{filepath.Join(dir, "none"), true, 0, fault.NotConfigured}, {"chromium", true, 0, fault.NotConfigured}, {"", true, 0, fault.NotConfigured},
	} {
		path, err := Look(c.program, nil, sandbox.Support{Namespaces: c.namespaces}, c.user)
		if c.code == "" && (err != nil || path != c.program) || c.code != "" && !fault.Is(err, c.code) {
			t.Errorf("%+v: %q, %v", c, path, err)
		}
	}
}
