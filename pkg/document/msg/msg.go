// Package msg reads the messages that Outlook saves: who wrote them to whom and when, their text,
// and the names of what is attached. Attached messages are read, too.
//
// The format is [MS-OXMSG], its properties are those of [MS-OXPROPS]:
// https://learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxmsg/
package msg

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/codepage"
	"github.com/helve-dev/helve/pkg/document/compound"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxStream limits the bytes that are read of a property.
	maxStream = 32 << 20
	// maxParts limits the recipients and the attachments, of each.
	maxParts = 1000
	// maxDepth limits the messages that are attached to one another.
	maxDepth = 8
)

// Document is an open message.
type Document struct {
	file    *compound.File
	entries map[string]*compound.Entry // by their paths, in small letters
}

var _ document.Reader = (*Document)(nil)

// Open opens a message. The fault is bad_document.
func Open(file *compound.File) (*Document, error) {
	d := &Document{file: file, entries: map[string]*compound.Entry{}}
	for _, e := range file.Entries() {
		d.entries[strings.ToLower(e.Path())] = e
	}
	if d.entries["__properties_version1.0"] == nil {
		return nil, fault.New(fault.BadDocument, fault.T("the message is damaged: it has no properties")).
			WithHint(fault.T("it may be incomplete: get the file again"))
	}
	return d, nil
}

// Properties by their numbers ([MS-OXPROPS] 2).
const (
	subject       = 0x0037
	sentAt        = 0x0039
	senderName    = 0x0C1A
	senderAddress = 0x0C1F
	senderSMTP    = 0x5D01
	recipientType = 0x0C15
	displayBCC    = 0x0E02
	displayCC     = 0x0E03
	displayTo     = 0x0E04
	deliveredAt   = 0x0E06
	bodyText      = 0x1000
	bodyRTF       = 0x1009
	bodyHTML      = 0x1013
	displayName   = 0x3001
	address       = 0x3003
	addressSMTP   = 0x39FE
	attachedData  = 0x3701
	shortName     = 0x3704
	longName      = 0x3707
	attachedMIME  = 0x370E
	internetPage  = 0x3FDE
	messagePage   = 0x3FFD
)

// part is a storage with properties: the message, a recipient, an attachment.
type part struct {
	d      *Document
	path   string // "" or ends with a slash
	header int    // bytes of its list of properties before the first
	fixed  map[int]uint64
	page   int // of texts that are not UTF-16
}

// message returns the message in a storage.
func (d *Document) message(path string) *part {
	header := 24
	if path == "" {
		header = 32
	}
	return d.part(path, header, 0)
}

// part reads the list of properties of a storage (2.4): those of fixed size are in it.
func (d *Document) part(path string, header, page int) *part {
	p := &part{d: d, path: path, header: header, page: page, fixed: map[int]uint64{}}
	list := p.stream("__properties_version1.0")
	for list = list[min(header, len(list)):]; len(list) >= 16; list = list[16:] {
		p.fixed[int(binary.LittleEndian.Uint16(list[2:]))] = binary.LittleEndian.Uint64(list[8:])
	}
	if n := int(int32(p.fixed[messagePage])); n > 0 {
		p.page = n
	}
	return p
}

// stream returns a stream of the storage; nil if there is none.
func (p *part) stream(name string) []byte {
	e := p.d.entries[p.path+strings.ToLower(name)]
	if e == nil || e.Storage {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(p.d.file.Stream(e), maxStream))
	if err != nil {
		return nil
	}
	return data
}

// bytes returns a binary property.
func (p *part) bytes(property int) []byte {
	return p.stream(fmt.Sprintf("__substg1.0_%04X0102", property))
}

// text returns the first of some properties that is a text and not empty.
func (p *part) text(properties ...int) string {
	for _, property := range properties {
		if wide := p.stream(fmt.Sprintf("__substg1.0_%04X001F", property)); len(wide) > 1 {
			units := make([]uint16, len(wide)/2)
			for i := range units {
				units[i] = binary.LittleEndian.Uint16(wide[2*i:])
			}
			return strings.TrimRight(string(utf16.Decode(units)), "\x00")
		}
		if narrow := p.stream(fmt.Sprintf("__substg1.0_%04X001E", property)); len(narrow) > 0 {
			return strings.TrimRight(decoded(narrow, p.page), "\x00")
		}
	}
	return ""
}

// decoded returns bytes as text: in a code page, unless they are plainly UTF-8.
func decoded(b []byte, page int) string {
	if utf8.Valid(b) {
		return string(b)
	}
	text, err := codepage.Encoding(page).NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\ufffd")
	}
	return string(text)
}

// Info implements [document.Reader].
func (d *Document) Info() document.Info {
	m := d.message("")
	return document.Info{Format: "msg", Title: m.text(subject), Author: m.text(senderName, senderSMTP, senderAddress)}
}

// Render writes the head of the message, its text, and what is attached to it.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	r := renderer{ctx: ctx, q: q, w: w}
	r.message(d.message(""), 0)
	return ctx.Err()
}

// date returns when the message was sent, or else when it came.
func (p *part) date() string {
	for _, property := range [...]int{sentAt, deliveredAt} {
		ticks := int64(p.fixed[property]) // of 100 ns since 1601
		const toUnix, ticksPerSecond = 11644473600, 10_000_000
		if seconds := ticks/ticksPerSecond - toUnix; ticks > 0 && seconds < 1<<40 {
			return time.Unix(seconds, 0).UTC().Format("2006-01-02 15:04:05 MST")
		}
	}
	return ""
}

// people returns the recipients of a type (1 to, 2 cc, 3 bcc), or the line in which the message
// names them.
func (p *part) people(kind uint64, line int) string {
	var all []string
	for n := range maxParts {
		path := fmt.Sprintf("%s__recip_version1.0_#%08x/", p.path, n)
		if p.d.entries[strings.TrimSuffix(path, "/")] == nil {
			break
		}
		r := p.d.part(path, 8, p.page)
		if r.fixed[recipientType]&0xff == kind {
			all = append(all, person(r.text(displayName), r.text(addressSMTP, address)))
		}
	}
	if len(all) == 0 {
		return p.text(line)
	}
	return strings.Join(all, "; ")
}

// person returns a name with its address, unless that is one of Exchange's own.
func person(name, address string) string {
	switch {
	case address == "" || strings.EqualFold(name, address) || !strings.Contains(address, "@"):
		if name == "" {
			return address
		}
		return name
	case name == "":
		return address
	}
	return name + " <" + address + ">"
}
