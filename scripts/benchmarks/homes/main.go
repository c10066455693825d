//go:build unix

// Command homes shows what a command reads of a home directory with secrets of all kinds
// among thousands of files, and which builds and tests pass there without a question: by
// the binary, in each kind of sandbox, as this user and, for root, as an ordinary one.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/testing/homes"
)

func main() {
	others := flag.Int("files", 5000, "other files in the home directory")
	temporary := flag.Int("tmp", 2000, "files in /tmp")
	base := flag.String("dir", "/opt", "where to make home directories; not in /tmp, which namespaces replace")
	only := flag.Int("user", -1, "try as this user alone")
	flag.Parse()
	if err := measure(os.Stdout, *base, *others, *temporary, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// nobody is an ordinary user.
const nobody = 65534

func measure(out io.Writer, base string, others, temporary, only int) (err error) {
	top, err := os.MkdirTemp(base, "homes-benchmark-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(top)) }()
	program := filepath.Join(top, "helve")
	if said, err := exec.CommandContext(context.Background(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w %s", err, said)
	}
	if err := os.Chmod(top, 0o755); err != nil {
		return err
	}
	full, err := os.MkdirTemp("/tmp", "homes-benchmark-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(full)) }()
	for i := range temporary { // in /tmp itself
		name := fmt.Sprintf("%s-%d", full, i)
		if err := os.WriteFile(name, []byte(homes.Word+"\n"), 0o600); err != nil {
			return err
		}
		defer func() { _ = os.Remove(name) }() // at worst a file of /tmp stays
	}
	users := []int{os.Getuid()}
	if users[0] == 0 {
		users = append(users, nobody)
	}
	if only >= 0 {
		users = []int{only}
	}
	for _, user := range users {
		for _, kind := range []string{"namespaces", "landlock"} {
			v := visit{out: out, program: program, user: user, kind: kind, home: filepath.Join(top, fmt.Sprint(kind, user))}
			if err := v.run(others); err != nil {
				return fmt.Errorf("%s, user %d: %w", kind, user, err)
			}
		}
	}
	return nil
}

// visit is a home directory with a user and a kind of sandbox.
type visit struct {
	out           io.Writer
	program, home string
	user          int
	kind          string
}

func (v visit) run(others int) error {
	all, err := homes.Make(v.home, others)
	if err == nil {
		err = homes.Furnish(v.home, os.Getenv("HOME"))
	}
	if err == nil {
		err = homes.Write(v.home, "work/reader/list", strings.Join(all, "\n")+"\n")
	}
	if err == nil {
		err = homes.Write(v.home, ".config/helve/config.json", `{"exec": {"sandbox": "`+v.kind+`"}}`)
	}
	if err != nil {
		return err
	}
	const reader = `while read -r f; do if read -r word < "$HOME/$f" && [ "$word" = sesame ]; then echo "$f"; fi; done < list 2> /dev/null; echo done`
	if err := homes.Write(v.home, "work/reader/reader.sh", reader+"\n"); err != nil {
		return err
	}
	if err := v.own(v.home); err != nil {
		return err
	}
	start := time.Now()
	r, status, err := v.exec("work/reader", "sh reader.sh > found; wc -l < found; tail -n 1 found")
	if err != nil || status != 0 || !strings.HasSuffix(r.Output, "\ndone\n") {
		return fmt.Errorf("reading: %d %w %+v", status, err, r)
	}
	lines, _, _ := strings.Cut(strings.TrimSpace(r.Output), "\n")
	read, err := strconv.Atoi(strings.TrimSpace(lines))
	if err != nil {
		return err
	}
	v.say("%-10s user %-5d %d of %d files read, in %.1f s\n", v.kind, v.user, read-1, len(all), time.Since(start).Seconds())
	passed, asked, missing := 0, 0, 0
	for i, b := range homes.Builds {
		dir := filepath.Join("work", fmt.Sprint("b", i))
		if b.Missing() != "" || v.user != os.Getuid() && v.unreachable(b) {
			missing++
			continue
		}
		if err := b.Lay(context.Background(), filepath.Join(v.home, dir), v.environ()); err != nil {
			return fmt.Errorf("%s: %w", b.Command, err)
		}
		if err := v.own(filepath.Join(v.home, dir)); err != nil {
			return err
		}
		r, status, err := v.exec(dir, b.Command)
		switch {
		case err != nil:
			return err
		case status == 4:
			asked++
			v.say("  asked: %s\n", b.Command)
		case status != 0 || r.ExitCode != 0:
			v.say("  failed: %s: %d %s\n", b.Command, status, r.Output)
		default:
			passed++
		}
	}
	v.say("%-10s user %-5d %d builds: %d passed, %d asked, %d without their programs here\n", v.kind, v.user, len(homes.Builds), passed, asked, missing)
	return nil
}

// own gives a path to the user.
func (v visit) own(path string) error {
	if v.user == os.Getuid() {
		return nil
	}
	return exec.CommandContext(context.Background(), "chown", "-hR", fmt.Sprintf("%d:%d", v.user, v.user), path).Run()
}

// unreachable reports whether the program of a build is not one of the system.
func (v visit) unreachable(b homes.Build) bool {
	for program := range strings.FieldsSeq(b.Judges) {
		c := exec.CommandContext(context.Background(), "sh", "-c", "command -v "+program)
		c.Env = v.environ()
		if c.Run() != nil {
			return true
		}
	}
	return false
}

func (v visit) environ() []string {
	path := "/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin"
	if v.user == os.Getuid() {
		path = os.Getenv("PATH")
	}
	env := []string{"PATH=" + path, "HOME=" + v.home}
	if v.user == os.Getuid() {
		env = append(env, "RUSTUP_HOME="+filepath.Join(v.home, ".rustup"), "PYENV_ROOT="+filepath.Join(v.home, ".pyenv"))
	}
	return env
}

// result has the fields of a result of exec that are looked at.
type result struct {
	Output     string `json:"output"`
	ExitCode   int    `json:"exit_code"`
	TotalBytes int    `json:"total_bytes"`
}

// say prints a line of the report.
func (v visit) say(format string, values ...any) {
	_, _ = fmt.Fprintf(v.out, format, values...) // nobody else reads it
}

// exec calls the tool in a directory of the home.
func (v visit) exec(dir, command string) (r result, status int, err error) {
	args, err := json.Marshal(map[string]any{"command": command, "timeout": 600, "raw": true})
	if err != nil {
		return r, 0, err
	}
	c := exec.CommandContext(context.Background(), v.program, "exec", string(args))
	c.Dir, c.Env = filepath.Join(v.home, dir), v.environ()
	if v.user != os.Getuid() {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(v.user), Gid: uint32(v.user)}}
	}
	said, err := c.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status, err = exit.ExitCode(), nil
	}
	if err != nil {
		return r, status, err
	}
	var answer struct {
		Data  result          `json:"data"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(said, &answer); err != nil {
		return r, status, fmt.Errorf("%w: %s", err, said)
	}
	if answer.Error != nil {
		answer.Data.Output += string(answer.Error)
	}
	return answer.Data, status, nil
}
