package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/scripts/benchmarks/memory"
)

// desk starts the desk, asks for what a browser asks for at first and returns what it all
// took, with the memory that it has afterwards.
func desk(paths ...string) func(ctx context.Context, p place) (memory.Usage, error) {
	return func(ctx context.Context, p place) (used memory.Usage, err error) {
		c := p.command(ctx, "desk", "--no-open")
		out, err := c.StdoutPipe()
		if err != nil {
			return used, err
		}
		if err := c.Start(); err != nil {
			return used, err
		}
		ended := false
		defer func() {
			if !ended {
				err = errors.Join(err, c.Process.Kill())
				_ = c.Wait() // it was killed
			}
		}()
		line, err := bufio.NewReader(out).ReadBytes('\n')
		if err != nil {
			return used, err
		}
		var opened struct{ Data struct{ URL string } }
		if err := json.Unmarshal(line, &opened); err != nil {
			return used, err
		}
		address, token, _ := strings.Cut(opened.Data.URL, "/#token=")
		for _, path := range paths {
			if err := get(ctx, address+path, token); err != nil {
				return used, err
			}
		}
		used.Memory = resident(c.Process.Pid)
		if err := c.Process.Signal(os.Interrupt); err != nil {
			return used, err
		}
		_ = c.Wait() // what was asked for has come
		ended = true
		used.Time = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		return used, nil
	}
}

func get(ctx context.Context, address, token string) (err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// resident returns the memory of a process that runs, in bytes; 0 where the system does not
// say it in a file.
func resident(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	size, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kilobytes, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}
