// Command smoke runs a helve that was built for another system, under an emulator of
// that system, and checks what its main tools return and leave on disk.
//
//	scripts/run smoke qemu-aarch64 BINARY
//	scripts/run smoke -windows wine64 BINARY.exe
//
// It works in a temporary directory, with a configuration and a state of its own.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// patience limits the time of one call: emulators start slowly.
const patience = 3 * time.Minute

func main() {
	windows := flag.Bool("windows", false, "the binary is one for Windows")
	flag.Parse()
	if flag.NArg() < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Args(), *windows); err != nil {
		fmt.Fprintln(os.Stderr, "smoke:", err)
		os.Exit(1)
	}
}

// run makes all checks and returns what failed.
func run(command []string, windows bool) (err error) {
	program, err := filepath.Abs(command[len(command)-1])
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "smoke-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w := world{command: append(command[:len(command)-1:len(command)-1], program), dir: filepath.Join(dir, "work"), home: filepath.Join(dir, "home"), windows: windows}
	for _, d := range []string{w.dir, w.home} {
		if err := os.Mkdir(d, 0o755); err != nil {
			return err
		}
	}
	for _, c := range checks(windows) {
		if failure := c.do(w); failure != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", c.name, failure))
			continue
		}
		fmt.Println("ok", c.name)
	}
	return err
}

// world is the environment of a binary.
type world struct {
	command   []string // the emulator and the binary
	dir, home string   // of this system
	windows   bool
}

// answer is the output of helve.
type answer struct {
	OK    bool            `json:"ok"`
	Data  json.RawMessage `json:"data"`
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Details struct {
			Approval struct {
				ID string `json:"id"`
			} `json:"approval"`
		} `json:"details"`
	} `json:"error"`
}

// call runs helve. What needs a person's approval gets it.
func (w world) call(args ...string) (answer, error) {
	a, err := w.once(args...)
	if id := a.Error.Details.Approval.ID; err == nil && a.Error.Code == "approval_required" && id != "" {
		return w.once("approve", id)
	}
	return a, err
}

func (w world) once(args ...string) (answer, error) {
	var a answer
	out, err := w.output(args...)
	if err == nil {
		err = json.Unmarshal(out, &a)
	}
	return a, err
}

// output returns what helve prints, whatever its exit status.
func (w world) output(args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, w.command[0], append(w.command[1:len(w.command):len(w.command)], args...)...)
	c.Dir = w.dir
	c.Env = append(os.Environ(), "HELVE_HOME="+w.path(w.home), "HELVE_LANG=en", "HELVE_OUTPUT=json")
	c.WaitDelay = time.Second // what the emulator left running may hold the pipes
	var out, errw bytes.Buffer
	c.Stdout, c.Stderr = &out, &errw
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) || ctx.Err() != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	if !json.Valid(out.Bytes()) {
		return nil, fmt.Errorf("no JSON on stdout: %s\nstderr: %s", out.Bytes(), errw.Bytes())
	}
	return out.Bytes(), nil
}

// path returns a path of this system as the binary's system names it. Wine shows the
// file system as drive Z.
func (w world) path(name string) string {
	if w.windows {
		return "Z:" + strings.ReplaceAll(name, "/", `\`)
	}
	return name
}
