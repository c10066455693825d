// Package dialogue draws conversations between a model and the tools that change a file,
// while a person changes it too. The model does what each hint says. A dialogue says what is
// wrong: an edit that was made elsewhere than the model meant, a claim that is not true, or
// hints that lead nowhere. How a tool is called is the caller's business.
package dialogue

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Call runs a tool with arguments and returns its document.
type Call func(tool string, args any) ([]byte, error)

// Steps is the least number of steps of a dialogue.
const Steps = 12

// patience limits the tries of the model before hints count as leading nowhere.
const patience = 6

// line is a line of the file, which stays the same line when its text changes.
type line struct {
	id   int
	text string
}

// dialogue is one conversation about one file.
type dialogue struct {
	r    *rand.Rand
	dir  string
	call Call

	path   string
	lines  []line   // as they are
	branch []line   // as they are on the other branch
	past   [][]line // to which a person may go back by hand
	seen   []line   // as the model was shown them last
	undo   []undoable
	fresh  int // makes texts and ids
	log    []string
}

type undoable struct {
	id     string
	before []line
}

// Run has one dialogue in an empty directory. It returns the steps and what is wrong.
func Run(dir string, seed uint64, call Call) (log []string, err error) {
	d := &dialogue{r: rand.New(rand.NewPCG(seed, 1)), dir: dir, call: call, path: "a.py"}
	for f := range 3 + d.r.IntN(3) {
		d.add(fmt.Sprintf("def f%d(x):", f), "    value = load(x)", "    run(value)", fmt.Sprintf("    log('f%d', value)", f), "    return value", "")
	}
	d.branch = d.copied()
	for i := range d.branch {
		if d.r.IntN(4) == 0 && d.branch[i].text != "" {
			d.branch[i].text += "  # other"
		}
	}
	if err := d.save(); err != nil {
		return nil, err
	}
	if err := d.read(); err != nil {
		return d.log, err
	}
	steps := []struct {
		name string
		do   func() error
	}{
		{"edit", d.edit}, {"edit", d.edit}, {"edit", d.edit}, {"patch", d.patch}, {"read", d.read}, {"part", d.part}, {"grep", d.grep},
		{"undo", d.takeBack}, {"revert", d.revert}, {"revert", d.revert}, {"format", d.format}, {"move", d.move}, {"switch", d.turn}, {"person", d.person},
	}
	for range Steps + d.r.IntN(6) {
		s := steps[d.r.IntN(len(steps))]
		d.say("%s", s.name)
		if err := s.do(); err != nil {
			return d.log, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return d.log, nil
}

func (d *dialogue) say(format string, args ...any) {
	d.log = append(d.log, fmt.Sprintf(format, args...))
}

func (d *dialogue) add(texts ...string) {
	for _, text := range texts {
		d.fresh++
		d.lines = append(d.lines, line{d.fresh, text})
	}
}

func (d *dialogue) copied() []line { return append([]line(nil), d.lines...) }

func text(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

func (d *dialogue) file() string { return filepath.Join(d.dir, d.path) }

func (d *dialogue) save() error { return os.WriteFile(d.file(), []byte(text(d.lines)), 0o600) }

// answer is the part of a tool's answer that the model goes by.
type answer struct {
	OK   bool `json:"ok"`
	Data struct {
		UndoID string `json:"undo_id"`
	} `json:"data"`
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Hint    string `json:"hint"`
		Details struct {
			Line       int       `json:"line"`
			Current    excerpt   `json:"current"`
			Candidates []excerpt `json:"candidates"`
			Matches    []excerpt `json:"matches"`
		} `json:"details"`
	} `json:"error"`
}

type excerpt struct {
	ID    string `json:"id"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

func (d *dialogue) ask(tool string, args map[string]any) (a answer, err error) {
	sent, err := json.Marshal(args)
	if err != nil {
		return a, err
	}
	raw, err := d.call(tool, args)
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return a, fmt.Errorf("%s: %w: %s", tool, err, raw)
	}
	d.say("  %s %s: %t %s %s; %s", tool, sent, a.OK, a.Error.Code, a.Error.Message, a.Error.Hint)
	return a, nil
}

// read shows the model all of the file.
func (d *dialogue) read() error {
	a, err := d.ask("read", map[string]any{"path": d.path})
	if err == nil && !a.OK {
		err = fmt.Errorf("%s", a.Error.Message)
	}
	d.seen = d.copied()
	return err
}

// part shows the model some lines. What it knows of others stays as it is.
func (d *dialogue) part() error {
	first := d.r.IntN(len(d.lines))
	n := min(1+d.r.IntN(6), len(d.lines)-first)
	_, err := d.ask("read", map[string]any{"path": d.path, "offset": first + 1, "limit": n})
	d.learn(d.lines[first : first+n])
	return err
}

func (d *dialogue) learn(lines []line) {
	for _, l := range lines {
		for i := range d.seen {
			if d.seen[i].id == l.id {
				d.seen[i] = l
			}
		}
	}
}

// grep shows the model the lines with a word.
func (d *dialogue) grep() error {
	word := []string{"value", "load", "return", "run"}[d.r.IntN(4)]
	_, err := d.ask("grep", map[string]any{"pattern": word})
	for _, l := range d.lines {
		if strings.Contains(l.text, word) {
			d.learn([]line{l})
		}
	}
	return err
}

// person changes a line, removes one or adds a twin of one.
func (d *dialogue) person() error {
	d.past = append(d.past, d.copied())
	i := d.r.IntN(len(d.lines))
	d.fresh++
	switch d.r.IntN(4) {
	case 0:
		d.lines = append(d.lines[:i:i], d.lines[i+1:]...)
	case 1: // not beside it: nobody could tell the two apart
		twin := line{d.fresh, d.lines[i].text}
		if at := d.r.IntN(len(d.lines)); at < i-1 || at > i+1 {
			d.lines = append(d.lines[:at:at], append([]line{twin}, d.lines[at:]...)...)
		}
	default:
		d.lines[i].text += fmt.Sprintf("  # person %d", d.fresh)
	}
	return d.save()
}

// revert is the person's way back to a version of before.
func (d *dialogue) revert() error {
	if len(d.past) == 0 {
		return nil
	}
	d.lines, d.past = d.past[len(d.past)-1], d.past[:len(d.past)-1]
	return d.save()
}

// format is a formatter: other quotes, other white space.
func (d *dialogue) format() error {
	d.past = append(d.past, d.copied())
	for i := range d.lines {
		d.lines[i].text = strings.ReplaceAll(d.lines[i].text, "'", `"`)
		d.lines[i].text = strings.ReplaceAll(d.lines[i].text, "(x)", "( x )")
	}
	return d.save()
}

// turn switches the branch.
func (d *dialogue) turn() error {
	d.lines, d.branch = d.branch, d.copied()
	d.past = nil
	return d.save()
}

// move renames the file, with the tool.
func (d *dialogue) move() error {
	to := fmt.Sprintf("b%d.py", d.fresh)
	d.fresh++
	a, err := d.ask("move", map[string]any{"from": d.path, "to": to})
	if err == nil && a.OK {
		d.path, d.undo = to, nil
	}
	return err
}

// takeBack takes back the model's last change.
func (d *dialogue) takeBack() error {
	if len(d.undo) == 0 {
		return nil
	}
	last := d.undo[len(d.undo)-1]
	d.undo = d.undo[:len(d.undo)-1]
	a, err := d.ask("undo", map[string]any{"id": last.id})
	if err != nil || !a.OK {
		return err // somebody has changed the file since: it says so
	}
	d.lines = last.before
	d.learn(d.lines)
	return d.agree()
}

// agree compares the file with what it must be.
func (d *dialogue) agree() error {
	raw, err := os.ReadFile(d.file())
	if err == nil && string(raw) != text(d.lines) {
		err = fmt.Errorf("the file is\n%s\nand should be\n%s", raw, text(d.lines))
	}
	return err
}
