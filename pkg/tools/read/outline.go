package read

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/language"
	"github.com/helve-dev/helve/pkg/files/outline"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// mostAlike limits the definitions that an error about a name lists.
const mostAlike = 8

// source is a text that was read to know its definitions.
type source struct {
	page *text.Page
	defs []outline.Definition
}

// parse reads all of a text and finds its definitions, or headings.
func parse(ctx context.Context, f io.ReaderAt, size int64, r *Result, a *Args, head []byte) (*source, error) {
	p, err := text.Read(ctx, f, size, text.Request{Limit: 1, Encoding: a.Encoding})
	if err != nil {
		return nil, fault.System(err, a.Path)
	}
	if r.Language == "" {
		r.Language = language.Of(a.Path, head)
	}
	if p.Document == nil {
		return nil, fault.New(fault.TooLarge, fault.T("%s has %d bytes, too many to find the definitions in it", a.Path, size)).
			WithHint(fault.T("search it with grep, then read lines with range"))
	}
	if !outline.Known(r.Language) {
		what := fault.T("files of its language, %s", r.Language)
		if r.Language == "" {
			what = fault.T("its language")
		}
		return nil, fault.New(fault.UnsupportedContent, fault.T("%s: definitions are not known in %s", a.Path, what)).
			WithHint(fault.T("search it with grep, then read lines with range"))
	}
	return &source{p, outline.Outline(r.Language, p.Document.Text)}, nil
}

// list puts the outline into the result: the definitions that begin at offset or later,
// with what they are in, as many as the limit and the bytes allow.
func (s *source) list(r *Result, a *Args) {
	r.fill(s.page, false)
	r.Content.Content, r.StartLine, r.EndLine = "", 0, 0
	r.LinesCut, r.Recommend, r.Truncated, r.NextOffset, r.NextRange = nil, nil, false, 0, ""
	from := a.Offset
	if from < 0 {
		from = max(s.page.TotalLines+1+from, 1)
	}
	var left quota
	var defs []outline.Definition
	var text strings.Builder
	_ = tokens.Fit(a.MaxBytes, a.MaxTokens, func(bytes int) (string, error) { // listing does not fail
		left = quota{from: from, lines: a.Limit, bytes: bytes}
		defs = left.take(s.defs, 0)
		text.Reset()
		listed(&text, defs, screen.View{}, 0)
		return text.String(), nil
	})
	r.Outline, r.Truncated, r.NextOffset = &defs, left.cut, left.next
	r.listed = text.String()
}

// quota bounds the entries that may still be listed.
type quota struct {
	from, lines, bytes int
	last               int  // the line of what was listed last, 0 for nothing
	cut                bool // something is left out
	next               int  // the line that the next page begins with
}

// take returns as much of the definitions as is allowed.
func (b *quota) take(defs []outline.Definition, depth int) []outline.Definition {
	taken := []outline.Definition{}
	for _, d := range defs {
		own := d.Line >= b.from
		switch {
		case b.next > 0:
			return taken
		case own && !b.pay(&d, depth):
			b.cut = true
			if d.Line > b.last { // else the next page would be the same
				b.next = d.Line
				return taken
			}
			continue
		}
		d.Children = b.take(d.Children, depth+1)
		if own || len(d.Children) > 0 {
			taken = append(taken, d)
		}
	}
	return taken
}

// pay reports whether a definition may be listed too. The first may always.
func (b *quota) pay(d *outline.Definition, depth int) bool {
	line := entry(d, depth)
	if b.last > 0 && (b.lines < 1 || b.bytes < len(line)) {
		return false
	}
	b.lines--
	b.bytes -= len(line)
	b.last = max(b.last, d.Line)
	return true
}

// entry shows a definition in one line: "12-40 class Server".
func entry(d *outline.Definition, depth int) string {
	lines := fmt.Sprint(d.Start())
	if d.End > d.Start() {
		lines = fmt.Sprintf("%d-%d", d.Start(), d.End)
	}
	what := d.Kind + " " + d.Name
	if d.Kind == "heading" || d.Kind == "section" || d.Kind == "key" {
		what = d.Name
	}
	return strings.Repeat("  ", depth) + lines + " " + screen.Line(what) + "\n"
}

// listed shows an outline, a definition in each line.
func listed(b *strings.Builder, defs []outline.Definition, v screen.View, depth int) {
	for i := range defs {
		line := entry(&defs[i], depth)
		indent := line[:2*depth]
		lines, what, _ := strings.Cut(line[2*depth:], " ")
		b.WriteString(indent + v.Text(screen.Number, lines) + " " + what)
		listed(b, defs[i].Children, v, depth+1)
	}
}

