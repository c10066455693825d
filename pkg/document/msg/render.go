package msg

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/rtf"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/dom"
	webmarkdown "github.com/helve-dev/helve/pkg/html/markdown"
	"github.com/helve-dev/helve/pkg/html/parse"
)

// renderer writes messages.
type renderer struct {
	ctx context.Context
	q   *document.Request
	w   *markdown.Writer
}

// message writes a message, and below it those attached to it.
func (r *renderer) message(m *part, depth int) {
	if title := m.text(subject); title != "" {
		r.w.Heading(depth+1, markdown.Escape(strings.Join(strings.Fields(title), " ")))
	}
	var head markdown.Inline
	for _, line := range [...]struct{ name, value string }{
		{"From", person(m.text(senderName), m.text(senderSMTP, senderAddress))},
		{"To", m.people(1, displayTo)}, {"Cc", m.people(2, displayCC)}, {"Bcc", m.people(3, displayBCC)}, {"Date", m.date()},
	} {
		if line.value == "" {
			continue
		}
		if !head.Empty() {
			head.Break()
		}
		head.Text(line.name+": ", markdown.Bold, "")
		head.Text(line.value, 0, "")
	}
	r.w.Paragraph(head.String())
	r.body(m)
	r.attachments(m, depth)
}

// body writes the text of a message: plain, from its page, or from its rich text.
func (r *renderer) body(m *part) {
	if text := m.text(bodyText); strings.TrimSpace(text) != "" {
		r.plain(text)
		return
	}
	page := m.text(bodyHTML)
	if page == "" {
		page = decoded(m.bytes(bodyHTML), int(int32(m.fixed[internetPage])))
	}
	if strings.TrimSpace(page) != "" {
		r.page(page)
		return
	}
	packed := m.bytes(bodyRTF)
	if len(packed) == 0 {
		return
	}
	text, err := unpacked(packed)
	if err == nil {
		var d *rtf.Document
		if d, err = rtf.Open(bytes.NewReader(text), int64(len(text))); err == nil {
			err = d.Render(r.ctx, r.q, r.w)
		}
	}
	if err != nil {
		r.q.Warning(fault.T("the text of the message cannot be read: %s", fault.As(err).Message))
	}
}

// plain writes a plain text.
func (r *renderer) plain(text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var in markdown.Inline
		for i, line := range strings.Split(strings.Trim(paragraph, "\n"), "\n") {
			if i > 0 {
				in.Break()
			}
			in.Text(strings.TrimRight(line, " \t"), 0, "")
		}
		if r.w.Paragraph(in.String()); r.w.Full() {
			return
		}
	}
}

// Limits of a page.
const (
	maxNodes      = 300_000
	maxPageDepth  = 512
	maxMarks      = 24
	maxAttributes = 250_000
)

// page writes a text that is a page of HTML.
func (r *renderer) page(text string) {
	doc, reached := parse.Document(text, parse.Limits{Nodes: maxNodes, Depth: maxPageDepth, Marks: maxMarks, Attributes: maxAttributes})
	if reached&parse.Nodes != 0 {
		r.q.Warning(fault.T("the message has more elements than are read"))
	}
	body := dom.Body(doc)
	webmarkdown.Normalize(body, nil)
	all, err := webmarkdown.Of(body)
	if err != nil {
		r.q.Warning(fault.T("the text of the message cannot be read: %s", err.Error()))
		return
	}
	for block := range strings.SplitSeq(all, "\n\n") {
		r.w.Block(strings.Trim(block, "\n"))
	}
}

// attachments lists what is attached to a message, and writes attached messages.
func (r *renderer) attachments(m *part, depth int) {
	var messages []string
	listed := false
	for n := range maxParts {
		where := fmt.Sprintf("%s__attach_version1.0_#%08x/", m.path, n)
		if m.d.entries[strings.TrimSuffix(where, "/")] == nil || r.w.Full() || r.ctx.Err() != nil {
			break
		}
		a := m.d.part(where, 8, m.page)
		name := a.text(longName, shortName, displayName)
		inner := fmt.Sprintf("%s__substg1.0_%04x000d", where, attachedData)
		if e := m.d.entries[inner]; e != nil && e.Storage && m.d.entries[inner+"/__properties_version1.0"] != nil {
			messages = append(messages, inner+"/")
			continue
		}
		if !listed {
			listed = true
			r.w.Paragraph("**Attachments:**")
		}
		r.attachment(a, name)
	}
	for _, inner := range messages {
		if depth >= maxDepth {
			r.q.Warning(fault.T("messages that are attached to more than %d others are not shown", maxDepth))
			return
		}
		r.message(m.d.message(inner), depth+1)
	}
}

// attachment writes the name and the size of an attachment, and a picture itself.
func (r *renderer) attachment(a *part, name string) {
	data := a.bytes(attachedData)
	if name == "" {
		name = "?"
	}
	text := markdown.Escape(path.Base(strings.ReplaceAll(name, `\`, "/")))
	if mime := a.text(attachedMIME); strings.HasPrefix(mime, "image/") && len(data) > 0 {
		text += " " + r.q.Show(document.Image{MIME: mime, Data: data, Alt: name, Anchor: name})
	}
	r.w.Item(0, "-", fmt.Sprintf("%s (%d bytes)", text, len(data)))
}
