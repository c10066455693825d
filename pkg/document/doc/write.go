package doc

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxColumns and maxRows bound a table.
	maxColumns = 1024
	maxRows    = 100_000
	// maxFields limits the nesting of fields.
	maxFields = 100
)

// Properties of paragraphs (2.6.2) and of characters (2.6.1).
const (
	sprmPFInTable  = 0x2416
	sprmPFTtp      = 0x2417
	sprmPOutLvl    = 0x2640
	sprmPIlvl      = 0x260a
	sprmPIlfo      = 0x460b
	sprmCFRMarkDel = 0x0800
	sprmCFRMarkIns = 0x0801
	sprmCFBold     = 0x0835
	sprmCFItalic   = 0x0836
	sprmCFStrike   = 0x0837
	sprmCFVanish   = 0x083c
	sprmCIss       = 0x2a48
)

// Characters with a meaning of their own.
const (
	noteMark       = 0x02
	cellMark       = 0x07
	lineBreak      = 0x0b
	pageBreak      = 0x0c
	fieldBegin     = 0x13
	fieldSeparator = 0x14 // between the code of a field and its result
	fieldEnd       = 0x15
	hardHyphen     = 0x1e
)

// writer writes the paragraphs of a document.
type writer struct {
	d *Document
	q *document.Request
	w *markdown.Writer

	in     markdown.Inline
	fields []field
	lines  []string // of the cell
	cells  []string
	rows   [][]string
	notes  []string
	feet   []int // characters that refer to footnotes
	ends   []int // and to endnotes
	spent  int   // characters of notes that were read
	isNote bool  // the writer writes the text of one
}

// field is one that is open: first its code is read, then what it shows.
type field struct {
	code  strings.Builder
	shown bool
	link  string
}

func newWriter(d *Document, q *document.Request, w *markdown.Writer) *writer {
	return &writer{d: d, q: q, w: w, feet: positions(d.part(plcffndRef), 2), ends: positions(d.part(plcfendRef), 2)}
}

// positions returns the positions of a table (2.2.2) whose entries have so many bytes.
func positions(table []byte, entry int) (all []int) {
	n := (len(table) - 4) / (4 + entry)
	for i := range max(0, n+1) {
		if 4*i+4 <= len(table) {
			all = append(all, int(binary.LittleEndian.Uint32(table[4*i:])))
		}
	}
	return all
}

// render writes the main text, the text boxes, and then the notes.
func (w *writer) render(ctx context.Context) error {
	from, last := w.d.span(mainText)
	if last == 0 {
		last = len(w.d.text)
	}
	w.paragraphs(ctx, from, last)
	from, last = w.d.span(boxes)
	w.paragraphs(ctx, from, last)
	for i, text := range w.notes {
		w.w.Note(strconv.Itoa(i+1), text)
	}
	if !w.w.Full() {
		w.account()
	}
	return ctx.Err()
}

// paragraphs writes characters paragraph by paragraph.
func (w *writer) paragraphs(ctx context.Context, from, last int) {
	start := from
	for i := from; i < last; i++ {
		if c := w.d.text[i]; c == '\r' || c == cellMark || c == pageBreak || i == last-1 {
			w.paragraph(start, i+1)
			if start = i + 1; w.w.Full() || ctx.Err() != nil {
				break
			}
		}
	}
	w.fields = nil // none leads from one part into another
	w.flushTable()
}

// account says which text of the document is not shown.
func (w *writer) account() {
	claimed := 0
	for _, n := range w.d.counts {
		claimed += n
	}
	if missing := claimed - len(w.d.text); missing > claimed/lostShare {
		w.q.Warning(fault.T("bad_document: %d of the document's %d characters are not in the file", missing, claimed))
	}
	const mark = 4 // characters that a remark has beside its text
	if n := w.d.counts[remarks]; n > mark {
		w.q.Warning(fault.T("the document has comments of %d characters, which are not shown", n))
	}
	if notes := w.d.counts[footnotes] + w.d.counts[endnotes]; notes-w.spent > notes/lostShare && notes-w.spent > mark*(len(w.feet)+len(w.ends)) {
		w.q.Warning(fault.T("%d of the %d characters of the document's notes are not shown", notes-w.spent, notes))
	}
}

