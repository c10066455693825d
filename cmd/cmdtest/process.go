package cmdtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Answer is the document that a call prints.
type Answer struct {
	OK    bool `json:"ok"`
	Data  map[string]any
	Error struct {
		Code, Message, Hint string
		Details             map[string]any
	}
	Warnings []string
}

// environments holds the variables of what runs in a workspace, by workspace.
var environments sync.Map

// Workspace returns a workspace with a home of helve of its own, which what [Helve] and
// [Person] start has.
func Workspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	Setenv(dir, "HELVE_HOME="+t.TempDir())
	return dir
}

// Setenv adds variables, each as NAME=value, to the environment of what [In] has run in a
// workspace later. Other workspaces and this process do not see them.
func Setenv(dir string, variables ...string) {
	environments.Store(dir, append(slices.Clip(environment(dir)), variables...))
}

// Getenv returns a variable of what runs in dir that [Setenv] has set, or "".
func Getenv(dir, name string) string {
	for _, variable := range slices.Backward(environment(dir)) {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
	}
	return ""
}

// environment returns the variables of the workspace that dir is in.
func environment(dir string) []string {
	for {
		if variables, ok := environments.Load(dir); ok {
			return variables.([]string)
		}
		above := filepath.Dir(dir)
		if above == dir {
			return nil
		}
		dir = above
	}
}

// HomeOf returns the home of helve for what runs in dir: that of the workspace that dir is
// in, unless a test has given this process one.
func HomeOf(dir string) string {
	return cmp.Or(os.Getenv("HELVE_HOME"), Getenv(dir, "HELVE_HOME"))
}

// Helve returns a command that runs helve in dir. [Main] has put helve on the path.
func Helve(dir string, args ...string) *exec.Cmd { return In(dir, exec.Command("helve", args...)) }

// In has a command run in dir, with the environment of its workspace.
func In(dir string, c *exec.Cmd) *exec.Cmd {
	c.Dir = dir
	if home := HomeOf(dir); home != "" {
		c.Env = append(append(os.Environ(), environment(dir)...), "HELVE_HOME="+home)
	}
	return c
}

// Call runs a process and returns its document and exit status.
func Call(t *testing.T, c *exec.Cmd) (Answer, int) {
	t.Helper()
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	a := read(t, out, c.Args, stderr.String())
	if stderr.Len() > 0 {
		t.Errorf("%v: stderr: %s", c.Args, stderr.String())
	}
	return a, c.ProcessState.ExitCode()
}

// Read returns the document that a process has printed.
func Read(t *testing.T, out []byte) Answer {
	t.Helper()
	return read(t, out, nil, "")
}

func read(t *testing.T, out []byte, args []string, stderr string) Answer {
	t.Helper()
	var a Answer
	dec := json.NewDecoder(bytes.NewReader(out))
	if err := dec.Decode(&a); err != nil {
		t.Fatalf("%v: %v\n%s\n%s", args, err, out, stderr)
	}
	if rest := out[dec.InputOffset():]; string(rest) != "\n" {
		t.Errorf("%v: after the document: %q", args, rest)
	}
	return a
}

// Started is a process that runs.
type Started struct {
	*exec.Cmd
	Out bytes.Buffer // its standard output
}

// Start starts a process whose document [Started.Answer] returns.
func Start(t *testing.T, c *exec.Cmd) *Started {
	t.Helper()
	s := &Started{Cmd: c}
	c.Stdout = &s.Out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// Answer waits for the process and returns its document.
func (s *Started) Answer(t *testing.T) Answer {
	t.Helper()
	_ = s.Wait() // the status is in the document
	var a Answer
	if err := json.Unmarshal(s.Out.Bytes(), &a); err != nil {
		t.Errorf("%v: %v %q", s.Args, err, s.Out.String())
	}
	return a
}

// patience is the time in which other processes bring something about, on a busy machine too.
const patience = 3 * time.Minute

// Eventually waits until something is so, which other processes bring about.
func Eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, patience)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// Initialize is the request by which a client of the Model Context Protocol begins.
const Initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"judge","version":"1"}}}` + "\n"

// JSON returns a value as JSON.
func JSON(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

// Put writes a file and returns its path.
func Put(t *testing.T, dir, name, content string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// Content returns what is in a file.
func Content(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
