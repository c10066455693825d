package write

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// after is the file as it will be.
type after struct {
	raw      []byte
	text     string
	ended    bool // the last line got a newline
	replaces bool // what the caller has not read
}

// compose returns the new bytes of the file.
func compose(a Args, old *textfile.File) (after, error) {
	if a.Exact {
		raw := []byte(a.Content)
		if a.Mode == appendMode {
			raw = append(slices.Clip(old.Raw), raw...)
		}
		return after{raw: raw, text: string(raw)}, nil
	}
	content := a.Content
	if a.Mode == appendMode {
		content = appended(old.Text(), content)
	}
	conformed, ended := text.Conform(old.Text(), content, platformEOL())
	next := after{text: conformed, ended: ended}
	if old.Document == nil {
		next.raw = []byte(conformed)
		return next, nil
	}
	var err error
	next.raw, err = old.Document.Encode(conformed)
	return next, err
}

// appended returns old with content added on a line of its own.
func appended(old, content string) string {
	if old != "" && content != "" && !strings.HasSuffix(old, "\n") && !strings.HasSuffix(old, "\r") {
		old += "\n"
	}
	return old + content
}

// render says in a line what was done, and shows what a caller lost who did not know it.
func render(r Result, v screen.View) string {
	verb := fault.T("appended to")
	switch {
	case r.Created:
		verb = fault.T("created")
	case r.BytesWritten == 0:
		verb = fault.T("unchanged")
	case r.Overwritten:
		verb = fault.T("overwrote")
	}
	size := bytes(r.size)
	if r.LineCount != nil {
		size = fault.T("%s, %s", lines(*r.LineCount), size)
	}
	line := v.Say(fault.T("%s %s: %s", verb, r.Path, size)) + "\n"
	if r.unknown {
		line += r.Diff
	}
	return line + tool.Feedback{Formatted: r.Formatted, Diagnostics: r.Diagnostics, Pending: r.Pending}.Text(v)
}

func lines(n int) fault.Text {
	if n == 1 {
		return fault.T("1 line")
	}
	return fault.T("%d lines", n)
}

func bytes(n int64) fault.Text {
	if n == 1 {
		return fault.T("1 byte")
	}
	return fault.T("%d bytes", n)
}
