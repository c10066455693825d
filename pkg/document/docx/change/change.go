// Package change changes the text of Word documents in place: paragraphs and rows of tables, by
// what they show. Everything else in a document keeps its bytes: only texts of runs are
// written, and paragraphs and rows that come or go. With an author, changes are tracked.
package change

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// Document is a document that can be changed.
type Document struct {
	file  io.ReaderAt
	size  int64
	parts *ooxml.Package
	tree  *xmlscan.Tree
	items []item
}

// Edit replaces a text that read shows: a part of a paragraph, or whole paragraphs and rows.
type Edit struct {
	Old, New   string
	All        bool
	Occurrence int // from 1; 0 is the only one
	Expected   int // how many there must be; more than 1 replaces all of them
}

// Options apply to all edits of a document.
type Options struct {
	Author string    // tracks the changes under this name; "" does not
	Now    time.Time // of tracked changes
}

// Changed is a paragraph or a row before and after a change, in plain text. One of both is
// empty where it came or went.
type Changed struct{ Before, After string }

// Result describes a change.
type Result struct{ Changed []Changed }

// maxMain limits the bytes of the main part.
const maxMain = 32 << 20

// Open opens a document to be changed. One that is signed, protected or damaged is refused.
func Open(file io.ReaderAt, size int64) (*Document, error) {
	parts, err := ooxml.Open(file, size)
	if err != nil {
		return nil, err
	}
	if err := parts.Changeable(); err != nil {
		return nil, err
	}
	d := &Document{file: file, size: size, parts: parts}
	if settings, ok := parts.Relations(parts.Main()).Of("settings"); ok && !settings.External && parts.Has(settings.Target) {
		data, err := parts.Read(settings.Target)
		if err != nil {
			return nil, err
		}
		t, err := xmlscan.Parse(data)
		if err != nil {
			return nil, err
		}
		if n := t.Root.Child("w:documentProtection"); n != nil {
			if v, _ := t.Attr(n, "enforcement"); v != "" && v != "0" && v != "false" && v != "off" {
				return nil, fault.New(fault.UnsupportedContent, fault.T("the document is protected against changes")).
					WithHint(fault.T("ask the person to take the protection off, or work on a copy without it"))
			}
		}
	}
	if parts.Size(parts.Main()) > maxMain {
		return nil, fault.New(fault.TooLarge, fault.T("the text of the document takes more than %d bytes", maxMain)).
			WithHint(fault.T("divide it into several documents"))
	}
	data, err := parts.Read(parts.Main())
	if err != nil {
		return nil, err
	}
	if d.tree, err = xmlscan.Parse(data); err != nil {
		return nil, err
	}
	body := d.tree.Root.Child("w:body")
	if body == nil {
		return nil, fault.New(fault.UnsupportedContent, fault.T("the document has no body in the usual format")).
			WithHint(fault.T("save it as .docx, and change that"))
	}
	d.collect(body, nil)
	return d, nil
}

// Apply writes the document with all edits, each of which is looked for in it as it is.
func (d *Document) Apply(edits []Edit, o Options, out io.Writer) (*Result, error) {
	c := &changes{Document: d, Options: o, pending: map[*paragraph][]part{}, gone: map[*paragraph]bool{}}
	for _, e := range edits {
		if err := c.edit(e); err != nil {
			return nil, err
		}
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	data, err := d.tree.Spliced(c.splices)
	if err != nil {
		return nil, err
	}
	if _, err := xmlscan.Parse(data); err != nil {
		return nil, err
	}
	part := zipped.NewPart{Name: d.parts.Main(), Write: func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(data))
		return err
	}}
	return &c.result, zipped.Rewrite(out, d.file, d.size, []zipped.NewPart{part})
}

// changes are the changes of one call.
type changes struct {
	*Document
	Options
	splices []xmlscan.Splice
	pending map[*paragraph][]part // changes of parts of them
	order   []*paragraph          // those that have some
	gone    map[*paragraph]bool
	result  Result
	id      int // of the last tracked change
}

// part is a part of a paragraph that gets another text, in the place of its first piece.
type part struct {
	from, to, first int
	text            string
}

func (c *changes) splice(start, end int, text string) {
	c.splices = append(c.splices, xmlscan.Splice{Start: int64(start), End: int64(end), New: []byte(text)})
}

// mark returns the attributes of a tracked change.
func (c *changes) mark() string {
	if c.id == 0 {
		c.tree.Root.Walk(func(n *xmlscan.Node) bool {
			if v, ok := c.tree.Attr(n, "id"); ok {
				if id, err := strconv.Atoi(v); err == nil && id > c.id && id < 1<<30 {
					c.id = id
				}
			}
			return true
		})
	}
	c.id++
	w := c.prefix()
	return ` ` + w + `id="` + strconv.Itoa(c.id) + `" ` + w + `author="` + string(xmlscan.AppendEscaped(nil, c.Author)) + `" ` + w + `date="` + c.Now.UTC().Format("2006-01-02T15:04:05Z") + `"`
}

// prefix returns the prefix of the document's elements, with its colon.
func (d *Document) prefix() string {
	if i := strings.IndexByte(d.tree.Root.Raw, ':'); i >= 0 {
		return d.tree.Root.Raw[:i+1]
	}
	return ""
}
