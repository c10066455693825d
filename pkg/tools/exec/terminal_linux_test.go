package exec

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// TestNoTerminal starts programs for a person. They must end by themselves, and the
// result says why.
func TestNoTerminal(t *testing.T) {
	call, dir := world(t, config.Exec{})
	if out, err := exec.Command("sh", "-c", "cd "+filepath.ToSlash(dir)+" && echo a > f && printf '#!/bin/sh\nvi f\n' > script").CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	for _, c := range []struct {
		judge, command string
		ends, said     bool // with a status other than 0; with the hint
	}{
		{"vi", "vi f", true, true},
		{"vi", "sh script", true, true},
		{"vi", "vi -c 's/a/b/' -c wq f > /dev/null 2>&1; cat f", false, false},
		{"nano", "nano f", true, true},
		{"top", "top", true, true},
		{"less", "less f", false, false},
		{"git", "git init -q . && git add f && git -c user.name=a -c user.email=a commit", true, true},
		{"git", "git -c user.name=a -c user.email=a commit -q -m m && git -c user.name=a -c user.email=a commit -q --allow-empty -m n && git rebase -i HEAD~1", true, true},
		{"sh", "echo Input is not from a terminal", false, false},
		{"sh", "exit 3", true, false},
	} {
		if _, err := exec.LookPath(c.judge); err != nil {
			t.Run(c.command, func(t *testing.T) { t.Skip("no " + c.judge) })
			continue
		}
		before := len(call.Warnings())
		_, result := ran(t, call, c.command)
		said := false
		for _, w := range call.Warnings()[before:] {
			said = said || strings.Contains(w.In(fault.English), "no terminal")
		}
		if result.TimedOut || (result.ExitCode != 0) != c.ends || said != c.said {
			t.Errorf("%s: timed out %v, exit code %d, hint %v: %q", c.command, result.TimedOut, result.ExitCode, said, result.Output)
		}
	}
}
