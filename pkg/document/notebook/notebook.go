// Package notebook renders Jupyter notebooks as Markdown. It does not run cells.
//
// The format is nbformat 4 or 3 (https://nbformat.readthedocs.io).
package notebook

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// MaxBytes is the largest notebook, in bytes, that is worth rendering.
const MaxBytes = 32 << 20

const (
	// outputChars limits the characters shown of one output of a cell.
	outputChars = 8000
	// maxImages limits the images that one notebook returns.
	maxImages = 50
)

// Image is a picture in the output of a cell.
type Image struct {
	MIME string
	Data []byte
	Alt  string // which cell it is from
}

// file is a notebook as it is stored.
type file struct {
	Cells      []cell `json:"cells"`
	Worksheets []struct {
		Cells []cell `json:"cells"`
	} `json:"worksheets"` // nbformat 3
	Metadata struct {
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
		Kernel struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
	} `json:"metadata"`
	Format int `json:"nbformat"`
}

type cell struct {
	ID       string   `json:"id"`
	Type     string   `json:"cell_type"`
	Source   text     `json:"source"`
	Input    text     `json:"input"` // nbformat 3
	Level    int      `json:"level"` // of a heading, nbformat 3
	Count    *int     `json:"execution_count"`
	Outputs  []output `json:"outputs"`
	Language string   `json:"language"`
}

type output struct {
	Type      string          `json:"output_type"`
	Name      string          `json:"name"`
	Text      text            `json:"text"`
	Data      map[string]text `json:"data"`
	Error     string          `json:"ename"`
	Value     string          `json:"evalue"`
	Traceback []string        `json:"traceback"`
	PNG       text            `json:"png"`  // nbformat 3
	JPEG      text            `json:"jpeg"` // nbformat 3
}

// text is a string, or a list of its lines with their endings. Anything else, such
// as the object of a JSON output, is kept as JSON.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var lines []string
	var s string
	switch {
	case json.Unmarshal(b, &s) == nil:
		*t = text(s)
	case json.Unmarshal(b, &lines) == nil:
		*t = text(strings.Join(lines, ""))
	default:
		*t = text(b)
	}
	return nil
}

// Render returns a notebook as Markdown: each cell under a comment with its number,
// type and id, code and outputs in fences. show is called for each image and returns
// the text that represents it. The fault is bad_document.
func Render(raw []byte, show func(Image) string) (string, error) {
	var f file
	if err := json.Unmarshal(raw, &f); err != nil {
		return "", damaged(fault.T("it is not valid JSON")).Because(err)
	}
	cells := f.Cells
	for _, w := range f.Worksheets {
		cells = append(cells, w.Cells...)
	}
	if f.Format == 0 && cells == nil {
		return "", damaged(fault.T("it has no cells"))
	}
	r := renderer{language: f.Metadata.Language.Name, show: show}
	if r.language == "" {
		r.language = f.Metadata.Kernel.Language
	}
	for i, c := range cells {
		r.cell(i+1, c)
	}
	return r.b.String(), nil
}

func damaged(why fault.Text) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("this is not a notebook: %s", why)).
		WithHint(fault.T("pass encoding=utf-8 to read it as text"))
}

type renderer struct {
	b        strings.Builder
	language string
	show     func(Image) string
	images   int
}

func (r *renderer) cell(number int, c cell) {
	source := string(c.Source)
	if c.Source == "" {
		source = string(c.Input)
	}
	about := []string{c.Type}
	if c.ID != "" {
		about = append(about, "id "+c.ID)
	}
	if c.Count != nil {
		about = append(about, fmt.Sprintf("run %d", *c.Count))
	}
	if number > 1 {
		r.b.WriteByte('\n')
	}
	fmt.Fprintf(&r.b, "<!-- cell %d: %s -->\n", number, comment(strings.Join(about, ", ")))
	switch c.Type {
	case "code":
		language := r.language
		if language == "" {
			language = c.Language
		}
		r.fence(language, source)
	case "heading":
		r.line(strings.Repeat("#", max(c.Level, 1)) + " " + source)
	case "raw":
		r.fence("", source)
	default:
		r.line(source)
	}
	for _, o := range c.Outputs {
		r.output(number, o)
	}
}

// comment escapes text so that it cannot end the comment it is in.
func comment(s string) string {
	return strings.NewReplacer("--", "- -", "\n", " ", ">", "").Replace(s)
}

func (r *renderer) line(s string) {
	r.b.WriteString(s)
	if s != "" && !strings.HasSuffix(s, "\n") {
		r.b.WriteByte('\n')
	}
}

// fence writes s between fences that are longer than any in it.
func (r *renderer) fence(language, s string) {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	r.line(fence + language)
	r.line(s)
	r.line(fence)
}

func (r *renderer) output(cell int, o output) {
	if o.Traceback != nil || o.Error != "" {
		r.b.WriteString("\nError:\n")
		r.fence("", cut(plain(strings.Join(append([]string{o.Error + ": " + o.Value}, o.Traceback...), "\n"))))
		return
	}
	for _, image := range []struct {
		mime string
		data text
	}{{"image/png", o.PNG}, {"image/jpeg", o.JPEG}, {"image/png", o.Data["image/png"]}, {"image/jpeg", o.Data["image/jpeg"]}, {"image/gif", o.Data["image/gif"]}} {
		if image.data != "" {
			r.image(cell, image.mime, string(image.data))
		}
	}
	if svg := o.Data["image/svg+xml"]; svg != "" && o.Data["image/png"] == "" {
		r.place(Image{"image/svg+xml", []byte(svg), fmt.Sprintf("output of cell %d", cell)})
	}
	shown := string(o.Text)
	for _, mime := range []string{"text/markdown", "text/plain", "text/latex", "application/json", "text/html"} {
		if shown != "" {
			break
		}
		shown = string(o.Data[mime])
	}
	if shown == "" {
		return
	}
	label := "Output"
	if o.Type == "stream" && o.Name == "stderr" {
		label = "Standard error"
	}
	r.b.WriteString("\n" + label + ":\n")
	r.fence("", cut(plain(shown)))
}

func (r *renderer) image(cell int, mime, encoded string) {
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(encoded), ""))
	if err != nil {
		r.b.WriteString("\n[a damaged image]\n")
		return
	}
	r.place(Image{mime, data, fmt.Sprintf("output of cell %d", cell)})
}

func (r *renderer) place(i Image) {
	if r.images++; r.images > maxImages {
		return
	}
	r.b.WriteByte('\n')
	r.line(r.show(i))
}

// cut shortens a long output.
func cut(s string) string {
	n := 0
	for i := range s {
		if n++; n > outputChars {
			return s[:i] + fmt.Sprintf("\n[… %d bytes more]", len(s)-i)
		}
	}
	return s
}

// plain removes the escape sequences of terminals (ECMA-48), and text that a carriage
// return overwrites.
func plain(s string) string {
	if !strings.ContainsAny(s, "\x1b\r") {
		return s
	}
	var b strings.Builder
	for line := range strings.SplitAfterSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		if i := strings.LastIndexByte(strings.TrimRight(line, "\r\n"), '\r'); i >= 0 {
			line = line[i+1:]
		}
		b.WriteString(strings.ReplaceAll(line, "\r", ""))
	}
	return withoutEscapes(b.String())
}

func withoutEscapes(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "\x1b")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		s = rest
		if strings.HasPrefix(s, "[") {
			end := strings.IndexFunc(s[1:], func(r rune) bool { return r >= 0x40 && r <= 0x7e })
			if end < 0 {
				return b.String()
			}
			s = s[1+end+1:]
		}
	}
}