// lostShare is the part of a text that may be missing without a word: the lists of its parts
// end with characters that are none.
const lostShare = 20

// paragraph writes the characters from to last, of which the last one ends it.
func (w *writer) paragraph(from, last int) {
	place := w.d.place(last - 1)
	p := at(w.d.paragraphs, place)
	inTable, rowEnd, level, list, depth := false, false, 0, false, 0
	if p != nil {
		level = w.d.level(p.style)
	}
	p.each(func(sprm int, v []byte) {
		switch sprm {
		case sprmPFInTable:
			inTable = v[0] != 0
		case sprmPFTtp:
			rowEnd = v[0] != 0
		case sprmPOutLvl:
			if level = int(v[0]) + 1; level > 9 {
				level = 0
			}
		case sprmPIlvl:
			depth = min(int(v[0]), 8)
		case sprmPIlfo:
			list = binary.LittleEndian.Uint16(v) != 0
		}
	})
	w.characters(from, last, level > 0)
	text := w.in.String()
	empty := w.in.Empty()
	w.in.Reset()
	mark := w.d.text[last-1]
	switch {
	case rowEnd:
		if len(w.cells) > 0 && len(w.rows) < maxRows {
			w.rows = append(w.rows, w.cells)
		}
		w.cells, w.lines = nil, nil
	case inTable || mark == cellMark:
		if !empty {
			w.lines = append(w.lines, text)
		}
		if mark == cellMark {
			if len(w.cells) < maxColumns {
				w.cells = append(w.cells, strings.Join(w.lines, "\n"))
			}
			w.lines = nil
		}
	default:
		w.flushTable()
		switch {
		case empty:
		case level > 0:
			w.w.Heading(level, text)
		case list:
			w.w.Item(depth, "-", text)
		default:
			w.w.Paragraph(text)
		}
	}
}

func (w *writer) flushTable() {
	if len(w.cells) > 0 {
		w.rows = append(w.rows, w.cells)
	}
	if len(w.rows) > 0 {
		w.w.Table(w.rows)
	}
	w.rows, w.cells = nil, nil
}

// characters adds characters to the paragraph, run by run.
func (w *writer) characters(from, last int, heading bool) {
	for from < last {
		place := w.d.place(from)
		r := at(w.d.characters, place)
		style, shown := w.look(r)
		if heading {
			style &^= markdown.Bold | markdown.Italic
		}
		next := from + 1
		for next < last && (r == nil && next < from+64 || r != nil && w.inside(r, next)) {
			next++
		}
		w.run(from, next, style, shown)
		from = next
	}
}

func (w *writer) inside(r *run, character int) bool {
	place := w.d.place(character)
	return place >= r.from && place < r.to
}

// look returns the style of characters, and whether they are shown.
func (w *writer) look(r *run) (look markdown.Style, shown bool) {
	shown = true
	r.each(func(sprm int, v []byte) {
		on := v[0] == 1 || v[0] == 0x81
		switch sprm {
		case sprmCFBold:
			look |= either(on, markdown.Bold)
		case sprmCFItalic:
			look |= either(on, markdown.Italic)
		case sprmCFStrike:
			look |= either(on, markdown.Strike)
		case sprmCIss:
			look |= either(v[0] == 1, markdown.Superscript) | either(v[0] == 2, markdown.Subscript)
		case sprmCFVanish:
			shown = shown && !on
		case sprmCFRMarkDel:
			look |= either(on, markdown.Deleted)
		case sprmCFRMarkIns:
			look |= either(on, markdown.Inserted)
		}
	})
	changed := look & (markdown.Deleted | markdown.Inserted)
	if changed != 0 {
		w.q.Changed()
	}
	switch w.q.Changes {
	case document.All:
		return look, shown
	case document.Reject:
		return look &^ changed, shown && changed&markdown.Inserted == 0
	}
	return look &^ changed, shown && changed&markdown.Deleted == 0
}

func either(on bool, s markdown.Style) markdown.Style {
	if on {
		return s
	}
	return 0
}

