package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// formatter is a program that lays out source code, with the files that it is given.
type formatter struct {
	name      string
	languages []string // of corpora
	untidy    func(string) string
	args      []string // before the workspace
	install   func(dir string) (program string, err error)
}

var formatters = []formatter{
	{"gofmt", []string{"Go"}, untidied, []string{"-w"}, func(string) (string, error) { return exec.LookPath("gofmt") }},
	{"black", []string{"Python"}, nil, []string{"-q"}, func(dir string) (string, error) {
		return installed(dir, "black", "bin/black", []string{"python3", "-m", "venv", "."}, []string{"bin/pip", "install", "-q", "black"})
	}},
	{"prettier", []string{"JavaScript", "Markdown"}, nil, []string{"--log-level", "silent", "--no-config", "--write"}, func(dir string) (string, error) {
		return installed(dir, "prettier", "node_modules/.bin/prettier", []string{"npm", "install", "--silent", "--no-audit", "--no-fund", "prettier"})
	}},
}

// installed returns a program of the machine or, if it has none, installs it in a
// directory.
func installed(dir, name, program string, commands ...[]string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	dir = filepath.Join(dir, name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	for _, argv := range commands {
		if strings.Contains(argv[0], "/") {
			argv[0] = filepath.Join(dir, argv[0])
		}
		c := exec.CommandContext(context.Background(), argv[0], argv[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %.200s", err, bytes.TrimSpace(out))
		}
	}
	return filepath.Join(dir, program), nil
}

// session is a workspace and the helve that works in it.
type session struct{ helve, home, dir string }

// answer is the output of helve.
type answer struct {
	OK   bool
	Data struct {
		Edits []struct{ Old struct{ Start, End int } }
	}
	Error struct{ Code, Message string }
}

// call makes one call, as a host does: in a process of its own.
func (s session) call(tool string, args any) answer {
	input, err := json.Marshal(args)
	if err != nil {
		fatal(err)
	}
	c := exec.CommandContext(context.Background(), s.helve, "--no-input", tool)
	c.Dir, c.Stdin = s.dir, bytes.NewReader(input)
	c.Env = append(os.Environ(), "HELVE_HOME="+s.home, "HELVE_SESSION=", "HELVE_ROOT=")
	out, _ := c.Output() // the status of a refused call is not 0
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		fatal(fmt.Errorf("%s: %w: %.200s", tool, err, out))
	}
	return a
}

// try makes an edit without writing, and counts what became of it. The block was at a
// line, from 1.
func (s session) try(t *tally, file, block string, line int) {
	a := s.call("edit", map[string]any{"path": file, "old_text": block, "new_text": "x()\n", "dry_run": true})
	t.tried++
	switch {
	case a.OK && a.Data.Edits[0].Old.Start == line:
		t.right++
	case a.OK:
		t.wrong++
	case a.Error.Code == "stale":
		t.stale++
	case a.Error.Code == "text_ambiguous":
		t.ambiguous++
	default:
		t.other++
	}
}

// reformat reads files through helve, has a formatter change them through helve exec, and
// edits them by their text from before and after. It reports whether no edit of a text
// that the file has was refused as stale, or made elsewhere.
func reformat(r *rand.Rand, files int) (good bool) {
	cache, err := os.UserCacheDir() // commands have a temporary directory of their own
	if err != nil {
		fatal(err)
	}
	dir, err := os.MkdirTemp(cache, "helve-bench-")
	if err != nil {
		fatal(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // nothing depends on it
	s := session{helve: filepath.Join(dir, "helve"), home: filepath.Join(dir, "home")}
	if out, err := exec.CommandContext(context.Background(), "go", "build", "-o", s.helve, ".").CombinedOutput(); err != nil {
		fatal(fmt.Errorf("%w: %s", err, out))
	}
	say("\n%-44s %6s %6s %6s %6s %9s %6s\n", "read, then formatted through exec", "edits", "right", "wrong", "stale", "ambiguous", "other")
	good = true
	for _, f := range formatters {
		program, err := f.install(dir)
		if err != nil {
			say("%-44s skipped: %v\n", f.name, err)
			continue
		}
		s.dir = filepath.Join(dir, "work-"+f.name)
		if err := os.Mkdir(s.dir, 0o755); err != nil {
			fatal(err)
		}
		good = s.reformat(r, f, program, files) && good
	}
	return good
}

// reformat is the function of this name for one formatter.
func (s session) reformat(r *rand.Rand, f formatter, program string, files int) bool {
	before := map[string]string{}
	var names []string
	for _, c := range corpora() {
		for _, language := range f.languages {
			if c.name != language {
				continue
			}
			taken := 0
			for _, path := range c.texts(r, 10*files) {
				lines, ok := readLines(path)
				text := strings.Join(lines, "\n") + "\n"
				if !ok || len(text) > 30<<10 || taken == files/len(f.languages) {
					continue
				}
				if f.untidy != nil {
					text = f.untidy(text)
				}
				name := strconv.Itoa(len(names)) + filepath.Ext(path)
				if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
					fatal(err)
				}
				if a := s.call("read", map[string]any{"path": name}); !a.OK {
					fatal(fmt.Errorf("%s: %s", path, a.Error.Message))
				}
				before[name] = text
				names = append(names, name)
				taken++
			}
		}
	}
	// The status says that some files are not valid; those stay as they are.
	if a := s.call("exec", map[string]any{"argv": append(append([]string{program}, f.args...), "."), "timeout": 300}); !a.OK {
		fatal(fmt.Errorf("%s: %s", f.name, a.Error.Message))
	}
	var after, kept, laid tally
	changed := 0
	for _, name := range names {
		raw, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			fatal(err)
		}
		was, now := before[name], string(raw)
		if was == now {
			continue
		}
		changed++
		for range 4 {
			if block, line, ok := single(r, now); ok {
				s.try(&after, name, block, line)
			}
			block, _, ok := single(r, was)
			switch at := strings.Index(now, block); {
			case !ok:
			case at < 0 || at > 0 && now[at-1] != '\n':
				s.try(&laid, name, block, 0)
			case strings.Count(now, block) == 1:
				s.try(&kept, name, block, 1+strings.Count(now[:at], "\n"))
			}
		}
	}
	after.say(fmt.Sprintf("%s, %d files, a block as it is now", f.name, changed))
	kept.say(f.name + ", a block that it left as it was")
	// Where such a block is now is not known: another layout may have other lines.
	laid.right, laid.wrong = laid.right+laid.wrong, 0
	laid.say(f.name + ", a block as it was before (right: found)")
	return after.stale+kept.stale+after.wrong+kept.wrong == 0
}

// single returns some lines of a text that it has only once.
func single(r *rand.Rand, text string) (block string, line int, ok bool) {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	at := r.IntN(len(lines))
	block = strings.TrimSuffix(strings.Join(lines[at:min(len(lines), at+1+r.IntN(5))], ""), "\n") + "\n"
	return block, at + 1, strings.TrimSpace(block) != "" && strings.Count(text, block) == 1
}
