package imported

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/picture"
	"github.com/helve-dev/helve/pkg/html/extract"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/track"
)

// The bounds of a result.
const (
	maxText     = 100_000 // bytes of text that a model reads
	maxPictures = 20      // images that it sees
	maxData     = 1 << 20 // bytes of structured data
)

// Result is the result of a server's tool.
type Result struct {
	// Text are the texts of all content blocks; of what is no text, a line in brackets.
	Text      string `json:"text"`
	Truncated bool   `json:"truncated"` // Text was too long and is cut
	// OutputFile has all of Text, if Text has not.
	OutputFile string `json:"output_file,omitzero"`
	// Structured is the result as data, if the server returned that; Media what is neither
	// text nor data.
	Structured json.RawMessage `json:"structured,omitempty"`
	Media      []Media         `json:"media,omitempty"`
	track.Outcome

	pictures []tool.Picture
}

// Media is an image, a sound or a resource in a result.
type Media struct {
	Type  string `json:"type" enum:"image,audio,resource,resource_link"`
	MIME  string `json:"mime,omitzero"`
	Bytes int    `json:"bytes,omitzero"`
	URI   string `json:"uri,omitzero"`
	Name  string `json:"name,omitzero"`
	Path  string `json:"path,omitzero"` // of the file in the workspace that has it
}

func described() (schema.Document, error) { return schema.ResultOf(reflect.TypeFor[Result]()) }

// Pictures returns the images, for a model to see.
func (r Result) Pictures() []tool.Picture { return r.pictures }

// block is a content block of the protocol.
type block struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Data        string `json:"data"`
	MIME        string `json:"mimeType"`
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Resource    *struct {
		URI  string `json:"uri"`
		MIME string `json:"mimeType"`
		Text string `json:"text"`
		Blob string `json:"blob"`
	} `json:"resource"`
}

// result makes a result of what a server returned.
func (i *imported) result(call *tool.Call, answer *client.Answer) (Result, error) {
	var r Result
	var b strings.Builder
	var odd invisible
	for _, raw := range answer.Content {
		var one block
		if err := json.Unmarshal(raw, &one); err != nil {
			return r, i.malformed(raw)
		}
		one.clean(&odd)
		b.WriteString(r.add(call, &one, raw))
	}
	if len(answer.Structured) > 0 && !bytes.Equal(bytes.TrimSpace(answer.Structured), []byte("null")) {
		text := string(answer.Structured)
		odd.strip(&text)
		if err := i.structured(&r, &b, json.RawMessage(text)); err != nil {
			return r, err
		}
	}
	if odd > 0 {
		call.Warn(fault.T("%d invisible characters were removed from the text; they can hide instructions", int(odd)))
	}
	r.fit(call, strings.ToValidUTF8(b.String(), string(utf8.RuneError)))
	return r, nil
}

// invisible counts the invisible characters that were removed from a result.
type invisible int

func (n *invisible) strip(s *string) {
	clean, count := extract.StripInvisible(*s, false) // what moves a terminal is made visible later
	*s = clean
	*n += invisible(count)
}

// clean removes invisible characters from all texts of a block.
func (b *block) clean(odd *invisible) {
	texts := []*string{&b.Text, &b.URI, &b.Name, &b.Description}
	if b.Resource != nil {
		texts = append(texts, &b.Resource.URI, &b.Resource.Text)
	}
	for _, s := range texts {
		odd.strip(s)
	}
}

// structured adds the data of a result. Servers repeat it as text for clients that do
// not know it; where they do not, the text shows it.
func (i *imported) structured(r *Result, b *strings.Builder, data json.RawMessage) error {
	if len(data) > maxData {
		return fault.New(fault.TooLarge, fault.T("%s returned %d bytes of data; the limit is %d", i.tool.As, len(data), maxData)).
			WithHint(fault.T("ask for less in one call"))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return i.malformed(data)
	}
	r.Structured = compact.Bytes()
	if b.Len() == 0 {
		b.Write(r.Structured)
		b.WriteByte('\n')
	}
	return nil
}

