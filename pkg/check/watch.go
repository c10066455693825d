package check

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/check/diagnostic"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// maxNew limits the new diagnostics of a result.
const maxNew = 20

// watch is the check of what one call, or the calls of a turn, change.
type watch struct {
	checker *Checker
	call    *tool.Call
	root    *workspace.Root
	dir     *state.Dir
	bench   *bench // once a program has run
	broken  bool   // no program can run
	changed []journal.Changed
	known   []knowledge
	paths   []string // that changed
	spent   map[*rule]time.Duration
}

// knowledge holds the diagnostics of a unit before files change; base is nil if they are not known.
type knowledge struct {
	*unit
	base *baseline
}

func newWatch(c *Checker, call *tool.Call) (*watch, error) {
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	dir, err := call.Env.State()
	if err != nil {
		return nil, err
	}
	return &watch{checker: c, call: call, root: root, dir: dir, spent: map[*rule]time.Duration{}}, nil
}

// before finds out which diagnostics there are before files change: by the last run, or by
// running the checker in half of its time.
func (w *watch) before(ctx context.Context, rules []*rule, reals []string) {
	there := existing(w.root)
	for _, r := range rules {
		for _, u := range r.units(w.root, reals, there) {
			if slices.ContainsFunc(w.known, func(k knowledge) bool { return k.key() == u.key() }) {
				continue // another call of the turn was first
			}
			w.known = append(w.known, knowledge{u, w.baseline(ctx, u)})
		}
	}
	for _, real := range reals {
		if !slices.Contains(w.paths, real) {
			w.paths = append(w.paths, real)
		}
	}
}

// baseline returns the diagnostics of a unit as the files are; nil if they are not known.
func (w *watch) baseline(ctx context.Context, u *unit) *baseline {
	if b := w.load(u); b != nil {
		return b
	}
	left := u.rule.limit()/2 - w.spent[u.rule]
	if left <= 0 {
		return nil
	}
	b, _ := w.check(ctx, u, left)
	return b
}

// check runs a checker and keeps its diagnostics; nil if it did not come to its end.
func (w *watch) check(ctx context.Context, u *unit, limit time.Duration) (b *baseline, late bool) {
	began := w.call.Env.Now()
	defer func() { w.spent[u.rule] += w.call.Env.Now().Sub(began) }()
	out, err := w.run(ctx, u, limit)
	if err != nil {
		w.checker.failed(w.call, err)
		return nil, false
	}
	if out == nil || out.Ended != run.NoReason {
		return nil, out != nil && out.Ended == run.TimedOut
	}
	b = &baseline{At: began, Diagnostics: w.read(u, out.Output.Text, out.Stderr.Text)}
	if len(b.Diagnostics) == 0 && out.ExitCode != 0 {
		if said := lastLine(out.Stderr.Text + "\n" + out.Output.Text); said != "" {
			w.call.WarnOnce(fault.T("%s ended with %d, and its output names no line: %s", u.source(), out.ExitCode, said))
			return nil, false
		}
	}
	w.save(u, b)
	return b, false
}

// run runs a checker; nil if programs cannot run here.
func (w *watch) run(ctx context.Context, u *unit, limit time.Duration) (*run.Result, error) {
	if w.broken {
		return nil, nil
	}
	if w.bench == nil {
		var err error
		if w.bench, err = newBench(w.call); err != nil {
			w.broken = true
			return nil, err
		}
	}
	p, err := w.bench.profile("")
	if err != nil {
		return nil, err
	}
	return w.bench.run(ctx, w.bench.command(u.argv, u.dir, limit), p)
}

// read returns the diagnostics in what a checker printed that are about files of the workspace.
func (w *watch) read(u *unit, outputs ...string) (all []diagnostic.Diagnostic) {
	for _, text := range outputs {
		for _, d := range diagnostic.Parse([]byte(text), u.source()) {
			file := filepath.FromSlash(d.File)
			if !filepath.IsAbs(file) {
				file = filepath.Join(u.dir, file)
			}
			rel, ok := w.root.Rel(filepath.Clean(file))
			if !ok || w.call.Hidden != nil && w.call.Hidden(rel) {
				continue
			}
			d.File = rel
			d.Message = strings.ReplaceAll(d.Message, w.root.Dir()+string(filepath.Separator), "")
			all = append(all, d)
		}
	}
	return all
}

// lastLine returns the last line of a text that is not blank.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	line := strings.TrimSpace(lines[len(lines)-1])
	return line[:min(len(line), 300)]
}

// add notes what became of files.
func (w *watch) add(changed []journal.Changed) { w.changed = append(w.changed, changed...) }

