package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// serve starts a NATS server on a free port of the loopback, and returns its address and
// a function that ends it. It keeps messages in a directory and syncs the disk for each,
// which is not its default.
func serve(ctx context.Context, program, dir string) (url string, stop func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, err
	}
	settings := filepath.Join(dir, "server.conf")
	text := fmt.Sprintf("listen: \"127.0.0.1:-1\"\nports_file_dir: %q\njetstream { store_dir: %q, sync_interval: always }\n", dir, dir)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		return "", nil, err
	}
	var log strings.Builder
	c := exec.CommandContext(ctx, program, "-c", settings)
	c.Stderr = &log
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	stop = func() {
		_ = c.Process.Kill() // it may have ended
		<-ended
	}
	ports := filepath.Join(dir, fmt.Sprintf("%s_%d.ports", filepath.Base(program), c.Process.Pid))
	for {
		url, err := address(ports)
		if url != "" || err != nil {
			return url, stop, err
		}
		select {
		case err := <-ended:
			return "", nil, fmt.Errorf("the server has ended: %w\n%s", err, log.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// address reads the file in which a server says where it listens; "" if it does not yet.
func address(ports string) (string, error) {
	text, err := os.ReadFile(ports)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return "", nil
	}
	var listens struct {
		NATS []string `json:"nats"`
	}
	if err := errors.Join(err, json.Unmarshal(text, &listens)); err != nil {
		return "", err
	}
	if len(listens.NATS) == 0 {
		return "", errors.New("the server listens nowhere")
	}
	return listens.NATS[0], nil
}
