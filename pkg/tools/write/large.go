package write

import (
	stdbytes "bytes"
	"context"
	"errors"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// added returns how many bytes the file gets in addition to those that it has.
func (a Args) added() int {
	if a.Mode == appendMode {
		return len(a.Content)
	}
	return 0
}

// runLarge is run for a file that is too large for memory. Both its ends show its format;
// the result has no diff.
func runLarge(ctx context.Context, call *tool.Call, a Args, big *textfile.Large) (r Result, err error) {
	defer func() { err = errors.Join(err, big.Close()) }()
	old, next, lines, err := planLarge(ctx, call, a, big)
	if err != nil {
		return Result{}, err
	}
	r = Result{
		Path: a.Path, Overwritten: a.Mode == overwrite, SHABefore: big.SHA, EOL: text.Describe(next.text).EOL, FinalNewlineAdded: next.ended,
	}
	change := journal.Change{Op: journal.Replace, Content: next.raw}
	r.BytesWritten, r.size = len(next.raw), int64(len(next.raw))
	if a.Mode == appendMode {
		more := next.raw[len(old.Raw):]
		r.BytesWritten, r.size = len(more), big.Info.Size()+int64(len(more))
		change = journal.Change{Op: journal.Extend, Splices: []journal.Splice{{At: big.Info.Size(), New: more}}}
		if _, change.Sum, err = big.Summed(more); err != nil {
			return Result{}, err
		}
		if len(more) == 0 {
			call.Warn(fault.T("%s already has this content; nothing was written", a.Path))
			r.SHA = big.SHA
			return r, nil
		}
		if lines > 0 {
			lines += strings.Count(string(more), "\n")
			if n := len(old.Raw); n > 0 && old.Raw[n-1] != '\n' {
				lines-- // the last line was counted already
			}
			if more[len(more)-1] != '\n' {
				lines++
			}
		}
	} else {
		lines = text.Describe(next.text).TotalLines
	}
	if lines > 0 {
		r.LineCount = &lines
	}
	if r.SHA, r.UndoID, err = big.Apply(ctx, "write", change); err != nil {
		return Result{}, err
	}
	if a.Mode == appendMode {
		big.Record(r.SHA)
	} else {
		old.Record(r.SHA, next.raw)
	}
	return r, nil
}

// planLarge composes the new content: all of the file, or its sample with the appended
// text. lines counts the file's lines; 0 if they were not counted.
func planLarge(ctx context.Context, call *tool.Call, a Args, big *textfile.Large) (old *textfile.File, next after, lines int, err error) {
	whole := a.Mode != appendMode
	if whole || big.Hashes(a.ExpectSHA) {
		if lines, err = big.Read(ctx, big.Hashes(a.ExpectSHA)); err != nil {
			return nil, after{}, 0, err
		}
	}
	if err := big.Expect(a.ExpectSHA); err != nil {
		return nil, after{}, 0, err
	}
	if old, err = big.Sample(); err != nil {
		return nil, after{}, 0, err
	}
	if a.Mode == create {
		return nil, after{}, 0, exists(old)
	}
	if !a.Exact {
		if strings.ContainsRune(a.Content, 0) {
			return nil, after{}, 0, containsNUL()
		}
		if err := old.Plain(); err != nil {
			return nil, after{}, 0, fault.As(err).WithHint(fault.T("exact=true writes the content as it is, in UTF-8"))
		}
	}
	if next, err = compose(a, old); err != nil {
		return nil, after{}, 0, err
	}
	if !whole {
		if !stdbytes.HasPrefix(next.raw, old.Raw) {
			return nil, after{}, 0, fault.New(fault.EncodingUnsupported, fault.T("the end of %s cannot be kept as it is", a.Path)).
				WithHint(fault.T("exact=true appends the content as it is"))
		}
		return old, next, lines, nil
	}
	return old, next, lines, checkLarge(ctx, call, a, big, old, next, lines)
}

// checkLarge refuses to overwrite what the caller does not know.
func checkLarge(ctx context.Context, call *tool.Call, a Args, big *textfile.Large, old *textfile.File, next after, lines int) error {
	if a.ExpectSHA == "" {
		known, err := big.Lost(ctx)
		switch {
		case err != nil:
			return err
		case known || call.Env.RequireRead == "off":
		case call.Env.RequireRead == "on":
			return unread(old)
		default:
			call.WarnDone(fault.T("%s was overwritten although this session has not read it", a.Path))
		}
	}
	if line, words := edit.Placeholder(old.Text(), next.text); line > 0 && !a.Exact {
		return placeholder(line, words)
	}
	if is := text.Describe(next.text).TotalLines; !a.AllowShrink && lines >= shrinkLines && is*2 < lines {
		return shrinks(old, lines, is)
	}
	return nil
}

// previewLarge says what would be written.
func previewLarge(call *tool.Call, a Args, big *textfile.Large) (string, error) {
	what := fault.T("replace %s (%d bytes) by %d bytes", a.Path, big.Info.Size(), len(a.Content))
	if a.Mode == appendMode {
		what = fault.T("append %d bytes to %s (%d bytes)", len(a.Content), a.Path, big.Info.Size())
	}
	return what.In(call.Env.Lang) + "\n", big.Close()
}
