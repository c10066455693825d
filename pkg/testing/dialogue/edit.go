package dialogue

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// around is the number of lines on either side of a change that a result shows.
const around = 4

// intention is a change that the model means: of one line that it was shown.
type intention struct {
	id       int
	mark     string // that the line then has
	around   int    // lines on either side that old_text has
	part     bool   // old_text is the code of the line, without its comments
	lineHint bool
}

// edit changes a line that the model was shown, and does what each hint says.
func (d *dialogue) edit() error {
	l := d.seen[d.r.IntN(len(d.seen))]
	if strings.TrimSpace(l.text) == "" {
		return nil
	}
	d.fresh++
	want := &intention{id: l.id, mark: fmt.Sprintf("  # m%d", d.fresh), part: d.r.IntN(3) == 0, around: d.r.IntN(2)}
	for range patience {
		i := slices.IndexFunc(d.seen, func(l line) bool { return l.id == want.id })
		if i < 0 {
			return nil // the model sees that the line has gone
		}
		old, now, args := d.arguments(want, i)
		if old == now {
			return nil
		}
		done, err := d.try(want, now, args)
		if done || err != nil {
			return err
		}
	}
	return fmt.Errorf("the hints lead nowhere")
}

// arguments returns the old text and the new text of an edit of the i-th line that was seen.
func (d *dialogue) arguments(want *intention, i int) (old, now string, args map[string]any) {
	from, to := max(0, i-want.around), min(len(d.seen), i+want.around+1)
	lines := append([]line(nil), d.seen[from:to]...)
	old = text(lines)
	lines[i-from].text += want.mark
	now = text(lines)
	if want.part && want.around == 0 {
		old, _, _ = strings.Cut(strings.TrimSpace(old), "  #")
		now = old + want.mark
	}
	args = map[string]any{"path": d.path, "old_text": old, "new_text": now}
	if want.lineHint {
		args["line_hint"] = i + 1
	}
	return old, now, args
}

// try makes one call and judges what came of it.
func (d *dialogue) try(want *intention, now string, args map[string]any) (done bool, err error) {
	before := d.copied()
	a, err := d.ask("edit", args)
	if err != nil {
		return false, err
	}
	if a.OK {
		return true, d.made(want, before, a.Data.UndoID)
	}
	switch a.Error.Code {
	case "already_applied":
		raw, err := os.ReadFile(d.file())
		if err == nil && !strings.Contains(string(raw), strings.TrimSpace(now)) {
			err = fmt.Errorf("it is not already there: %q", now)
		}
		return true, err
	case "text_ambiguous":
		want.part = false
		if d.r.IntN(2) == 0 {
			want.around++
			return false, nil
		}
		want.around += 2
		return false, d.read()
	case "stale", "text_not_found":
		if a.Error.Code == "stale" && a.Error.Details.Current.Text != "" && d.r.IntN(2) == 0 {
			return d.copyCurrent(want, a.Error.Details.Current)
		}
		return false, d.read()
	case "no_change", "placeholder":
		return true, nil
	}
	return false, d.read()
}

// copyCurrent takes old_text from what the error shows, as its hint says, if the model knows
// its line again there.
func (d *dialogue) copyCurrent(want *intention, now excerpt) (done bool, err error) {
	first, last := now.Start-1, min(now.End, len(d.lines))
	i := slices.IndexFunc(d.lines, func(l line) bool { return l.id == want.id })
	if first < 0 || first >= last || i < first || i >= last {
		return false, d.read()
	}
	shown := append([]line(nil), d.lines[first:last]...)
	d.learn(shown)
	old := text(shown)
	shown[i-first].text += want.mark
	before := d.copied()
	a, err := d.ask("edit", map[string]any{"path": d.path, "old_text": old, "new_text": text(shown)})
	if err != nil {
		return false, err
	}
	if a.OK {
		return true, d.made(want, before, a.Data.UndoID)
	}
	if a.Error.Code == "stale" {
		return false, fmt.Errorf("copied as the hint says, and stale again")
	}
	return false, d.read()
}

// made checks that a change was made in the line that was meant, and nowhere else.
func (d *dialogue) made(want *intention, before []line, undoID string) error {
	i := slices.IndexFunc(d.lines, func(l line) bool { return l.id == want.id })
	if i < 0 {
		return fmt.Errorf("the line has gone, and another was changed")
	}
	raw, err := os.ReadFile(d.file())
	if err != nil {
		return err
	}
	got := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	if len(got) != len(d.lines) {
		return fmt.Errorf("there are %d lines and not %d", len(got), len(d.lines))
	}
	for k, l := range d.lines {
		switch {
		case k == i && strings.Contains(got[k], want.mark):
			d.lines[k].text = got[k]
		case got[k] != l.text:
			return fmt.Errorf("line %d is %q and not %q; line %d was meant", k+1, got[k], l.text, i+1)
		}
	}
	if !strings.Contains(got[i], want.mark) {
		return fmt.Errorf("line %d is still %q", i+1, got[i])
	}
	d.past = append(d.past, before)
	d.undo = append(d.undo, undoable{undoID, before})
	d.learn(d.lines[max(0, i-around):min(len(d.lines), i+around+1)])
	return nil
}

// patch changes a line by a hunk, whose context is what the model was shown.
func (d *dialogue) patch() error {
	d.fresh++
	l := d.seen[d.r.IntN(len(d.seen))]
	want := &intention{id: l.id, mark: fmt.Sprintf("  # p%d", d.fresh)}
	if strings.TrimSpace(l.text) == "" {
		return nil
	}
	for try := range patience {
		i := slices.IndexFunc(d.seen, func(l line) bool { return l.id == want.id })
		if i < 0 {
			return nil
		}
		var b strings.Builder
		b.WriteString("*** Begin Patch\n*** Update File: " + d.path + "\n@@\n")
		for k := max(0, i-1-try); k < min(len(d.seen), i+2+try); k++ {
			if k == i {
				b.WriteString("-" + d.seen[k].text + "\n+" + d.seen[k].text + want.mark + "\n")
			} else {
				b.WriteString(" " + d.seen[k].text + "\n")
			}
		}
		before := d.copied()
		a, err := d.ask("patch", map[string]any{"patch": b.String() + "*** End Patch\n"})
		if err != nil {
			return err
		}
		if a.OK {
			return d.made(want, before, a.Data.UndoID)
		}
		if a.Error.Code == "already_applied" {
			return nil
		}
		if err := d.read(); err != nil {
			return err
		}
	}
	return fmt.Errorf("the hints lead nowhere")
}
