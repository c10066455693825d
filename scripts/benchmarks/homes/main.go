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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/testing/homes"
)

func main() {
	var m matrix
	sizes := flag.String("files", "5000", "other files in the home directory; several numbers make several home directories")
	kinds := flag.String("kinds", "namespaces landlock", "sandboxes; landlock4 is Landlock as a kernel with version 4 of its interface has it")
	temporary := flag.Int("tmp", 2000, "files in /tmp")
	flag.StringVar(&m.base, "dir", "/opt", "where to make home directories; not in /tmp, which namespaces replace")
	flag.IntVar(&m.only, "user", -1, "try as this user alone")
	all := flag.Bool("all", true, "also run what is not in the table of work")
	only := flag.String("work", "", "run the commands that this regular expression matches")
	flag.Parse()
	err := m.choose(*sizes, *kinds, *only, *all)
	if err == nil {
		err = m.measure(*temporary)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// nobody is an ordinary user.
const nobody = 65534

// matrix holds the choices of a run: each piece of work is tried in each sandbox and home, for
// each user.
type matrix struct {
	base  string
	only  int
	sizes []int
	kinds []string
	work  []homes.Build
	top   string
}

func (m *matrix) choose(sizes, kinds, only string, all bool) error {
	m.kinds = strings.Fields(kinds)
	for field := range strings.FieldsSeq(sizes) {
		size, err := strconv.Atoi(field)
		if err != nil {
			return err
		}
		m.sizes = append(m.sizes, size)
	}
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	m.work = homes.Work
	if all {
		m.work = slices.Concat(homes.Work, homes.Builds)
	}
	m.work = slices.DeleteFunc(slices.Clone(m.work), func(b homes.Build) bool { return !chosen.MatchString(b.Command) })
	return nil
}

func (m *matrix) measure(temporary int) (err error) {
	if m.top, err = os.MkdirTemp(m.base, "homes-benchmark-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.top)) }()
	program := filepath.Join(m.top, "helve")
	if said, err := exec.CommandContext(context.Background(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w %s", err, said)
	}
	if err := os.Chmod(m.top, 0o755); err != nil {
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
	if err := m.warm(); err != nil {
		return err
	}
	users := []int{os.Getuid()}
	if users[0] == 0 {
		users = append(users, nobody)
	}
	if m.only >= 0 {
		users = []int{m.only}
	}
	differ := 0
	for _, user := range users {
		all := map[string][]string{} // results by the kind and the command, one for each size
		for _, size := range m.sizes {
			if err := m.visit(program, user, size, all); err != nil {
				return err
			}
		}
		for key, results := range all {
			if len(slices.Compact(results)) > 1 {
				differ++
				fmt.Printf("user %d, %s: differs by the number of files: %q\n", user, key, results)
			}
		}
	}
	fmt.Printf("%d differ by the number of files\n", differ)
	if differ > 0 {
		return errors.New("the number of files matters")
	}
	return nil
}

// warm compiles once what the work with Go needs, so that each home has it as machines do.
func (m *matrix) warm() error {
	for _, b := range m.work {
		if b.Judges != "go" || b.Missing() != "" {
			continue
		}
		home := filepath.Join(m.top, "warm")
		if err := homes.Furnish(home, os.Getenv("HOME")); err != nil {
			return err
		}
		dir := filepath.Join(home, "work/x")
		if err := b.Lay(context.Background(), dir, nil); err != nil {
			return err
		}
		c := exec.CommandContext(context.Background(), "sh", "-c", b.Command)
		c.Dir, c.Env = dir, append(os.Environ(), "HOME="+home, "GOCACHE="+filepath.Join(m.top, "cache"), "GOFLAGS=")
		if said, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w %s", b.Command, err, said)
		}
		if err := os.RemoveAll(home); err != nil {
			return err
		}
	}
	return nil
}

// visit makes a home directory of a size and tries all in it.
func (m *matrix) visit(program string, user, size int, all map[string][]string) error {
	v := visit{out: os.Stdout, cache: filepath.Join(m.top, "cache"), program: program, user: user, size: size, home: filepath.Join(m.top, fmt.Sprint("home", user, "-", size))}
	if err := v.make(); err != nil {
		return err
	}
	for _, kind := range m.kinds {
		v.kind = kind
		if err := v.run(m.work, all); err != nil {
			return fmt.Errorf("%s, user %d: %w", kind, user, err)
		}
	}
	return os.RemoveAll(v.home)
}

// visit is a home directory with a user and a kind of sandbox.
type visit struct {
	out           io.Writer
	program, home string
	cache         string // of Go
	user, size    int
	kind          string
	files         int
}

// make makes the home directory.
func (v *visit) make() error {
	all, err := homes.Make(v.home, v.size)
	v.files = len(all)
	if err == nil {
		err = homes.Furnish(v.home, os.Getenv("HOME"))
	}
	const reader = `while read -r f; do if read -r word < "$HOME/$f" && [ "$word" = sesame ]; then echo "$f"; fi; done < list 2> /dev/null; echo done`
	for name, text := range map[string]string{"work/reader/list": strings.Join(all, "\n") + "\n", "work/reader/reader.sh": reader + "\n"} {
		if err == nil {
			err = homes.Write(v.home, name, text)
		}
	}
	if _, missing := os.Stat(v.cache); err == nil && missing == nil {
		err = exec.CommandContext(context.Background(), "cp", "-a", v.cache+"/.", filepath.Join(v.home, ".cache/go-build")).Run()
	}
	if err == nil {
		err = v.own(v.home)
	}
	return err
}

// confine has the commands from now on run in the kind of the visit.
func (v *visit) confine() error {
	kind := strings.TrimRight(v.kind, "0123456789")
	found, err := filepath.Glob(filepath.Join(v.home, ".local/state/helve/*/sandbox"))
	if err != nil {
		return err
	}
	for _, file := range found { // another kind may have been another machine's
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	if err := homes.Write(v.home, ".config/helve/config.json", `{"exec": {"sandbox": "`+kind+`"}}`); err != nil {
		return err
	}
	return v.own(filepath.Join(v.home, ".config/helve"))
}

// older has helve take the machine for one whose kernel has the version of Landlock that
// the kind names, in a directory.
func (v *visit) older(dir string) error {
	version := strings.TrimLeft(v.kind, "abcdefghijklmnopqrstuvwxyz")
	if version == "" {
		return nil
	}
	if _, status, err := v.exec(dir, "true"); err != nil || status != 0 {
		return fmt.Errorf("true: %d %w", status, err)
	}
	found, err := filepath.Glob(filepath.Join(v.home, ".local/state/helve/*/sandbox"))
	for _, file := range found {
		data, readErr := os.ReadFile(file)
		if readErr != nil {
			return readErr
		}
		data = regexp.MustCompile(`(landlock_abi=)\d+`).ReplaceAll(data, []byte("${1}"+version))
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return err
		}
	}
	return err
}

func (v *visit) run(work []homes.Build, all map[string][]string) error {
	if err := v.confine(); err != nil {
		return err
	}
	if err := v.older("work/reader"); err != nil {
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
	v.say("%d of %d files read, in %.1f s, degraded %q", read-1, v.files, time.Since(start).Seconds(), r.Sandbox.Degraded)
	start = time.Now()
	passed, missing := 0, 0
	for i, b := range work {
		if b.Missing() != "" || v.user != os.Getuid() && v.unreachable(b) {
			missing++
			continue
		}
		result, err := v.try(b, filepath.Join("work", fmt.Sprint(v.kind, "-", i)))
		if err != nil {
			return err
		}
		if result == "works" {
			passed++
		} else {
			v.say("%s: %s", b.Command, result)
		}
		key := v.kind + ": " + b.Command
		all[key] = append(all[key], result)
	}
	result, err := v.background()
	if err != nil {
		return err
	}
	v.say("a job in the background: %s", result)
	key := v.kind + ": a job in the background"
	all[key] = append(all[key], result)
	v.say("%d of %d works, %d without their programs here, in %.0f s", passed, len(work)-missing, missing, time.Since(start).Seconds())
	return nil
}

// try runs a piece of work in a directory and describes what came of it.
func (v *visit) try(b homes.Build, dir string) (string, error) {
	if err := b.Lay(context.Background(), filepath.Join(v.home, dir), v.environ()); err != nil {
		return "", fmt.Errorf("%s: %w", b.Command, err)
	}
	err := v.own(filepath.Join(v.home, dir))
	if err == nil {
		err = v.older(dir)
	}
	if err != nil {
		return "", err
	}
	r, status, err := v.exec(dir, b.Command)
	switch {
	case err != nil:
		return "", err
	case status == 4:
		return "asked", nil
	case status != 0 || r.ExitCode != 0:
		for i := range r.Denials { // each home has its own paths
			r.Denials[i].Path = strings.TrimPrefix(r.Denials[i].Path, v.home)
		}
		v.say("%s: %s", b.Command, r.Output)
		return fmt.Sprintf("failed: %d %d, degraded %q, denials %+v", status, r.ExitCode, r.Sandbox.Degraded, r.Denials), nil
	}
	return "works", nil
}

// background has a job write a file and read a secret, and waits for it.
func (v *visit) background() (string, error) {
	const command = `read -r word < "$HOME/.ssh/id_ed25519" && echo "$word" > made; sleep 1; echo word >> made`
	dir := filepath.Join("work", v.kind+"-job")
	err := homes.Write(v.home, filepath.Join(dir, "x"), "")
	if err == nil {
		err = v.own(filepath.Join(v.home, dir))
	}
	if err == nil {
		err = v.older(dir)
	}
	if err != nil {
		return "", err
	}
	r, status, err := v.call(dir, "exec", map[string]any{"command": command, "background": true})
	if err != nil || status != 0 {
		return fmt.Sprintf("failed: %d %s", status, r.Output), err
	}
	if r, status, err = v.call(dir, "job", map[string]any{"action": "wait", "id": r.Job}); err != nil || status != 0 {
		return fmt.Sprintf("failed: %d %s", status, r.Output), err
	}
	switch text, err := os.ReadFile(filepath.Join(v.home, dir, "made")); {
	case err != nil:
		return "", err
	case string(text) != "word\n":
		return fmt.Sprintf("wrote %q", text), nil
	}
	return "works", nil
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
	Output   string `json:"output"`
	Job      any    `json:"job"` // its name, or of the tool for jobs all of it
	ExitCode int    `json:"exit_code"`
	Denials  []struct {
		Op   string `json:"op"`
		Path string `json:"path"`
		Rule string `json:"rule"`
	} `json:"denials"`
	Sandbox struct {
		Degraded []string `json:"degraded"`
	} `json:"sandbox"`
}

// say prints a line of the report.
func (v visit) say(format string, values ...any) {
	line := fmt.Sprintf("%-10s user %-5d %4d files: ", v.kind, v.user, v.size) + fmt.Sprintf(format, values...)
	_, _ = fmt.Fprintln(v.out, strings.TrimSpace(line)) // nobody else reads it
}

// exec calls the tool in a directory of the home.
func (v visit) exec(dir, command string) (r result, status int, err error) {
	return v.call(dir, "exec", map[string]any{"command": command, "timeout": 600, "raw": true})
}

// call calls a tool in a directory of the home.
func (v visit) call(dir, tool string, given map[string]any) (r result, status int, err error) {
	args, err := json.Marshal(given)
	if err != nil {
		return r, 0, err
	}
	c := exec.CommandContext(context.Background(), v.program, tool, string(args))
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
