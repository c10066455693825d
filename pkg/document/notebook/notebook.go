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
	f, err := parse(raw)
	if err != nil {
		return "", err
	}
	r := renderer{show: show}
	r.file(f)
	return r.b.String(), nil
}

// parse reads a notebook. Cells then holds those of all worksheets.
func parse(raw []byte) (f file, err error) {
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, damaged(fault.T("it is not valid JSON")).Because(err)
	}
	for _, w := range f.Worksheets {
		f.Cells = append(f.Cells, w.Cells...)
	}
	if f.Format == 0 && f.Cells == nil {
		return f, damaged(fault.T("it has no cells"))
	}
	return f, nil
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
	veiled   bool     // of outputs only the lines are counted
	begins   []int    // where the cells begin
	sources  [][2]int // where their sources begin and end
}

func (r *renderer) file(f file) {
	if r.language = f.Metadata.Language.Name; r.language == "" {
		r.language = f.Metadata.Kernel.Language
	}
	for i, c := range f.Cells {
		r.cell(i+1, c)
	}
}

// source returns the text of the cell that a person writes.
func (c cell) source() string {
	if c.Source == "" {
		return string(c.Input)
	}
	return string(c.Source)
}

func (r *renderer) cell(number int, c cell) {
	source := c.source()
	r.begins = append(r.begins, r.b.Len())
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
	var at int
	switch c.Type {
	case "code":
		language := r.language
		if language == "" {
			language = c.Language
		}
		at = r.fence(language, source)
	case "heading":
		r.b.WriteString(strings.Repeat("#", max(c.Level, 1)) + " ")
		at = r.line(source)
	case "raw":
		at = r.fence("", source)
	default:
		at = r.line(source)
	}
	r.sources = append(r.sources, [2]int{at, at + len(source)})
	r.outputs(number, c.Outputs)
}

// outputs writes the outputs of a cell or, if they are veiled, as many lines.
func (r *renderer) outputs(cell int, all []output) {
	if !r.veiled {
		for _, o := range all {
			r.output(cell, o)
		}
		return
	}
	aside := renderer{show: r.show, images: r.images}
	aside.outputs(cell, all)
	r.images = aside.images
	r.b.WriteString(strings.Repeat(fmt.Sprintf(veil, cell), strings.Count(aside.b.String(), "\n")))
}

// veil is a line in the place of a line of an output.
const veil = "[output of cell %d]\n"

// comment escapes text so that it cannot end the comment it is in.
func comment(s string) string {
	return strings.NewReplacer("--", "- -", "\n", " ", ">", "").Replace(s)
}

// line writes whole lines and returns where they begin.
func (r *renderer) line(s string) (at int) {
	at = r.b.Len()
	r.b.WriteString(s)
	if s != "" && !strings.HasSuffix(s, "\n") {
		r.b.WriteByte('\n')
	}
	return at
}

// fence writes s between fences that are longer than any in it, and returns where it begins.
func (r *renderer) fence(language, s string) (at int) {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	r.line(fence + language)
	at = r.line(s)
	r.line(fence)
	return at
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
