package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// peak is the most that there was of processes at a time.
type peak struct {
	processes int
	bytes     int64 // of resident memory, of all of them
	largest   int64 // of one
}

func (p peak) String() string {
	if p.processes == 0 {
		return "-\t-\t-"
	}
	return fmt.Sprintf("%d\t%.0f MB\t%.0f MB", p.processes, float64(p.bytes)/1e6, float64(p.largest)/1e6)
}

// watch looks at processes until it is ended.
type watch struct {
	stop chan struct{}
	done chan peak
}

// interval is the time between two looks at the processes.
const interval = 20 * time.Millisecond

// watchProcesses looks at the keepers and workers of a program. Where there is no /proc, it sees none.
func watchProcesses(program string) *watch {
	w := &watch{make(chan struct{}), make(chan peak, 1)}
	go func() {
		var most peak
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-w.stop:
				w.done <- most
				return
			case <-tick.C:
				now := look(program)
				most = peak{max(most.processes, now.processes), max(most.bytes, now.bytes), max(most.largest, now.largest)}
			}
		}
	}()
	return w
}

func (w *watch) end() peak {
	close(w.stop)
	return <-w.done
}

// leaving limits the time until processes end when there is nothing left to do.
const leaving = 30 * time.Second

// gone waits until the keepers and workers of a program have ended.
func gone(ctx context.Context, program string) error {
	ctx, cancel := context.WithTimeout(ctx, leaving)
	defer cancel()
	for {
		left := look(program).processes
		if left == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d processes are left", left)
		case <-time.After(interval):
		}
	}
}

// look counts the processes of a moment. Those that end meanwhile are left out.
func look(program string) (now peak) {
	all, _ := filepath.Glob("/proc/[0-9]*/exe") // the pattern is valid
	for _, exe := range all {
		if path, err := os.Readlink(exe); err != nil || path != program {
			continue
		}
		dir := filepath.Dir(exe)
		words, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil || !bytes.Contains(words, []byte("\x00__agent")) {
			continue
		}
		status, err := os.ReadFile(filepath.Join(dir, "status"))
		if err != nil {
			continue
		}
		now.processes++
		bytes := resident(string(status))
		now.bytes, now.largest = now.bytes+bytes, max(now.largest, bytes)
	}
	return now
}

// resident returns the resident memory of a process, by its status; see proc_pid_status(5).
func resident(status string) int64 {
	_, rest, _ := strings.Cut(status, "VmRSS:")
	line, _, _ := strings.Cut(rest, "\n")
	kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "kB")), 10, 64)
	if err != nil {
		return 0 // it has ended, and waits for its parent
	}
	return kib << 10
}
