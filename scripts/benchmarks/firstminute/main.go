// Command firstminute goes the way of a newcomer, in an empty home: install.sh from a
// release on this machine, "helve init" with the agents that are named, and the first result
// through the command that an agent's file has now. It reports the seconds, the commands typed
// and the words shown by each step, and how long the README is up to its first command.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	binary := flag.String("binary", "", "program to install (default: one that is built)")
	flag.Parse()
	if err := bench(context.Background(), os.Stdout, *binary); err != nil {
		fmt.Fprintln(os.Stderr, "firstminute:", err)
		os.Exit(1)
	}
}

// newcomer is a person with an empty home.
type newcomer struct {
	home, work string
	out        io.Writer
	words      int
	commands   int
	took       time.Duration
}

func bench(ctx context.Context, out io.Writer, binary string) error {
	dir, err := os.MkdirTemp("", "helve-firstminute-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	if binary == "" {
		binary = filepath.Join(dir, "helve")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, ".")
		if said, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, said)
		}
	}
	base, stop, err := release(ctx, binary)
	if err != nil {
		return err
	}
	defer stop()
	n := &newcomer{home: filepath.Join(dir, "home"), work: filepath.Join(dir, "project"), out: out}
	// A sign of an agent, and something to list.
	if err := errors.Join(os.MkdirAll(filepath.Join(n.home, ".gemini"), 0o700), os.MkdirAll(n.work, 0o700),
		os.WriteFile(filepath.Join(n.work, "hello.txt"), []byte("hello\n"), 0o600)); err != nil {
		return err
	}
	if err := readme(out); err != nil {
		return err
	}
	if err := n.types(ctx, "curl …/install.sh | sh", "sh", "scripts/install/install.sh", "--base", base, "--no-extras"); err != nil {
		return err
	}
	if err := n.types(ctx, "helve init --agent all", filepath.Join(n.home, ".local", "bin", "helve"), "init", "--agent", "all", "-o", "text"); err != nil {
		return err
	}
	began := time.Now()
	answer, err := n.ask(ctx)
	if err != nil {
		return err
	}
	n.took += time.Since(began)
	_, _ = fmt.Fprintf(out, "%-28s %6.2f s  %s\n", "the agent lists the directory", time.Since(began).Seconds(), answer)
	_, _ = fmt.Fprintf(out, "%-28s %6.2f s  %d commands, %d words shown\n", "in all", n.took.Seconds(), n.commands, n.words)
	return nil
}

// readme counts the words up to the end of the first command to type.
func readme(out io.Writer) error {
	text, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	head, _, found := strings.Cut(string(text), "| sh\n")
	if !found {
		return errors.New("README.md has no command that installs")
	}
	_, _ = fmt.Fprintf(out, "%-28s %d words, line %d\n", "README up to install", len(strings.Fields(head)), strings.Count(head, "\n")+1)
	return nil
}

// types runs what a person types.
func (n *newcomer) types(ctx context.Context, shown, name string, args ...string) error {
	c := n.command(ctx, name, args...)
	if filepath.Base(name) == "sh" {
		c.Dir = "" // the script lies in this tree
	}
	began := time.Now()
	said, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", shown, err, said)
	}
	took, words := time.Since(began), len(strings.Fields(string(said)))
	n.took, n.words, n.commands = n.took+took, n.words+words, n.commands+1
	_, _ = fmt.Fprintf(n.out, "%-28s %6.2f s  %d words\n", shown, took.Seconds(), words)
	return nil
}

func (n *newcomer) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = n.work
	c.Env = []string{"HOME=" + n.home, "PATH=" + filepath.Join(n.home, ".local", "bin") + ":" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	return c
}

// ask starts the server as the agent's file says, and has it list the directory.
func (n *newcomer) ask(ctx context.Context) (string, error) {
	text, err := os.ReadFile(filepath.Join(n.home, ".gemini", "settings.json"))
	if err != nil {
		return "", err
	}
	var file struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return "", err
	}
	entry := file.Servers["helve"]
	c := n.command(ctx, entry.Command, entry.Args...)
	in, err := c.StdinPipe()
	if err != nil {
		return "", err
	}
	from, err := c.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		return "", err
	}
	defer c.Wait() //nolint:errcheck // the answer says how it went
	defer in.Close()
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"newcomer","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ls","arguments":{}}}
`); err != nil {
		return "", err
	}
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return "", fmt.Errorf("no answer: %w", err)
		}
		if bytes.Contains(line, []byte(`"id":2`)) {
			if !bytes.Contains(line, []byte("hello.txt")) {
				return "", fmt.Errorf("the answer is %s", line)
			}
			return "hello.txt", nil
		}
	}
}

// release serves a release with one program for this machine.
func release(ctx context.Context, binary string) (base string, stop func(), err error) {
	program, err := os.ReadFile(binary)
	if err != nil {
		return "", nil, err
	}
	said, err := exec.CommandContext(ctx, binary, "version", "-o", "json").Output()
	if err != nil {
		return "", nil, err
	}
	var answer struct{ Data struct{ Version string } }
	if err := json.Unmarshal(said, &answer); err != nil {
		return "", nil, err
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zip)
	err = archive.WriteHeader(&tar.Header{Name: "helve", Mode: 0o755, Size: int64(len(program))})
	if err == nil {
		_, err = archive.Write(program)
	}
	if err = errors.Join(err, archive.Close(), zip.Close()); err != nil {
		return "", nil, err
	}
	name := fmt.Sprintf("helve_%s_%s_%s.tar.gz", answer.Data.Version, runtime.GOOS, runtime.GOARCH)
	files := map[string][]byte{
		"/latest/download/" + name:       packed.Bytes(),
		"/latest/download/checksums.txt": fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(packed.Bytes()), name),
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if file, is := files[r.URL.Path]; is {
			_, _ = w.Write(file) // who does not get it says so
			return
		}
		http.NotFound(w, r)
	})}
	go server.Serve(listener) //nolint:errcheck // it ends with the listener
	return "http://" + listener.Addr().String(), func() { _ = server.Close() }, nil
}
