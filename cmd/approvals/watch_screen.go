package approvals

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

const (
	// linger is the time that a request that was decided about stays on the screen while
	// another one waits. A request is never replaced by another one while it can be
	// decided about: a key is about what the person sees.
	linger = 3 * time.Second
	// mostWords limits the characters of a person's words for a model.
	mostWords = 4000
)

// watcher is the screen of "helve approvals watch". One goroutine owns it.
type watcher struct {
	ctx     context.Context //nolint:containedctx // of the calls that the screen starts
	h       *host.Host
	tty     *process.Screen
	lang    fault.Lang
	colour  bool
	all     bool
	now     func() time.Time
	changes chan arrival
	typed   chan []byte // closed when the terminal is gone
	done    chan decided
	under   sync.WaitGroup

	waiting []approval.Watched // that nobody has decided about, the oldest first
	shown   *approval.Watched  // may be one that was decided about meanwhile
	result  string             // of the shown one, if it was decided about here
	sent    bool               // the decision about the shown one
	settled time.Time          // when the shown one was no longer to be decided about
	running int                // decisions that are being carried out
	leaving bool               // the person wanted to leave while some were

	asking bool   // for words
	words  []rune // so far
	status string // said until the next key
	whole  bool   // with the arguments, as they are
	top    int    // the first line of the body that is shown
	body   body
	keys   keys
}

// run shows the requests until the person leaves or the process is to end.
func (w *watcher) run() error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if err := w.draw(); err != nil {
			return nil // the terminal is gone, and so is the person
		}
		select {
		case <-w.ctx.Done():
			return nil
		case <-w.tty.Ended:
			return nil
		case <-w.tty.Resized:
		case c := <-w.changes:
			switch {
			case fault.Is(c.err, fault.Canceled):
				return nil
			case c.err != nil && c.Root == "":
				return c.err
			case c.err != nil:
				w.status = out.OneLine(c.Root + ": " + fault.As(c.err).Message.In(w.lang))
			default:
				w.update(c.Watched)
			}
		case d := <-w.done:
			w.finished(d)
		case typed, ok := <-w.typed:
			if !ok || w.take(typed) {
				return nil
			}
		case <-tick.C:
		}
		w.advance()
	}
}

// update takes in what became of a request.
func (w *watcher) update(r approval.Watched) {
	at := slices.IndexFunc(w.waiting, func(o approval.Watched) bool { return o.ID == r.ID })
	switch pending := r.State == approval.Pending; {
	case pending && at < 0:
		w.waiting = append(w.waiting, r)
		slices.SortStableFunc(w.waiting, func(a, b approval.Watched) int { return a.Created.Compare(b.Created) })
	case !pending && at >= 0:
		w.waiting = slices.Delete(w.waiting, at, at+1)
	}
	if w.shown != nil && w.shown.ID == r.ID && r.State != approval.Pending {
		if w.settled.IsZero() {
			w.settled = w.now()
		}
		w.shown = &r
	}
}

// finished takes in what came of a decision.
func (w *watcher) finished(d decided) {
	w.running--
	if w.shown != nil && w.shown.ID == d.id {
		w.result, w.settled, w.top = d.text, w.now(), 0
		return
	}
	head, _, _ := strings.Cut(d.text, "\n")
	w.status = d.id + ": " + head
}

// open reports whether the shown request can be decided about.
func (w *watcher) open() bool {
	return w.shown != nil && w.shown.State == approval.Pending && !w.sent
}

// advance shows a request that waits where none is, or one that was settled a while ago.
func (w *watcher) advance() {
	if len(w.waiting) == 0 {
		return
	}
	if w.shown == nil || !w.open() && !w.settled.IsZero() && w.now().Sub(w.settled) >= linger {
		w.show(w.waiting[0])
	}
}

// show shows another request.
func (w *watcher) show(r approval.Watched) {
	w.shown, w.result, w.sent, w.settled, w.top = &r, "", false, time.Time{}, 0
	w.asking, w.words, w.whole = false, nil, false
}

