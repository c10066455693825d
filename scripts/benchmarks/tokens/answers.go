package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/testing/answers"
)

// compareAnswers prints how many tokens the answers of helve have, beside those of Claude
// Code to the same calls; without modules, which count them, by the estimate alone. With
// gpt-tokenizer 4.0.0:
//
//	answer                       o200k_base  estimate  Claude Code
//	edit one line                         8         7           14
//	3 edits                              19        16           17
//	new file                             12        11           11
//	overwrite with one line more         15        12           14
//	replace_all of 40 places             18        15           22
//	10 hunks                             18        15           12
//	read of 20 lines                    103       109          101
//	a miss                              104       109           31
func compareAnswers(ctx context.Context, modules, helve string) (err error) {
	dir, err := os.MkdirTemp("", "helve-answers-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if helve == "" {
		helve = filepath.Join(dir, "helve.exe")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", helve, ".").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	rows := answers.Rows()
	texts := make([]string, len(rows))
	for i, row := range rows {
		root := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(root, 0o700); err != nil {
			return err
		}
		if texts[i], err = row.Run(root, func(dir, tool, args string) (string, error) {
			c := exec.CommandContext(ctx, helve, "--root", dir, "-o", "text", tool, args)
			c.Env = append(os.Environ(), "HELVE_HOME="+dir+".home")
			out, err := c.Output()
			if _, failed := errors.AsType[*exec.ExitError](err); failed {
				err = nil
			}
			return string(out), err
		}); err != nil {
			return err
		}
	}
	counts := make([][3]int, len(rows))
	if modules != "" {
		if counts, err = count(modules, texts); err != nil {
			return err
		}
	}
	fmt.Printf("%-28s %10s %9s %12s\n", "answer", "o200k_base", "estimate", "Claude Code")
	for i, row := range rows {
		n := "-"
		if modules != "" {
			n = fmt.Sprint(counts[i][0])
		}
		fmt.Printf("%-28s %10s %9d %12d\n", row.Name, n, tokens.Estimate(texts[i]), row.Peer)
	}
	return nil
}