// after checks the changed files and compares.
func (w *watch) after(ctx context.Context) (f tool.Feedback) {
	defer func() {
		if w.bench != nil {
			w.bench.done()
		}
	}()
	paths := slices.Clone(w.paths)
	for _, c := range w.changed {
		if !slices.Contains(paths, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	changes := w.changes()
	there := existing(w.root)
	total := tool.Diagnostics{New: []tool.Diagnostic{}}
	var fresh []diagnostic.Diagnostic
	for _, r := range w.checker.rulesFor(paths, checks) {
		o := w.compare(ctx, r, r.units(w.root, paths, there), changes)
		if o.unknown {
			f.Baseline = tool.NoBaseline
		}
		if o.pending != "" {
			f.Pending = o.pending
		}
		fresh = append(fresh, o.New...)
		total.Fixed += o.Fixed
		total.Before += o.before
	}
	diagnostic.Sort(fresh)
	for _, d := range fresh[:min(len(fresh), maxNew)] {
		d.File = w.root.Show(d.File)
		total.New = append(total.New, d.Diagnostic)
	}
	total.More = len(fresh) - len(total.New)
	if len(fresh)+total.Fixed > 0 {
		f.Diagnostics = &total
	}
	return f
}

// outcome is the comparison of one rule.
type outcome struct {
	diagnostic.Comparison
	before  int
	unknown bool   // the diagnostics before are not known
	pending string // the id of a job that goes on
}

// compare runs the checkers of a rule and compares their diagnostics with those before.
func (w *watch) compare(ctx context.Context, r *rule, units []*unit, changes []diagnostic.Change) (o outcome) {
	var was, is []diagnostic.Diagnostic
	masked, done := 0, make([]*baseline, len(units))
	for _, k := range w.known {
		switch {
		case k.rule != r:
		case k.base == nil:
			o.unknown = true
		default:
			was = append(was, k.base.Diagnostics...)
			was = append(was, k.base.Masked...)
			masked += len(k.base.Masked)
		}
	}
	for i, u := range units {
		b, late := w.check(ctx, u, max(r.limit()-w.spent[r], r.limit()/2))
		if late {
			o.pending = w.goOn(ctx, u, was, o.unknown, changes)
		}
		if b == nil {
			// Nothing is known of these files now, so nothing of them is fixed.
			was = slices.DeleteFunc(was, func(d diagnostic.Diagnostic) bool { return len(u.files) == 0 || slices.Contains(u.files, d.File) })
			continue
		}
		is, done[i] = append(is, b.Diagnostics...), b
	}
	if o.unknown {
		o.New = diagnostic.Touched(is, changes)
		return o
	}
	o.Comparison, o.before = diagnostic.Compare(was, is, changes), len(was)
	if len(o.New) > 0 && len(o.Gone) > 0 {
		w.mask(units, done, o.Gone)
	}
	o.Fixed = max(0, o.Fixed-masked)
	return o
}

// mask keeps diagnostics that may come back with the outcome of the units that they are of.
func (w *watch) mask(units []*unit, done []*baseline, gone []diagnostic.Diagnostic) {
	for i, u := range units {
		if done[i] == nil {
			continue
		}
		for _, d := range gone {
			if u.covers(d.File) {
				done[i].Masked = append(done[i].Masked, d)
			}
		}
		w.save(u, done[i])
	}
}

// changes returns what became of the lines of files: from the first bytes before to the
// present ones.
func (w *watch) changes() (all []diagnostic.Change) {
	type span struct {
		from   string
		before *journal.State
		now    *journal.State
	}
	files := map[string]*span{}
	var order []string
	for _, c := range w.changed {
		s := files[c.Path]
		if c.From != "" {
			if s = files[c.From]; s == nil {
				s = &span{before: c.After}
			}
			delete(files, c.From)
			if s.from == "" {
				s.from = c.From
			}
		} else if s == nil {
			s = &span{before: c.Before}
		}
		s.now, files[c.Path] = c.After, s
		if !slices.Contains(order, c.Path) {
			order = append(order, c.Path)
		}
	}
	for _, file := range order {
		switch s := files[file]; {
		case s == nil || s.now == nil:
		case s.before != nil && s.before.SHA == s.now.SHA: // it only moved
			all = append(all, diagnostic.Change{File: file, From: s.from})
		default:
			all = append(all, diagnostic.ChangeOf(file, s.from, w.text(s.before), w.present(file)))
		}
	}
	return all
}

// text returns the bytes of a file in a state; "" if they are not kept.
func (w *watch) text(s *journal.State) string {
	if s == nil || !s.Saved {
		return ""
	}
	j, err := w.call.Env.Journal()
	if err != nil {
		return ""
	}
	raw, err := j.Saved(s.SHA)
	if err != nil {
		return ""
	}
	return string(raw)
}

// present returns the bytes of a file as it is now; "" if it cannot be read.
func (w *watch) present(rel string) string {
	f, err := w.root.Open(w.root.At(rel))
	if err != nil {
		return ""
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, state.MaxBlob))
	if err != nil {
		return ""
	}
	return string(raw)
}
