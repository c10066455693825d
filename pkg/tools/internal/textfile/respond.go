package textfile

import (
	"context"

	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
)

// Commit makes changes as [Apply] does, and has the files checked that they change.
func Commit(ctx context.Context, call *tool.Call, by string, changes ...journal.Change) (undoID string, said tool.Feedback, err error) {
	after := Watch(ctx, call, paths(changes))
	done, undoID, err := apply(ctx, call, by, changes)
	if err == nil && after != nil {
		said = after(ctx, done.Files)
	}
	return undoID, said, err
}

func paths(changes []journal.Change) (all []string) {
	for _, c := range changes {
		if all = append(all, c.Path); c.From != "" {
			all = append(all, c.From)
		}
	}
	return all
}

// Watch is called before files change, and returns what checks them afterwards; nil if
// nothing does.
func Watch(ctx context.Context, call *tool.Call, reals []string) func(context.Context, []journal.Changed) tool.Feedback {
	if call.Env.Responder == nil {
		return nil
	}
	return call.Env.Responder.Watch(ctx, call, reals)
}

// Formatted is a file as the person's formatter makes it.
type Formatted struct {
	Raw  []byte
	Text string

	regions []diff.Region
}

// Format returns what the person's formatter makes of the bytes that a file at a real path
// is to have, whose text is now; ok is false if they stay as they are.
func Format(ctx context.Context, call *tool.Call, real string, raw []byte, now string) (f Formatted, ok bool) {
	if call.Env.Responder == nil {
		return f, false
	}
	formatted, ok := call.Env.Responder.Format(ctx, call, real, raw)
	if !ok {
		return f, false
	}
	d, err := text.Decode(formatted, "")
	if err != nil {
		return f, false
	}
	return Formatted{formatted, d.Text, diff.RegionsOfLines(now, d.Text)}, true
}

// Lines returns where lines of the text before the formatter are after it.
func (f Formatted) Lines(l edit.LineRange) edit.LineRange {
	if l.End < l.Start {
		start := f.line(l.Start, false)
		return edit.LineRange{Start: start, End: start - 1}
	}
	return edit.LineRange{Start: f.line(l.Start, false), End: f.line(l.End, true)}
}

// line returns the line that a line became a part of, the last one with end.
func (f Formatted) line(n int, end bool) int {
	shift := 0
	for _, r := range f.regions {
		switch {
		case n-1 < r.OldStart:
			return n + shift
		case n-1 < r.OldEnd && end:
			return max(r.NewEnd, r.NewStart)
		case n-1 < r.OldEnd:
			return r.NewStart + 1
		}
		shift = r.NewEnd - r.OldEnd
	}
	return n + shift
}
