package rtf

import (
	"context"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/codepage"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxDepth limits the nesting of groups.
	maxDepth = 2000
	// maxHeld limits the text of tables and notes that is held until it is written, in bytes.
	maxHeld = 64 << 20
	// maxParagraph is the longest paragraph; a longer one goes on in another.
	maxParagraph = 256 << 10
	// maxTable limits the fonts and the styles that are remembered.
	maxTable = 10_000
)

// destination is the purpose of the text of a group.
type destination uint8

const (
	body     destination = iota
	skip                 // not for people
	fonts                // \fonttbl
	sheet                // \stylesheet
	info                 // \info, except its parts
	title                // \title
	author               // \author
	picture              // \pict
	property             // \sn: the name of a property of a picture or shape
	value                // \sv: its value
	code                 // \fldinst: the instruction of a field
	marker               // \listtext, \pntext: the label of an item
	reviewer             // \atnauthor
)

// state is inherited by a group and restored at its end.
type state struct {
	to     destination
	style  markdown.Style
	hidden bool
	uc     int // bytes that stand for a \u where it is not known
	font   int
	para   paraState
	field  *field
	flow   *flow // where the group's paragraphs go; nil is the document
	starts opened
}

// opened is a construct that a group began and that ends with it.
type opened uint8

const (
	nothing opened = iota
	opensField
	opensNote
	opensComment
	opensBox
	opensPicture
	opensStyle
)

// paraState holds the properties of a paragraph.
type paraState struct {
	style   int
	outline int // from 1; 0 is none
	table   int // number of tables it is in
	level   int // of a list
}

// field is a field, such as a hyperlink.
type field struct {
	code string
	link string
}

// flow collects the paragraphs of a note, a comment or a box.
type flow struct {
	lines  []string
	before *paragraph
}

type reader struct {
	q             *document.Request
	w             *markdown.Writer
	ctx           context.Context
	before, token token // the last one and the one at hand
	headOnly      bool
	stopped       bool

	s       scanner
	st      state
	stack   []state
	skip    int    // characters left to skip after a \u
	star    bool   // \* came before the next control word
	raw     []byte // bytes in the encoding of the font
	high    rune   // the first half of a surrogate pair
	ansi    int    // code page
	fonts   map[int]font
	styles  map[int]*style
	font    *font // that is being read in the table of fonts
	heading *style
	name    []byte // of the style or font that is being read
	title   string
	author  string

	p        *paragraph
	rows     [][]string
	cells    []string // of the row
	lines    []string // of the cell
	held     int
	codes    []string // paragraphs of code in a row
	notes    []string
	comments []string
	by       string // who made the next comment
	pict     pict
	property string
}

// font is an entry of the table of fonts.
type font struct {
	number, charset int
	fixed           bool
}

// style is an entry of the style sheet.
type style struct {
	number, outline int
	name            string
}

func newReader(q *document.Request, w *markdown.Writer) *reader {
	r := &reader{q: q, w: w, ansi: 1252, fonts: map[int]font{}, styles: map[int]*style{}, p: &paragraph{}}
	r.st.uc = 1
	r.st.font = -1
	return r
}

// read goes through the document.
func (r *reader) read(ctx context.Context, data []byte) error {
	r.ctx = ctx
	r.s.data = data
	depth := 0 // of groups beyond the limit
	var failed error
loop:
	for n := 0; !r.stopped; n++ {
		if n%1024 == 0 && (r.w.Full() || ctx.Err() != nil) {
			break
		}
		if r.held > maxHeld {
			failed = damaged(fault.T("its tables and notes hold more than %d bytes", maxHeld))
			break
		}
		r.before, r.token = r.token, r.s.next()
		switch r.token {
		case end:
			if len(r.stack) > 0 && !r.headOnly {
				failed = damaged(fault.T("it ends within a group"))
			}
			break loop
		case begin:
			r.flush()
			r.star, r.skip = false, 0
			if len(r.stack) >= maxDepth {
				depth++
				continue
			}
			r.stack = append(r.stack, r.st)
			r.st.starts = nothing
			if r.st.to == sheet {
				r.beginStyle()
			}
		case finish:
			r.flush()
			r.star, r.skip = false, 0
			if depth > 0 {
				depth--
				continue
			}
			if len(r.stack) == 0 {
				break loop
			}
			r.endGroup()
			if len(r.stack) == 0 {
				break loop // what comes then is not the document's
			}
		case control:
			r.control()
		case hexByte:
			r.bytes(r.s.text)
		case plain:
			r.bytes(r.s.text)
		case binary:
			if r.st.to == picture {
				r.pict.add(r.s.text)
			}
		}
	}
	r.flush()
	if r.headOnly {
		return nil
	}
	r.st.flow, r.st.to = nil, body
	r.endParagraph()
	r.flushTable()
	r.flushCode()
	r.writeNotes()
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

func damaged(why fault.Text) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("the RTF is damaged: %s", why)).
		WithHint(fault.T("it may be incomplete: get the file again"))
}