// run adds characters that look the same.
func (w *writer) run(from, last int, style markdown.Style, shown bool) {
	start := from
	put := func(end int) {
		if start < end {
			w.put(joined(w.d.text[start:end]), style, shown)
		}
		start = end + 1
	}
	for i := from; i < last; i++ {
		switch c := w.d.text[i]; {
		case c == '\t' || c >= ' ':
			continue
		case c == fieldBegin:
			put(i)
			if len(w.fields) < maxFields {
				w.fields = append(w.fields, field{})
			}
		case c == fieldSeparator:
			put(i)
			if n := len(w.fields); n > 0 {
				w.fields[n-1].resolve()
			}
		case c == fieldEnd:
			put(i)
			w.endField(style, shown)
		case c == lineBreak:
			put(i)
			if shown {
				w.in.Break()
			}
		case c == '\r' && w.isNote:
			put(i)
			w.in.Raw("\n\n")
		case c == hardHyphen:
			put(i)
			w.put("-", style, shown)
		case c == noteMark:
			put(i)
			w.note(i, shown)
		default:
			put(i)
		}
	}
	put(last)
}

func (w *writer) put(text string, style markdown.Style, shown bool) {
	link := ""
	for i := range w.fields {
		f := &w.fields[i]
		if !f.shown {
			if f.code.Len() < 4000 {
				f.code.WriteString(text)
			}
			return
		}
		link = f.link
	}
	if shown {
		w.in.Text(text, style, link)
	}
}

// endField ends the innermost field. A button for a macro, and a word with its reading above it,
// have their text in the code of the field (2.9.91).
func (w *writer) endField(style markdown.Style, shown bool) {
	n := len(w.fields)
	if n == 0 {
		return
	}
	f := w.fields[n-1]
	w.fields = w.fields[:n-1]
	if f.shown {
		return
	}
	code := strings.TrimSpace(f.code.String())
	words := strings.SplitN(code, " ", 3)
	switch {
	case len(words) == 3 && strings.EqualFold(words[0], "MACROBUTTON"):
		w.put(words[2], style, shown)
	case len(words) > 1 && strings.EqualFold(words[0], "EQ") && strings.Contains(code, "jc"):
		_, base, _ := strings.Cut(code, "),") // below the reading that stands above it
		w.put(strings.TrimRight(base, ")"), style, shown)
	}
}

// resolve begins the result of a field: its code names the target of a link.
func (f *field) resolve() {
	f.shown = true
	rest, found := strings.CutPrefix(strings.TrimSpace(f.code.String()), "HYPERLINK")
	if !found {
		return
	}
	if target, ok := strings.CutPrefix(strings.TrimSpace(rest), `"`); ok {
		f.link, _, _ = strings.Cut(target, `"`)
	}
}

// note refers to the footnote or endnote of a character.
func (w *writer) note(character int, shown bool) {
	base, _ := w.d.span(footnotes)
	text, found := w.noteText(character, w.feet, w.d.part(plcffndTxt), base)
	if !found {
		base, _ = w.d.span(endnotes)
		text, found = w.noteText(character, w.ends, w.d.part(plcfendTxt), base)
	}
	if found && shown {
		w.notes = append(w.notes, text)
		w.in.Raw("[^" + strconv.Itoa(len(w.notes)) + "]")
	}
}

// noteText returns the text of the note that a character refers to.
func (w *writer) noteText(character int, refers []int, table []byte, base int) (string, bool) {
	i, found := slices.BinarySearch(refers, character)
	if !found || 4*i+8 > len(table) {
		return "", false
	}
	from := base + int(binary.LittleEndian.Uint32(table[4*i:]))
	last := base + int(binary.LittleEndian.Uint32(table[4*i+4:]))
	if from > last || last > len(w.d.text) {
		return "", false
	}
	if w.spent += last - from; w.spent > len(w.d.text) { // all notes together are a part of it
		return "", false
	}
	sub := &writer{d: w.d, q: w.q, isNote: true}
	sub.characters(from, last, false)
	return strings.TrimSpace(sub.in.String()), true
}
