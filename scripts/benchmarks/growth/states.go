package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/state"
)

func subjects() []subject {
	small, large := []int{10, 1000, 20_000}, []int{10, 1000, 100_000}
	write := []string{"write", "new.txt", "--content", "later"}
	first := []string{"write", "new.txt", "--content", "first"}
	return []subject{
		{name: "write", sizes: small, grow: journal, calls: [][]string{first, write}, measured: 1},
		{name: "edit", sizes: small, grow: journal, calls: [][]string{first, {"edit", "new.txt", "first", "later"}}, measured: 1},
		{name: "undo", sizes: small, grow: journal, calls: [][]string{first, write, {"undo", "{}"}}, measured: 2},
		{name: "undo of a path", sizes: small, grow: journal, calls: [][]string{first, write, {"undo", "--path", "new.txt"}}, measured: 2},
		{name: "history of a path", sizes: small, grow: journal, calls: [][]string{{"history", "file-7.txt"}}},
		{name: "history, 20 lines", sizes: small, grow: journal, calls: [][]string{{"history", "--limit", "20"}}},
		{name: "exec", sizes: small, grow: journal, calls: [][]string{{"exec", "echo more >> seen.txt"}}},
		{name: "read", sizes: large, grow: audited, calls: [][]string{{"read", "new.txt"}}},
		{name: "audit, 20 lines", sizes: large, grow: audited, calls: [][]string{{"audit", "--limit", "20"}}},
		{name: "audit of an hour", sizes: large, grow: audited, calls: [][]string{{"audit", "--since", "1h"}}},
		{name: "message", sizes: []int{10, 1000, 9000}, grow: sent, calls: [][]string{{"message", "hello", "--channel", "c", "--to", "t"}}},
		{name: "recv", sizes: []int{10, 1000, 9000}, grow: sent, calls: [][]string{{"recv", "--consumer", "c", "--max", "1", "--ack"}}},
		{name: "cron_add", sizes: []int{10, 100, 1000}, grow: scheduled, calls: [][]string{{"cron_add", "--every-seconds", "3600", "--message", "hello", "--channel", "c", "--to", "t"}}},
		{name: "cron tick", sizes: []int{10, 100, 1000}, grow: scheduled, calls: [][]string{{"cron", "tick"}}},
	}
}

// journal makes n entries in the journal of undo, by the pattern of one that the program
// wrote, as they stand after a compaction.
func journal(ctx context.Context, p place, n int) error {
	if _, err := p.call(ctx, "write", "file-1.txt", "--content", "one"); err != nil {
		return err
	}
	file, err := p.state("journal.jsonl")
	if err != nil {
		return err
	}
	pattern, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var head struct{ ID string }
	if line, _, _ := bytes.Cut(pattern, []byte("\n")); json.Unmarshal(line, &head) != nil || head.ID == "" {
		return errors.New("the journal has another form")
	}
	from := time.Now().Add(-time.Duration(n) * time.Minute / 10)
	var lines bytes.Buffer
	for i := range n {
		id := state.NewID(from.Add(time.Duration(i) * 6 * time.Second))
		entry := strings.ReplaceAll(string(pattern), head.ID, id)
		lines.WriteString(strings.ReplaceAll(entry, "file-1.txt", fmt.Sprintf("file-%d.txt", i%500)))
	}
	base := fmt.Sprintf(`{"v":1,"state":"base","id":"","entries":%d,"bytes":%d}`+"\n", n, lines.Len())
	return os.WriteFile(file, append([]byte(base), lines.Bytes()...), 0o600)
}

// audited makes n lines in the audit log, as far as its two generations hold them.
func audited(ctx context.Context, p place, n int) error {
	if _, err := p.call(ctx, "write", "new.txt", "--content", "one"); err != nil {
		return err
	}
	file, err := p.state("audit.jsonl")
	if err != nil {
		return err
	}
	pattern, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := bytes.Count(pattern, []byte("\n"))
	all := bytes.Repeat(pattern, n/lines+1)
	if most := 2 * state.LogBytes * 95 / 100; len(all) > most {
		all = all[:most/len(pattern)*len(pattern)]
	}
	older := all[:len(all)/2/len(pattern)*len(pattern)]
	return errors.Join(os.WriteFile(strings.TrimSuffix(file, ".jsonl")+".1.jsonl", older, 0o600), os.WriteFile(file, all[len(older):], 0o600))
}

func sent(ctx context.Context, p place, n int) error {
	return p.feed(ctx, n, `{"name":"message","arguments":{"content":"hello %d","channel":"c","to":"t"}}`)
}

func scheduled(ctx context.Context, p place, n int) error {
	return p.feed(ctx, n, `{"name":"cron_add","arguments":{"every_seconds":3600,"name":"job %d","message":"hello","channel":"c","to":"t"}}`)
}

// feed has one process make n calls.
func (p place) feed(ctx context.Context, n int, pattern string) error {
	var in strings.Builder
	for i := range n {
		fmt.Fprintf(&in, pattern+"\n", i)
	}
	c := exec.CommandContext(ctx, p.helve, "call", "--ndjson", "--fail")
	c.Dir, c.Env = p.workspace(), append(os.Environ(), "HELVE_ROOT=", "HELVE_HOME="+p.home())
	c.Stdin = strings.NewReader(in.String())
	if out, err := c.Output(); err != nil {
		return fmt.Errorf("%w: %.300s", err, out)
	}
	return nil
}
