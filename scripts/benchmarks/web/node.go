package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
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

// nodeSystem is a running extractor.
type nodeSystem struct {
	kind    string
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func (m *nodeModules) start(ctx context.Context, kind string) (*nodeSystem, error) {
	s := &nodeSystem{kind: kind, command: exec.CommandContext(ctx, "node", m.driver(), kind)}
	s.command.Dir = m.dir
	in, err := s.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.out = in, bufio.NewReaderSize(out, 1<<20)
	return s, s.command.Start()
}

func (s *nodeSystem) stop() {
	_ = s.in.Close()
	_ = s.command.Wait()
}

func (s *nodeSystem) name() string {
	if s.kind == "readability" {
		return "readability.js"
	}
	return s.kind
}

func (s *nodeSystem) extract(_ context.Context, p *sample) (output, error) {
	question, err := json.Marshal(map[string]string{"html": p.html, "url": p.url.String()})
	if err != nil {
		return output{}, err
	}
	if _, err := s.in.Write(append(question, '\n')); err != nil {
		return output{}, err
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		return output{}, err
	}
	var answer struct {
		Content, Markdown, Error string
		Milliseconds             float64
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return output{}, err
	}
	if answer.Error != "" {
		return output{}, errors.New(answer.Error)
	}
	return output{html: answer.Content, markdown: answer.Markdown, took: time.Duration(answer.Milliseconds * float64(time.Millisecond))}, nil
}
