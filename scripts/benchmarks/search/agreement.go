package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// agreement compares how many matches both report. If the numbers differ it looks
// for the reason, file by file.
func (b *bench) agreement(ctx context.Context, c class, rg []string, theirs, ours []byte) (string, error) {
	if !c.counts {
		return "-", nil
	}
	want := 0
	switch {
	case len(theirs) == 0:
	case c.rg[0] == "-c" || c.rg[0] == "--count-matches":
		for _, n := range counts(theirs) {
			want += n
		}
	default:
		want = bytes.Count(theirs, []byte{'\n'})
	}
	field := "total_matches"
	if c.rg[0] == "-l" {
		field = "total_files"
	}
	got := -1
	if _, after, ok := strings.Cut(string(ours), `"`+field+`":`); ok {
		if _, err := fmt.Sscanf(after, "%d", &got); err != nil {
			got = -1
		}
	}
	if got == want {
		return fmt.Sprint(got), nil
	}
	why, err := b.reason(ctx, c, rg)
	return fmt.Sprintf("%d, ripgrep %d: %s", got, want, why), err
}

// counts returns the numbers that ripgrep prints for each file. For a single file
// ripgrep may not print the name.
func counts(output []byte) map[string]int {
	all := map[string]int{}
	for line := range strings.Lines(string(output)) {
		line = strings.TrimSuffix(line, "\n")
		i := strings.LastIndexByte(line, ':')
		n := 0
		if _, err := fmt.Sscan(line[i+1:], &n); err == nil {
			all[strings.TrimPrefix(line[:max(i, 0)], "./")] = n
		}
	}
	return all
}

// reason returns why the totals differ. There are three known reasons: in helve, \n in a
// pattern also matches CRLF; helve decodes text that is not UTF-8, for which ripgrep
// needs an option; and ripgrep searches a hidden file that an ignore file includes
// again. Each is checked with each file. Every other difference is an error.
func (b *bench) reason(ctx context.Context, c class, rg []string) (string, error) {
	rg = append([]string{"--with-filename"}, rg...)
	var known []string
	for i, arg := range rg {
		switch arg {
		case "-n", "-l":
			rg[i] = "-c"
		default:
			if slices.Contains(c.rg, "-U") && strings.Contains(arg, `\n`) {
				rg[i] = strings.ReplaceAll(arg, `\n`, `\r?\n`)
				known = append(known, `\n also matches CRLF`)
			}
		}
	}
	dir := b.trees[c.tree]
	s, err := call(ctx, dir, b.rg, rg)
	if err != nil {
		return "", err
	}
	theirs := counts(s.output)
	var args map[string]any
	if err := json.Unmarshal([]byte(c.args), &args); err != nil {
		return "", err
	}
	args["mode"], args["limit"] = "count", 10_000
	ours, err := b.counted(ctx, c, dir, args)
	if err != nil {
		return "", err
	}
	for path := range ours {
		theirs[path] += 0
	}
	decoded, hidden := 0, 0
	for _, path := range slices.Sorted(maps.Keys(theirs)) {
		if theirs[path] == ours[path] {
			continue
		}
		if ours[path] == 0 && strings.Contains("/"+path, "/.") {
			hidden++
			continue
		}
		encoding, n, err := b.decoded(ctx, c, rg, path)
		if err != nil {
			return "", err
		}
		if encoding == "utf-8" || n != ours[path] {
			return fmt.Sprintf("DIFFERENT in %s: %d, ripgrep %d", path, ours[path], n), nil
		}
		decoded++
	}
	if decoded > 0 {
		known = append(known, fmt.Sprintf("%d files are not UTF-8", decoded))
	}
	if hidden > 0 {
		known = append(known, fmt.Sprintf("%d hidden files that an ignore file includes again", hidden))
	}
	if len(known) == 0 {
		return "DIFFERENT", nil
	}
	return strings.Join(known, ", "), nil
}

// counted returns what helve counts in each file, page by page.
func (b *bench) counted(ctx context.Context, c class, dir string, args map[string]any) (map[string]int, error) {
	all := map[string]int{}
	for {
		asked, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		s, err := call(ctx, dir, b.program, []string{c.tool, string(asked)})
		if err != nil {
			return nil, err
		}
		var answer struct {
			Data struct {
				Files []struct {
					Path  string
					Count int
				}
				NextOffset int `json:"next_offset"`
			}
		}
		if err := json.Unmarshal(s.output, &answer); err != nil {
			return nil, err
		}
		for _, f := range answer.Data.Files {
			all[f.Path] = f.Count
		}
		if answer.Data.NextOffset == 0 {
			return all, nil
		}
		args["offset"] = answer.Data.NextOffset
	}
}

// decoded returns the encoding of a file and what ripgrep counts in it with that
// encoding.
func (b *bench) decoded(ctx context.Context, c class, rg []string, path string) (encoding string, count int, err error) {
	dir := b.trees[c.tree]
	args, err := json.Marshal(map[string]any{"path": path, "limit": 1})
	if err != nil {
		return "", 0, err
	}
	s, err := call(ctx, dir, b.program, []string{"read", string(args)})
	if err != nil {
		return "", 0, err
	}
	var answer struct{ Data struct{ Encoding string } }
	if err := json.Unmarshal(s.output, &answer); err != nil {
		return "", 0, err
	}
	asked := append(slices.Clone(rg[:len(rg)-1]), "--encoding", answer.Data.Encoding, path) // instead of the tree
	if s, err = call(ctx, dir, b.rg, asked); err != nil {
		return "", 0, err
	}
	return answer.Data.Encoding, counts(s.output)[path], nil
}
