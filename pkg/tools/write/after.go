package write

import (
	"fmt"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// after is the file as it is to be.
type after struct {
	raw   []byte
	text  string
	ended bool // the last line got a newline it did not come with
}

// compose makes the new bytes of the file.
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

// appended puts content behind old, on a line of its own.
func appended(old, content string) string {
	if old != "" && content != "" && !strings.HasSuffix(old, "\n") && !strings.HasSuffix(old, "\r") {
		old += "\n"
	}
	return old + content
}

// render says in a line what was done, and shows the change.
func render(r Result) string {
	verb := "appended to"
	switch {
	case r.Created:
		verb = "created"
	case r.BytesWritten == 0:
		verb = "unchanged"
	case r.Overwritten:
		verb = "overwrote"
	}
	line := fmt.Sprintf("%s %s: %s, %s\n", verb, r.Path, count(r.LineCount, "line"), count(r.size, "byte"))
	if r.Created {
		return line // the model has just written it
	}
	return line + r.Diff
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
