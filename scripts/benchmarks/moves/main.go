//go:build unix

// Command moves runs random commands of git in random histories whose branches differ in
// files that other programs obey, by the binary in each kind of sandbox and without one, and counts what is
// not as git alone makes it in a twin of the repository, and the questions.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/testing/histories"
)

func main() {
	count := flag.Int("histories", 500, "histories to make")
	first := flag.Uint64("seed", 0, "seed of the first one")
	kinds := flag.String("kinds", "namespaces,landlock,off", "kinds of sandbox")
	commands := flag.Int("commands", 4, "commands in each")
	binary := flag.String("binary", "", "helve to try; by default it is built")
	flag.Parse()
	if err := measure(os.Stdout, *binary, *kinds, *first, *count, *commands); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// tally counts what was seen.
type tally struct{ commands, questions, twice, different int }

func measure(out io.Writer, program, kinds string, first uint64, count, commands int) (err error) {
	top, err := os.MkdirTemp("/var/tmp", "moves-benchmark-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(top)) }()
	if program == "" {
		program = filepath.Join(top, "helve")
		if said, err := exec.CommandContext(context.Background(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			return fmt.Errorf("%w %s", err, said)
		}
	}
	for kind := range strings.SplitSeq(kinds, ",") {
		var t tally
		for i := range count {
			dir := filepath.Join(top, "one")
			v := visit{out: out, program: program, dir: dir, kind: kind, seed: first + uint64(i)}
			if err := errors.Join(v.run(commands, &t), os.RemoveAll(dir)); err != nil {
				return fmt.Errorf("seed %d: %w", v.seed, err)
			}
		}
		if _, err := fmt.Fprintf(out, "%-11s %d histories, %d commands: %d differ from git's own; %d questions, %d commands asked more than once\n",
			kind, count, t.commands, t.different, t.questions, t.twice); err != nil {
			return err
		}
	}
	return nil
}

// visit is one history.
type visit struct {
	out                io.Writer
	program, dir, kind string
	seed               uint64
}

func (v visit) run(commands int, t *tally) error {
	own, twin := filepath.Join(v.dir, "own"), filepath.Join(v.dir, "twin")
	if err := os.MkdirAll(own, 0o755); err != nil {
		return err
	}
	m, err := histories.Make(own, v.seed)
	if err != nil {
		return err
	}
	if err := histories.Copy(own, twin); err != nil {
		return err
	}
	for range commands {
		command := m.Command()
		questions, said, err := v.helve(own, command)
		if err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		t.commands++
		t.questions += questions
		if questions > 1 && !strings.HasPrefix(command, "git pull") { // which is two commands
			t.twice++
		}
		_, _ = histories.Run(twin, command) // it may end in a conflict
		here, err1 := histories.State(own)
		there, err2 := histories.State(twin)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if !maps.Equal(here, there) {
			t.different++
			_, err := fmt.Fprintf(v.out, "%s, seed %d, %s: %s\n%s\n", v.kind, v.seed, command, strings.Join(difference(here, there), ", "), said)
			return err
		}
	}
	return nil
}

// difference lists the keys whose values differ.
func difference(a, b map[string]string) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if a[key] != b[key] {
			keys = append(keys, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[key]; !ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// answer has the parts of a result that matter here.
type answer struct {
	OK    bool `json:"ok"`
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

// helve runs a command by helve, and approves what is asked.
func (v visit) helve(dir, command string) (questions int, said string, err error) {
	args := []string{"--no-input", "exec", command}
	for {
		c := exec.CommandContext(context.Background(), v.program, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "HELVE_HOME="+filepath.Join(v.dir, "home"), "HOME=/home/nobody", "GIT_CONFIG_NOSYSTEM=1", "HELVE_SESSION=s")
		if _, err := os.Lstat(filepath.Join(v.dir, "home")); err != nil {
			set := exec.CommandContext(context.Background(), v.program, "config", "set", "exec.sandbox", v.kind)
			set.Dir, set.Env = dir, c.Env
			if out, err := set.CombinedOutput(); err != nil {
				return 0, "", fmt.Errorf("%w %s", err, out)
			}
		}
		out, runErr := c.Output()
		var a answer
		if err := json.Unmarshal(out, &a); err != nil {
			return questions, string(out), fmt.Errorf("%w: %q, %w", err, out, runErr)
		}
		switch {
		case a.OK:
			return questions, string(out), nil
		case a.Error.Code != "approval_required" || questions > 3:
			return questions, string(out), fmt.Errorf("%s %s", a.Error.Code, a.Error.Message)
		}
		questions++
		args = []string{"approve", a.Error.Details.Approval.ID}
	}
}
