package main

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// TestSample runs it with few edits.
func TestSample(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	t.Chdir("../../..")
	saved := languages
	t.Cleanup(func() { languages = saved })
	languages = nil
	for _, l := range saved { // those that start quickly
		if l.file == "m.c" || l.file == "m.sh" || l.file == "m.pl" {
			languages = append(languages, l)
		}
	}
	var out bytes.Buffer
	err := bench(t.Context(), &out, "", 6)
	if errors.Is(err, errNoChecks) {
		t.Skip("no sandbox")
	}
	if err != nil || !strings.Contains(out.String(), "0 old diagnostics repeated") {
		t.Errorf("%v\n%s", err, &out)
	}
}
