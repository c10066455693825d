package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed peers.py
var pythonDriver []byte

// pythonPackages are installed from the index of Python packages.
var pythonPackages = []string{"trafilatura==2.3.1", "htmldate==1.11.0", "lxml==6.1.3", "lxml_html_clean==0.4.6", "jusText==3.0.2", "courlan==1.4.0", "dateparser==1.5.0"}

// systemNames are the systems that -systems chooses from, in the order of the table.
var systemNames = []string{"helve", "go-readability", "whole-body", "readeck", "go-trafilatura", "trafilatura", "readability.js", "defuddle"}

// systems starts those that are compared, and removes what was installed for them.
type systems struct {
	js   *nodeModules
	undo []func()
}

// choose returns the names of the systems in a list with commas; all for "".
func choose(list string, node bool) ([]string, error) {
	chosen := systemNames
	if list != "" {
		chosen = strings.Split(list, ",")
	}
	for _, name := range chosen {
		if !slices.Contains(systemNames, name) {
			return nil, fmt.Errorf("no system %q: there are %s", name, strings.Join(systemNames, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(chosen), func(name string) bool { return !node && (name == "readability.js" || name == "defuddle") }), nil
}

// stop removes what was installed.
func (s *systems) stop() {
	slices.Reverse(s.undo)
	for _, undo := range s.undo {
		undo()
	}
}

// system starts the system of a name, for a whole run with ctx.
func (s *systems) system(ctx context.Context, name string) (extractor, error) {
	switch name {
	case "helve":
		return inProcess{ours{}}, nil
	case "go-readability":
		return inProcess{goReadability{}}, nil
	case "whole-body":
		return inProcess{wholeBody{}}, nil
	case "trafilatura":
		return s.python(ctx)
	case "readeck", "go-trafilatura":
		return s.module(ctx, name)
	}
	return s.node(ctx, name)
}

func (s *systems) node(ctx context.Context, name string) (extractor, error) {
	if s.js == nil {
		js, err := install(ctx)
		if err != nil {
			return nil, err
		}
		s.js = js
		s.undo = append(s.undo, js.remove)
	}
	return begin(ctx, name, s.js.dir, "node", s.js.driver(), strings.TrimSuffix(name, ".js"))
}

// directory makes a directory that is removed in the end.
func (s *systems) directory() (string, error) {
	dir, err := os.MkdirTemp("", "helve-bench-web-")
	if err == nil {
		s.undo = append(s.undo, func() { _ = os.RemoveAll(dir) })
	}
	return dir, err
}

// module builds the program of the module beside this one.
func (s *systems) module(ctx context.Context, name string) (extractor, error) {
	dir, err := s.directory()
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "peers.exe")
	if err := quietly(exec.CommandContext(ctx, "go", "build", "-C", "scripts/benchmarks/web/peers", "-o", program, ".")); err != nil {
		return nil, err
	}
	return begin(ctx, name, "", program, name)
}

// python installs trafilatura into an environment of its own.
func (s *systems) python(ctx context.Context) (extractor, error) {
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		return nil, err
	}
	dir, err := s.directory()
	if err != nil {
		return nil, err
	}
	if err := quietly(exec.CommandContext(ctx, interpreter, "-m", "venv", dir)); err != nil {
		return nil, err
	}
	interpreter = filepath.Join(dir, "bin", "python")
	argv := append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}, pythonPackages...)
	if err := quietly(exec.CommandContext(ctx, interpreter, argv...)); err != nil {
		return nil, err
	}
	driver := filepath.Join(dir, "peers.py")
	if err := os.WriteFile(driver, pythonDriver, 0o600); err != nil {
		return nil, err
	}
	return begin(ctx, "trafilatura", dir, interpreter, driver)
}

// quietly runs a command, whose output is shown only in an error.
func quietly(c *exec.Cmd) error {
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(c.Path), err, strings.TrimSpace(string(out)))
	}
	return nil
}