// bytes adds text in the encoding of the font.
func (r *reader) bytes(b []byte) {
	r.star = false
	if n := min(r.skip, len(b)); n > 0 {
		b = b[n:]
		r.skip -= n
	}
	switch r.st.to {
	case skip, info:
		return
	case picture:
		r.pict.hex(b)
		return
	}
	r.raw = append(r.raw, b...)
	if len(r.raw) > maxParagraph {
		r.flush()
	}
}

// flush decodes the bytes that were taken.
func (r *reader) flush() {
	if len(r.raw) == 0 {
		return
	}
	text := string(r.raw)
	if !isASCII(r.raw) {
		decoded, err := codepage.Encoding(r.codePage()).NewDecoder().Bytes(r.raw)
		if err != nil {
			decoded = []byte(strings.ToValidUTF8(text, "\ufffd"))
		}
		text = string(decoded)
	}
	r.raw = r.raw[:0]
	r.text(text)
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// codePage returns the code page of the text that comes.
func (r *reader) codePage() int {
	if r.font != nil {
		return charsetPage(r.font.charset, r.ansi)
	}
	if f, ok := r.fonts[r.st.font]; ok {
		return charsetPage(f.charset, r.ansi)
	}
	return r.ansi
}

// charsetPage returns the code page of a character set of Windows.
func charsetPage(charset, ansi int) int {
	switch charset {
	case 77:
		return 10000
	case 128:
		return 932
	case 129:
		return 949
	case 130:
		return 1361
	case 134:
		return 936
	case 136:
		return 950
	case 161:
		return 1253
	case 162:
		return 1254
	case 163:
		return 1258
	case 177:
		return 1255
	case 178:
		return 1256
	case 186:
		return 1257
	case 204:
		return 1251
	case 222:
		return 874
	case 238:
		return 1250
	case 255:
		return 437
	}
	return ansi
}

// unicode adds a character by its number; the bytes that stand for it where that is not
// known are skipped.
func (r *reader) unicode(n int) {
	r.flush()
	if n < 0 {
		n += 1 << 16
	}
	c := rune(n)
	r.skip = r.st.uc
	switch {
	case utf16.IsSurrogate(c) && r.high == 0:
		r.high = c
		return
	case r.high != 0:
		c, r.high = utf16.DecodeRune(r.high, c), 0
	case c == 0 || c > utf8.MaxRune:
		return
	}
	if r.st.to == body && c >= 0xf020 && c <= 0xf0ff { // a sign of a symbol font
		c = '•'
	}
	r.text(string(c))
}

// text adds text to the current destination.
func (r *reader) text(text string) {
	if text == "" {
		return
	}
	const most = 2000 // bytes of text outside of the document's own
	switch r.st.to {
	case body:
		if r.headOnly && strings.TrimSpace(text) != "" {
			r.stopped = true
			return
		}
		r.show(text)
	case fonts, sheet:
		if len(r.name) < most {
			r.name = append(r.name, text...)
		}
		if strings.Contains(text, ";") {
			r.named()
		}
	case title:
		if len(r.title) < most {
			r.title += text
		}
	case author:
		if len(r.author) < most {
			r.author += text
		}
	case property:
		if len(r.property) < most {
			r.property += text
		}
	case value:
		if r.property == "wzDescription" && len(r.pict.alt) < most {
			r.pict.alt += text
		}
	case code:
		if f := r.st.field; f != nil && len(f.code) < most {
			f.code += text
		}
	case marker:
		if len(r.p.label) < 100 {
			r.p.label += text
		}
	case reviewer:
		if len(r.by) < 200 {
			r.by += text
		}
	}
}