// move shows the request so many places after the shown one.
func (w *watcher) move(by int) {
	n := len(w.waiting)
	if n == 0 {
		return
	}
	at := slices.IndexFunc(w.waiting, func(o approval.Watched) bool { return w.shown != nil && o.ID == w.shown.ID })
	if at < 0 && by > 0 {
		at = -1 // the first one comes next
	}
	w.show(w.waiting[((at+by)%n+n)%n])
}

// take does what was typed, and reports whether the person leaves.
func (w *watcher) take(typed []byte) (leave bool) {
	if !w.settled.IsZero() {
		w.settled = w.now() // the person is here, and may still read
	}
	for _, k := range w.keys.decode(typed) {
		if k.char == 3 && !k.pasted { // Ctrl-C, which a raw terminal passes on
			return true
		}
		before := w.sent
		if w.asking {
			w.word(k)
		} else if !k.pasted && w.command(k) {
			return true
		}
		if w.sent && !before {
			return false // what was typed ahead was about this request, not the next one
		}
	}
	return false
}

// command does what a key stands for.
func (w *watcher) command(k key) (leave bool) {
	w.status = ""
	wasLeaving := w.leaving
	w.leaving = false
	_, rows := w.tty.Size()
	switch {
	case k.char == 'q':
		if w.running == 0 || wasLeaving {
			return true
		}
		w.leaving = true
		w.status = w.say("%d approved calls are running: q again ends them", w.running)
	case k.char == 'n' || k.name == "right" || k.char == '\t':
		w.move(1)
	case k.char == 'p' || k.name == "left":
		w.move(-1)
	case k.char == 'v':
		w.whole, w.top = !w.whole, 0
	case k.name == "down" || k.char == 'j' || k.char == '\r':
		w.top++
	case k.name == "up" || k.char == 'k':
		w.top--
	case k.name == "pgdn" || k.char == ' ':
		w.top += max(1, rows-frame-1)
	case k.name == "pgup" || k.char == 'b':
		w.top -= max(1, rows-frame-1)
	case k.name == "home" || k.char == 'g':
		w.top = 0
	case k.name == "end" || k.char == 'G':
		w.top = len(w.body.lines)
	case k.char == 'a' || k.char == 's' || k.char == 'r' || k.char == 'd':
		w.choose(k.char)
	}
	return false
}

// choose decides about the shown request, or asks for the words of a denial.
func (w *watcher) choose(char rune) {
	switch {
	case w.shown == nil:
	case !w.open():
		w.status = w.say("this one is settled; n shows the next")
	case char == 'r' && w.shown.Rule == nil:
		w.status = w.say("no rule can say what this call does: a allows it once, s for its session")
	case char == 'd':
		w.asking, w.words = true, nil
	default:
		w.send(decision{allow: true, scope: map[rune]approval.Scope{'s': approval.Session, 'r': approval.Always}[char]})
	}
}

// send has a decision about the shown request carried out.
func (w *watcher) send(d decision) {
	w.sent, w.asking = true, false
	w.decide(*w.shown, d)
}

// word takes a key of the words for the model.
func (w *watcher) word(k key) {
	const backspace, erase, wipe = 0x7f, 0x08, 0x15
	switch {
	case k.name == "esc":
		w.asking = false
	case k.name != "":
	case (k.char == '\r' || k.char == '\n') && !k.pasted:
		w.asking = false
		if !w.open() {
			w.status = w.say("this one is settled; n shows the next")
			return
		}
		w.send(decision{reason: strings.TrimSpace(string(w.words))})
	case (k.char == backspace || k.char == erase) && len(w.words) > 0:
		w.words = w.words[:len(w.words)-1]
	case k.char == wipe:
		w.words = nil
	case len(w.words) >= mostWords || k.char == 0:
	case k.char == '\r' || k.char == '\n' || k.char == '\t':
		w.words = append(w.words, ' ')
	case unicode.IsPrint(k.char):
		w.words = append(w.words, k.char)
	}
}

func (w *watcher) say(english string, args ...any) string {
	return fault.T(english, args...).In(w.lang)
}
