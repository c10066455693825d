package write

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// check refuses to overwrite what the caller does not know, or reports that it does not.
func check(call *tool.Call, a Args, old *textfile.File) (unknown bool, err error) {
	if old.Exists && a.Mode == create {
		return false, exists(old)
	}
	if err := old.Expect(a.ExpectSHA); err != nil {
		return false, err
	}
	if !old.Exists {
		return false, nil
	}
	if !a.Exact && old.Document == nil {
		return false, fault.As(old.Problem).WithHint(fault.T("exact=true replaces it with the content as it is"))
	}
	if a.Mode == appendMode || a.ExpectSHA != "" {
		return false, nil
	}
	known, err := old.Known()
	if err != nil || known.Known || call.Env.RequireRead == "off" {
		return false, err
	}
	if call.Env.RequireRead == "on" {
		return false, unread(old)
	}
	call.WarnDone(fault.T("%s was overwritten although this session has not read it", a.Path))
	return true, nil
}

// stale refuses to overwrite what has changed since the session read it, unless it is
// what is written.
func stale(a Args, old *textfile.File, raw []byte) error {
	if !old.Exists || a.Mode == appendMode || a.ExpectSHA != "" || string(raw) == string(old.Raw) {
		return nil
	}
	known, err := old.Known()
	if err != nil {
		return err
	}
	return known.Lost()
}

// shrinkLines is from how many lines on replacing a file by less than half of it
// needs allow_shrink.
const shrinkLines = 200

// guard refuses what looks like a model's answer that was cut off or that left
// something out.
func guard(a Args, old *textfile.File, next string) error {
	if strings.ContainsRune(a.Content, 0) && !a.Exact {
		return containsNUL()
	}
	if a.Mode != overwrite || old.Document == nil {
		return nil
	}
	if line, words := edit.Placeholder(old.Text(), next); line > 0 && !a.Exact {
		return placeholder(line, words)
	}
	was, is := text.Describe(old.Text()).TotalLines, text.Describe(next).TotalLines
	if a.AllowShrink || was < shrinkLines || is*2 >= was {
		return nil
	}
	return shrinks(old, was, is)
}
