package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/state"
)

func subjects() []subject {
	kept, large, jobs := []int{10, 1000, 20_000}, []int{10, 1000, 100_000}, []int{10, 100, 900} // as many as helve keeps
	sentMost := []int{10, 1000, 9000}                                                           // within a minute
	write := []string{"write", "new.txt", "--content", "later"}
	first := []string{"write", "new.txt", "--content", "first"}
	every := []string{"cron", "add", "--every-seconds", "3600", "--message", "hello ROUND", "--channel", "c", "--to", "t"}
	return []subject{
		{name: "read, 20 lines", sizes: large, all: true, grow: lines, calls: [][]string{{"read", "new.txt", "--limit", "20"}}},
		{name: "read, all pages", sizes: large, all: true, grow: lines, calls: [][]string{{"read", "new.txt", "--limit", "10000", "--offset", "1", "--max-bytes", "2000000"}}},
		{name: "grep, none", sizes: large, all: true, grow: files, calls: [][]string{{"grep", "absent"}}},
		{name: "grep, all", sizes: large, all: true, grow: files, calls: [][]string{{"grep", "text"}}},
		{name: "find", sizes: large, all: true, grow: files, calls: [][]string{{"find", "file 7"}}},
		{name: "ls", sizes: large, all: true, grow: files, calls: [][]string{{"ls", "many"}}},
		{name: "write", sizes: kept, grow: journal, calls: [][]string{first, write}, measured: 1},
		{name: "write among files", sizes: large, grow: files, calls: [][]string{first, write}, measured: 1},
		{name: "edit", sizes: kept, grow: journal, calls: [][]string{first, {"edit", "new.txt", "first", "later"}}, measured: 1},
		{name: "edit of a long file", sizes: large, all: true, grow: lines, calls: [][]string{{"edit", "new.txt", "line 5 ", "line five "}, {"edit", "new.txt", "line five ", "line 5 "}}},
		{name: "undo", sizes: kept, grow: journal, calls: [][]string{first, write, {"undo", "{}"}}, measured: 2},
		{name: "undo of a path", sizes: kept, grow: journal, calls: [][]string{first, write, {"undo", "--path", "new.txt"}}, measured: 2},
		{name: "history of a path", sizes: kept, grow: journal, calls: [][]string{{"history", "file-7.txt"}}},
		{name: "history, 20 lines", sizes: kept, grow: journal, calls: [][]string{{"history", "--limit", "20"}}},
		{name: "exec", sizes: kept, grow: journal, calls: [][]string{{"exec", "echo more >> seen.txt"}}},
		{name: "exec among files", sizes: large, all: true, grow: files, calls: [][]string{{"exec", "echo more >> seen.txt"}}},
		{name: "read, audited", sizes: large, grow: audited, calls: [][]string{{"read", "new.txt"}}},
		{name: "audit, 20 lines", sizes: large, grow: audited, calls: [][]string{{"audit", "--limit", "20"}}},
		{name: "audit of an hour", sizes: large, all: true, grow: audited, calls: [][]string{{"audit", "--since", "1h"}}},
		{name: "message", sizes: sentMost, grow: sent, calls: [][]string{{"message", "hello ROUND", "--channel", "c", "--to", "t"}}},
		{name: "messages recv", sizes: sentMost, grow: sent, calls: [][]string{{"messages", "recv", "--consumer", "c", "--max", "1", "--ack"}}},
		{name: "cron add", sizes: jobs, grow: scheduled, calls: [][]string{every}},
		{name: "cron tick", sizes: jobs, all: true, grow: scheduled, calls: [][]string{{"cron", "tick"}}},
		{name: "desk, first page", sizes: kept, grow: journal, serve: desk("/", "/app.js", "/api/workspaces", "/api/approvals", "/api/history")},
		{name: "desk, audit", sizes: large, all: true, grow: audited, serve: desk("/", "/api/workspaces", "/api/approvals", "/api/audit")},
	}
}

// lines makes a file of n lines.
func lines(_ context.Context, p place, n int) error {
	var text bytes.Buffer
	for i := range n {
		fmt.Fprintf(&text, "line %d of a text\n", i)
	}
	return os.WriteFile(filepath.Join(p.workspace(), "new.txt"), text.Bytes(), 0o600)
}

// files makes n files: half of them in one directory, a hundred in each other one.
func files(_ context.Context, p place, n int) error {
	many := filepath.Join(p.workspace(), "many")
	if err := os.Mkdir(many, 0o700); err != nil {
		return err
	}
	for i := range n / 2 {
		dir := filepath.Join(p.workspace(), fmt.Sprintf("part-%d", i/100))
		if i%100 == 0 {
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
		}
		text := fmt.Appendf(nil, "the text of file %d\n", i)
		for _, file := range []string{filepath.Join(dir, fmt.Sprintf("file-%d.txt", i)), filepath.Join(many, fmt.Sprintf("one-%d.txt", i))} {
			if err := os.WriteFile(file, text, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
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
	// Of many sessions, as no one may send that many within a minute.
	return p.feed(ctx, n, `{"name":"message","arguments":{"content":"hello %[1]d","channel":"c","to":"t"},"context":{"session":"s%[2]d"}}`)
}

func scheduled(ctx context.Context, p place, n int) error {
	return p.feed(ctx, n, `{"name":"cron_add","arguments":{"every_seconds":3600,"name":"job %[1]d","message":"hello","channel":"c","to":"t"}}`)
}

// feed has one process make n calls.
func (p place) feed(ctx context.Context, n int, pattern string) error {
	var in strings.Builder
	for i := range n {
		fmt.Fprintf(&in, pattern+"\n", i, i%50)
	}
	c := p.command(ctx, "call", "--ndjson", "--fail")
	c.Stdin = strings.NewReader(in.String())
	if out, err := c.Output(); err != nil {
		return fmt.Errorf("%w: %.300s", err, out)
	}
	return nil
}
