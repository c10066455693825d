package read

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/language"
	"github.com/helve-dev/helve/pkg/files/outline"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// attempts limits the tries to read a file that changes meanwhile.
const attempts = 3

// outlineLines is from how many lines on a result recommends what to read, also
// when the page is the whole file.
const outlineLines = 1000

// page shows a page of a text file.
func page(ctx context.Context, call *tool.Call, f *os.File, size int64, head []byte, r Result, a Args) (Result, error) {
	var p *text.Page
	err := tokens.Fit(a.MaxBytes, a.MaxTokens, func(bytes int) (_ string, err error) {
		q := request(a, bytes)
		p, err = text.Read(ctx, watch(call, f, size, a.Path), size, q)
		for tries := 1; text.IsChanged(err) && tries < attempts; tries++ {
			var info fs.FileInfo
			if info, err = f.Stat(); err == nil {
				p, err = text.Read(ctx, f, info.Size(), q)
			}
		}
		if err != nil || a.MaxTokens == 0 {
			return "", err
		}
		return joined(p.Windows, a.Numbered), nil
	})
	if err != nil {
		return Result{}, fault.System(err, a.Path)
	}
	r.Language = language.Of(a.Path, head)
	r.fill(p, a.Numbered)
	if p.Declined != "" {
		call.Warn(fault.T("the bytes are not valid %s; they were read as %s", p.Declined, p.Encoding))
	}
	if len(p.Damaged) > 0 {
		call.Warn(fault.T("invalid %s bytes are shown as U+FFFD, first in line %d; the file is unchanged", p.Encoding, p.Damaged[0]))
	}
	if p.Partial {
		call.Warn(fault.T("the file has %d bytes, so that only the part shown was looked for: sha and total_lines are left out, and negative line numbers count from the end", p.Bytes))
		return r, nil // without a sum, no later version could be compared
	}
	real, err := realOf(call, a.Path)
	if err != nil {
		return Result{}, err
	}
	var raw []byte
	if p.Document != nil {
		raw = p.Document.Raw()
	}
	textfile.Record(call, real, p.Sum, raw, rangesOf(p))
	return r, nil
}

// realOf returns the path of the file that a path leads to.
func realOf(call *tool.Call, path string) (string, error) {
	root, at, err := call.Confined(path)
	if err != nil {
		return "", err
	}
	real, err := root.Resolve(at, schema.ReadPath)
	return real.String(), err
}

// turn puts a page of a text into the result that is not a file's own: what a document
// was converted to, or a member of an archive.
func (r *Result) turn(ctx context.Context, all []byte, a Args) error {
	p, err := pageOf(ctx, all, a)
	if err == nil {
		r.fill(p, a.Numbered)
	}
	return err
}

// pageOf returns a page of a text.
func pageOf(ctx context.Context, all []byte, a Args) (p *text.Page, err error) {
	err = tokens.Fit(a.MaxBytes, a.MaxTokens, func(most int) (_ string, err error) {
		if p, err = text.Read(ctx, bytes.NewReader(all), int64(len(all)), request(a, most)); err != nil {
			return "", err
		}
		return joined(p.Windows, a.Numbered), nil
	})
	if err != nil {
		return nil, fault.System(err, a.Path)
	}
	return p, nil
}

func request(a Args, bytes int) text.Request {
	return text.Request{Offset: a.Offset, Limit: a.Limit, MaxBytes: bytes, Ranges: a.Range, Encoding: a.Encoding}
}

// fill puts a page into the result.
func (r *Result) fill(p *text.Page, numbered bool) {
	r.Content = &Content{
		Encoding: p.Encoding, BOM: p.BOM, EOL: p.EOL, FinalNewline: p.FinalNewline, Indent: p.Indent,
		Bytes: p.Bytes, SHA: p.Sum, Content: joined(p.Windows, numbered),
	}
	if !p.Partial {
		total := p.TotalLines
		r.TotalLines = &total
	}
	if n := len(p.Windows); n > 0 {
		r.StartLine, r.EndLine = p.Windows[0].Start, p.Windows[n-1].End
	}
	r.Truncated, r.NextOffset, r.LinesCut = p.TruncatedBy != "", p.NextOffset, p.LinesCut
	if p.NextOffset == 0 {
		r.NextRange = p.Rest
	}
	if p.Document != nil && (r.Truncated || p.TotalLines > outlineLines) {
		r.Recommend = outline.Recommend(p.Document.Text, r.Language)
	}
}

// joined returns the text of the windows, with a line of "--" between two.
func joined(windows []text.Window, numbered bool) string {
	var b strings.Builder
	for i := range windows {
		if s := b.String(); i > 0 {
			if s != "" && !strings.HasSuffix(s, "\n") {
				b.WriteByte('\n')
			}
			b.WriteString("--\n")
		}
		if numbered {
			b.WriteString(windows[i].Numbered())
		} else {
			b.WriteString(windows[i].Content())
		}
	}
	return b.String()
}

// rangesOf returns the whole lines of a page, for the session record: a later change can
// then tell whether the session knows the file.
func rangesOf(p *text.Page) (shown []state.Range) {
	for _, w := range p.Windows {
		if w.Start > 0 && w.FirstChar == 0 {
			shown = append(shown, state.Range{Start: w.Start, End: w.End})
		}
	}
	return shown
}
