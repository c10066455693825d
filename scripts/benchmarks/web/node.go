package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed driver.mjs
var driver []byte

// The packages that are compared.
var packages = []string{"@mozilla/readability@0.6.0", "jsdom@26.1.0", "turndown@7.2.0", "defuddle@0.19.4"}

// nodeModules is a directory with the packages and the program that runs them.
type nodeModules struct{ dir string }

// install installs the packages into a new directory.
func install(ctx context.Context) (*nodeModules, error) {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("no %s", program)
		}
	}
	dir, err := os.MkdirTemp("", "helve-bench-web-")
	if err != nil {
		return nil, err
	}
	m := &nodeModules{dir}
	if err := os.WriteFile(m.driver(), driver, 0o600); err != nil {
		m.remove()
		return nil, err
	}
	c := exec.CommandContext(ctx, "npm", append([]string{"install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir}, packages...)...)
	if out, err := c.CombinedOutput(); err != nil {
		m.remove()
		return nil, fmt.Errorf("npm install: %w: %s", err, out)
	}
	return m, nil
}

func (m *nodeModules) driver() string { return filepath.Join(m.dir, "driver.mjs") }

func (m *nodeModules) remove() { _ = os.RemoveAll(m.dir) }