// rangeOf returns the lines of the definition that a symbol names. The faults are
// text_not_found and text_ambiguous, which list definitions.
func (s *source) rangeOf(r *Result, a *Args) (string, error) {
	found := outline.Find(s.defs, a.Symbol)
	switch len(found) {
	case 1:
		d := found[0]
		r.Symbol = d.Path
		return fmt.Sprintf("%d-%d", d.Start(), d.End), nil
	case 0:
		err := fault.New(fault.TextNotFound, fault.T("%s has no definition %s", a.Path, a.Symbol))
		alike := outline.Alike(s.defs, a.Symbol, mostAlike)
		if len(alike) == 0 {
			return "", err.WithHint(fault.T("outline=true lists the definitions"))
		}
		return "", err.WithHint(fault.T("did you mean %s? outline=true lists all", named(alike))).WithDetails(candidates(alike))
	}
	some := found[:min(len(found), mostAlike)]
	return "", fault.New(fault.TextAmbiguous, fault.T("%s has %d definitions %s", a.Path, len(found), a.Symbol)).
		WithHint(fault.T("name one with what it is in, or read its lines with range: %s", named(some))).
		WithDetails(candidates(some))
}

// named lists definitions with their lines.
func named(some []outline.Symbol) string {
	out := make([]string, len(some))
	for i, s := range some {
		out[i] = fmt.Sprintf("%s (%d-%d)", screen.Line(s.Path), s.Start(), s.End)
	}
	return strings.Join(out, ", ")
}

// candidate is a definition that a call may have meant.
type candidate struct {
	Symbol string `json:"symbol"`
	Kind   string `json:"kind"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
}

func candidates(some []outline.Symbol) map[string]any {
	out := make([]candidate, len(some))
	for i, s := range some {
		out[i] = candidate{s.Path, s.Kind, s.Start(), s.End}
	}
	return map[string]any{"candidates": out}
}

// checkOutline refuses arguments that say two things, and those for what is no text.
func checkOutline(a *Args, isText bool) error {
	var name string
	switch {
	case a.Outline:
		name = "outline"
	case a.Symbol != "":
		name = "symbol"
	default:
		return nil
	}
	switch {
	case !isText:
		return fault.New(fault.InvalidArguments, fault.T("%s needs a text file; %s is none", name, a.Path)).
			WithHint(fault.T("leave it out"))
	case a.Fold:
		return fault.New(fault.InvalidArguments, fault.T("fold cannot be combined with %s", name)).WithHint(fault.T("pass one of them"))
	case a.Range != "" || a.Symbol != "" && (a.Outline || a.Offset != 1):
		return fault.New(fault.InvalidArguments, fault.T("symbol, outline and range exclude one another, and symbol excludes offset")).
			WithHint(fault.T("pass one of them"))
	}
	return nil
}

// definitions shows the outline of a text.
func definitions(ctx context.Context, f *os.File, size int64, head []byte, r Result, a Args) (Result, error) {
	s, err := parse(ctx, f, size, &r, &a, head)
	if err != nil {
		return Result{}, err
	}
	s.list(&r, &a)
	return r, nil
}

// symbol shows one definition of a text, as a page of its lines.
func symbol(ctx context.Context, call *tool.Call, f *os.File, size int64, head []byte, r Result, a Args) (Result, error) {
	for tries := 1; ; tries++ {
		s, err := parse(ctx, f, size, &r, &a, head)
		if err != nil {
			return Result{}, err
		}
		if a.Range, err = s.rangeOf(&r, &a); err != nil {
			return Result{}, err
		}
		shown, err := page(ctx, call, f, size, head, r, a)
		if err != nil || shown.SHA == s.page.Sum || tries == attempts {
			return shown, err
		}
	}
}

// outlineText shows an outline, and whether there is more.
func outlineText(r *Result, v screen.View) string {
	var b strings.Builder
	listed(&b, *r.Outline, v, 0)
	switch {
	case r.NextOffset > 0:
		b.WriteString("[" + v.Say(fault.T("there are more; continue with offset=%d", r.NextOffset)) + "]\n")
	case len(*r.Outline) == 0:
		b.WriteString("[" + v.Say(fault.T("no definitions")) + "]\n")
	}
	return b.String()
}
