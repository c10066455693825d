package approvals

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

// frame counts the rows around the body: two above it and two below.
const frame = 4

// drawn is a line without what could drive the terminal, and its colour; "" is none.
type drawn struct{ text, colour string }

// body is the part that scrolls: the request as lines of a width.
type body struct {
	lines []drawn

	of     string // what the lines were made of
	width  int
	whole  bool
	result string
}

// draw shows the state of the watcher on the whole screen.
func (w *watcher) draw() error {
	columns, rows := w.tty.Size()
	room := max(1, rows-frame)
	w.fill(columns)
	last := max(0, len(w.body.lines)-room)
	w.top = min(max(0, w.top), last)
	lines := w.head()
	part := w.body.lines[w.top:min(len(w.body.lines), w.top+room)]
	lines = append(lines, part...)
	for range room - len(part) {
		lines = append(lines, drawn{})
	}
	lines = append(lines, w.foot(columns, room)...)
	var b strings.Builder
	for i, line := range lines[:min(len(lines), rows)] {
		text := line.text
		if i < 2 || i >= len(lines)-2 {
			text = out.Clip(text, columns)
		}
		if w.colour && line.colour != "" && text != "" {
			text = "\x1b[" + line.colour + "m" + text + "\x1b[m"
		}
		fmt.Fprintf(&b, "\x1b[%d;1H%s\x1b[K", i+1, text)
	}
	b.WriteString("\x1b[J")
	_, err := w.tty.Write([]byte(b.String()))
	return err
}

// head says which request is shown, and who asks.
func (w *watcher) head() []drawn {
	if w.shown == nil {
		return []drawn{{w.say("nothing waits for you"), "1"}, {}}
	}
	r := w.shown
	at := 0
	for i := range w.waiting {
		if w.waiting[i].ID == r.ID {
			at = i + 1
		}
	}
	place := w.say("%d of %d waiting", at, len(w.waiting))
	if at == 0 {
		place = w.say("%s; %d waiting", w.became(), len(w.waiting))
	}
	first := place + "  " + out.OneLine(r.Tool) + "  " + out.OneLine(string(r.Risk)) + "  " + out.OneLine(r.Binding.Dir)
	now := w.now()
	second := w.say("session %s, asked %s ago", out.OneLine(cmp.Or(r.Session, "-")), out.Lasted(now.Sub(r.Created)))
	if w.open() {
		second += w.say(", expires in %s", out.Lasted(r.Expires.Sub(now)))
	}
	return []drawn{{first, "1"}, {second + "  " + r.ID, "2"}}
}

// became says what became of the shown request.
func (w *watcher) became() string {
	switch r := w.shown; {
	case r.State == approval.Denied:
		return w.say("denied by %s", out.OneLine(r.DecidedBy))
	case r.State == approval.Expired && !r.DecidedAt.IsZero():
		return w.say("stale")
	case r.State == approval.Expired:
		return w.say("expired")
	case r.State == approval.Used:
		return w.say("approved by %s and carried out", out.OneLine(r.DecidedBy))
	}
	return w.say("approved by %s", out.OneLine(w.shown.DecidedBy))
}

// foot returns the status and the keys that can be typed.
func (w *watcher) foot(columns, room int) []drawn {
	said := drawn{w.status, "33"}
	if total := len(w.body.lines); said.text == "" && total > room {
		said = drawn{w.say("lines %d to %d of %d: up and down scroll", w.top+1, min(total, w.top+room), total), "36"}
	}
	if w.asking {
		question := w.say("why not? ")
		words := []rune(string(w.words) + "_")
		for len(words) > 1 && out.Width(question)+out.Width(approval.Visible(string(words))) > columns { // the end is what is being typed
			words = words[1:]
		}
		return []drawn{{question + approval.Visible(string(words)), "1"},
			{w.say("Enter denies, with these words for the model; Esc goes back"), "2"}}
	}
	typed := w.say("q quit")
	if len(w.waiting) > 0 {
		typed = w.say("n next  p previous  ") + typed
	}
	if w.open() {
		rule := ""
		if w.shown.Rule != nil {
			rule = w.say("  r rule")
		}
		typed = w.say("a approve  d deny  s session%s  v everything  ", rule) + typed
	}
	if w.sent && w.result == "" {
		said = drawn{w.say("being carried out …"), "33"}
	}
	return []drawn{said, {typed, "2"}}
}

// fill makes the lines of the body, unless they are made already.
func (w *watcher) fill(columns int) {
	if w.shown == nil {
		w.body = body{}
		return
	}
	r := w.shown
	if b := &w.body; b.of == r.ID && b.width == columns && b.whole == w.whole && b.result == w.result && b.lines != nil {
		return
	}
	w.body = body{of: r.ID, width: columns, whole: w.whole, result: w.result}
	add := func(text, colour string) {
		for _, piece := range out.Pieces(text, columns) {
			w.body.lines = append(w.body.lines, drawn{piece, colour})
		}
	}
	if w.result != "" {
		for line := range strings.SplitSeq(w.result, "\n") {
			add(line, "1")
		}
		add("", "")
	}
	for _, why := range r.Reasons {
		add(out.OneLine(why.In(w.lang)), "33")
	}
	if w.whole {
		add(out.OneLine(string(r.Args)), "")
	}
	add("", "")
	for _, line := range r.Lines() {
		add(line, approval.Tint(line))
	}
}
