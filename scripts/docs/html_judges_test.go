package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// html-validate finds nothing wrong with the page.
func TestValid(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	modules := os.Getenv("HELVE_NODE_MODULES")
	judge := filepath.Join(modules, "html-validate/bin/html-validate.mjs")
	if _, err := os.Stat(judge); modules == "" || err != nil {
		t.Skip("no html-validate")
	}
	file := htmlPage(t)
	if out, err := exec.Command(node, judge, "--preset", "standard", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if err := os.WriteFile(file, bytes.Replace(read(t, file), []byte("</main>"), nil, 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(node, judge, "--preset", "standard", file).CombinedOutput(); err == nil {
		t.Errorf("an element without an end is let pass\n%s", out)
	}
}

// TestScript has Chromium run the script of the page: its policy allows it, and it makes what it
// should.
func TestScript(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium")
	}
	// A profile of its own, and no sandbox for root, who cannot have one.
	out, err := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+htmlPage(t)).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range []string{"<search>", ">Copy</button></figure>", `aria-current="location"`} {
		if !bytes.Contains(out, []byte(made)) {
			t.Errorf("the page has no %s", made)
		}
	}
}