// add adds a content block and returns what the text says of it.
func (r *Result) add(call *tool.Call, b *block, raw json.RawMessage) string {
	switch b.Type {
	case "text":
		return ended(b.Text)
	case "image", "audio":
		return r.media(call, Media{Type: b.Type, MIME: b.MIME}, b.Data)
	case "resource_link":
		m := Media{Type: b.Type, MIME: b.MIME, URI: b.URI, Name: b.Name}
		r.Media = append(r.Media, m)
		line := "[" + strings.TrimSpace(b.Name+" "+b.URI)
		if b.Description != "" {
			line += ": " + b.Description
		}
		return line + "]\n"
	case "resource":
		if b.Resource == nil {
			break
		}
		m := Media{Type: b.Type, MIME: b.Resource.MIME, URI: b.Resource.URI}
		if b.Resource.Blob != "" {
			return r.media(call, m, b.Resource.Blob)
		}
		m.Bytes = len(b.Resource.Text)
		r.Media = append(r.Media, m)
		return "[" + m.URI + "]\n" + ended(b.Resource.Text)
	}
	return ended(string(raw)) // a kind that came later
}

// media adds what is no text, as a file of the session where that can be.
func (r *Result) media(call *tool.Call, m Media, encoded string) string {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		call.Warn(fault.T("%s (%s) is not base64, and was left out", m.Type, m.MIME))
		return ""
	}
	m.Bytes = len(data)
	if !call.Env.ReadOnly {
		if m.Path, err = artifact.Image(call, data, m.MIME); err != nil {
			call.Warn(fault.T("%s could not be saved: %s", m.Type, fault.As(err).Message))
		}
	}
	if m.Type == "image" && len(r.pictures) < maxPictures && call.Home.Pictures != (tool.PictureFit{}) {
		p, err := picture.Make(data, m.MIME, picture.Fit(call.Home.Pictures))
		if err != nil {
			call.Warn(fault.T("an image cannot be shown: %s", fault.As(err).Message))
		} else {
			r.pictures = append(r.pictures, tool.Picture{Name: m.Path, MIME: p.MIME, Data: p.Data})
		}
	}
	r.Media = append(r.Media, m)
	said := []string{fmt.Sprintf("%s %s, %d bytes", m.Type, m.MIME, m.Bytes)}
	for _, where := range [...]string{m.URI, m.Path} {
		if where != "" {
			said = append(said, where)
		}
	}
	return "[" + strings.Join(said, ", ") + "]\n"
}

// fit puts the text into the result, at most so much, and all of it into a file if it is
// more.
func (r *Result) fit(call *tool.Call, all string) {
	if call.Env.ReadOnly {
		f := output.Fit(all, maxText, output.Source{Raw: true})
		r.Text, r.Truncated = f.Text, f.Truncated
		return
	}
	out := &run.Result{Output: run.Output{Text: all, Printed: []byte(all), TotalBytes: int64(len(all))}}
	file := artifact.NewOutput(call)
	f, _ := file.Fit(out, maxText, output.Source{})
	r.Text, r.Truncated, r.OutputFile = f.Text, f.Truncated || f.Reduced != nil, file.Path(out)
}

// malformed returns the fault of an answer that is none.
func (i *imported) malformed(raw []byte) error {
	const shown = 200 // bytes
	return fault.New(fault.BadDocument, fault.T("%s returned what the protocol does not have: %q", i.server.Name, string(raw[:min(len(raw), shown)]))).
		WithHint(fault.T("the server does not follow the protocol; tell the person"))
}

// ended returns s with a newline at its end, unless it is empty.
func ended(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// text renders a result for people and models. What a server says drives no terminal,
// also where a pipe leads to one.
func text(result any, v screen.View) string {
	r, ok := result.(Result)
	if !ok || r.Text == "" {
		return "(" + v.Say(fault.T("no output")) + ")\n"
	}
	if r.OutputFile != "" {
		return screen.Lines(r.Text) + "[" + v.Say(fault.T("all of it: %s", r.OutputFile)) + "]\n"
	}
	return screen.Lines(r.Text)
}
