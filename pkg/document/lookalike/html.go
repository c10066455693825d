package lookalike

import (
	"context"
	entities "html" // that of x/net fills its tables at every start
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/html/parse"
)

// maxSpan limits the columns or rows that a cell spans.
const maxSpan = 1000

// readHTML reads a page as one sheet, as Excel does: each row of a table is a row, and
// so is each line of text between the tables.
func (b *Book) readHTML(ctx context.Context, raw []byte) error {
	page, err := decode(raw)
	if err != nil {
		return err
	}
	count := 0
	return b.addPage(ctx, page, "", &count)
}

// addPage adds the sheet that a page holds, if it has a table. Without a name it is
// called as Excel calls it in the page, or Sheet1.
func (b *Book) addPage(ctx context.Context, page, name string, count *int) error {
	if !hasTable(page) {
		return nil
	}
	if name == "" {
		name = "Sheet1"
		if names := sheetNames(page); len(names) == 1 {
			name = names[0]
		}
	}
	t := b.addTable(name)
	if t == nil {
		return nil
	}
	r := &pageReader{b: b, t: t, count: count, next: 1}
	n := 0
	for token := range parse.Tokens(page) {
		if n++; n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if b.full {
			break
		}
		r.token(token)
	}
	r.endTable()
	r.line()
	t.finish()
	if b.info.Title == "" {
		b.info.Title = strings.Join(strings.Fields(r.title.String()), " ")
	}
	return nil
}

func hasTable(page string) bool {
	for rest := page; ; {
		i := strings.IndexByte(rest, '<')
		if i < 0 || len(rest) < i+3 {
			return false
		}
		rest = rest[i+1:]
		if tag := strings.ToLower(rest[:2]); tag == "td" || tag == "th" && !strings.HasPrefix(strings.ToLower(rest), "thead") {
			return true
		}
	}
}

// sheetNames returns the names of sheets that Excel writes into the comments of a page:
// <x:Name>Sales</x:Name>.
func sheetNames(page string) []string {
	var names []string
	for len(names) < maxSheets {
		_, after, ok := strings.Cut(page, "<x:Name>")
		if !ok {
			break
		}
		name, rest, ok := strings.Cut(after, "</x:Name>")
		if !ok {
			break
		}
		if name = strings.TrimSpace(entities.UnescapeString(name)); len(name) < 256 {
			names = append(names, name)
		}
		page = rest
	}
	return names
}

// pageReader turns the tokens of a page into cells.
type pageReader struct {
	b     *Book
	t     *table
	count *int
	next  int // row that comes next

	depth  int // tables that are open
	row    int // of the table's row; 0 if none is open
	column int
	taken  []taken // cells of rows above that reach into this one, by column

	inCell bool
	attr   cellAttributes
	text   strings.Builder
	space  bool // white space is due
	link   string

	silent  atom.Atom // the element whose content does not show
	title   strings.Builder
	inTitle bool
}

// taken is a column that a cell above occupies up to a row.
type taken struct{ until int }

type cellAttributes struct {
	columns, rows int
	number        string // the value that Excel keeps with the text
	formula       string
	isText        bool
}

// token reads one token.
func (r *pageReader) token(t *parse.Token) {
	if r.silent != 0 {
		if t.Kind == parse.EndTag && t.Atom == r.silent {
			r.silent = 0
		}
		return
	}
	switch t.Kind {
	case parse.Text:
		r.words(t.Data)
	case parse.StartTag:
		r.start(t)
	case parse.EndTag:
		r.end(t)
	}
}

// words adds text, with its white space collapsed.
func (r *pageReader) words(s string) {
	if r.inTitle {
		r.title.WriteString(s)
		return
	}
	if r.depth > 0 && !r.inCell {
		return // white space between cells, and what does not belong there
	}
	for _, c := range s {
		if c != '\u00A0' && unicode.IsSpace(c) {
			r.space = true
			continue
		}
		if r.text.Len() >= sheet.MaxText {
			return
		}
		if r.space && r.text.Len() > 0 && !strings.HasSuffix(r.text.String()[max(0, r.text.Len()-1):], "\n") {
			r.text.WriteByte(' ')
		}
		r.space = false
		r.text.WriteRune(c)
	}
}

func (r *pageReader) start(t *parse.Token) {
	switch t.Atom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template:
		r.silent = t.Atom
	case atom.Title:
		r.inTitle = true
	case atom.Table:
		if r.inCell { // a table in a cell is text of it
			r.depth++
			return
		}
		r.line()
		r.endTable()
		r.depth = 1
	case atom.Tr:
		if r.depth == 1 {
			r.endRow()
			r.row, r.column = r.next, 0
			r.next++
			if hiddenStyle(t.Attr) && len(r.t.hidden) < maxExtras {
				r.t.hidden = append(r.t.hidden, sheet.Span{First: r.row, Last: r.row})
			}
		} else {
			r.newline()
		}
	case atom.Td, atom.Th:
		if r.depth > 1 {
			r.space = true
			return
		}
		r.endCell()
		if r.depth == 0 { // a row without a table
			r.line()
			r.depth = 1
		}
		if r.row == 0 {
			r.row, r.column = r.next, 0
			r.next++
		}
		r.inCell, r.attr = true, attributes(t.Attr)
	case atom.A:
		r.link = attribute(t.Attr, "href")
	case atom.Br:
		r.newline()
	case atom.P, atom.Div, atom.Li, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Caption:
		r.newline()
	}
}

func (r *pageReader) end(t *parse.Token) {
	switch t.Atom {
	case atom.Title:
		r.inTitle = false
	case atom.Table:
		if r.depth > 1 {
			r.depth--
			r.newline()
			return
		}
		r.endTable()
	case atom.Tr:
		if r.depth == 1 {
			r.endRow()
		}
	case atom.Td, atom.Th:
		if r.depth == 1 {
			r.endCell()
		}
	case atom.P, atom.Div, atom.Li, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Caption:
		r.newline()
	}
}

// newline begins a line in a cell, or a row outside of tables.
func (r *pageReader) newline() {
	r.space = false
	switch {
	case !r.inCell && r.depth == 0:
		r.line()
	case r.inCell && r.text.Len() > 0 && r.text.Len() < sheet.MaxText:
		r.text.WriteByte('\n')
	}
}

// line ends a line of text outside of tables: it is a row.
func (r *pageReader) line() {
	if text := r.take(); text != "" && r.b.room(r.count) {
		r.t.add(r.next, cell{content: sheet.Text, text: text})
		r.next++
	}
}

// take returns the collected text and empties the collection.
func (r *pageReader) take() string {
	s := strings.TrimSpace(r.text.String())
	r.text.Reset()
	r.space = false
	return s
}

func (r *pageReader) endTable() {
	if r.depth == 0 {
		return
	}
	r.endRow()
	r.depth = 0
	r.taken = nil
}

func (r *pageReader) endRow() {
	r.endCell()
	r.row = 0
}

// endCell puts the cell where the cells to its left and above it leave room.
func (r *pageReader) endCell() {
	if !r.inCell {
		return
	}
	r.inCell, r.depth = false, 1
	text, a := r.take(), r.attr
	link := r.link
	r.link = ""
	for r.column < len(r.taken) && r.taken[r.column].until >= r.row {
		r.column++
	}
	column := r.column
	r.column += a.columns
	if column >= sheet.MaxColumns {
		return
	}
	last := min(column+a.columns, sheet.MaxColumns) - 1
	if a.rows > 1 {
		for len(r.taken) <= last {
			r.taken = append(r.taken, taken{})
		}
		for c := column; c <= last; c++ {
			r.taken[c].until = r.row + a.rows - 1
		}
	}
	merged := sheet.Range{Top: r.row, Left: column, Bottom: min(r.row+a.rows-1, sheet.MaxRows), Right: last}
	if a.rows*a.columns > 1 && len(r.t.merged) < maxExtras {
		r.t.merged = append(r.t.merged, merged)
	}
	c := cell{column: int32(column), formula: a.formula}
	switch number, err := strconv.ParseFloat(a.number, 64); {
	case a.number != "" && err == nil && !math.IsInf(number, 0) && !math.IsNaN(number) && !a.isText:
		c.content, c.number, c.display = sheet.Number, number, text
	case text != "":
		c.content, c.text = sheet.Text, text
	default:
		return
	}
	if !r.b.room(r.count) {
		return
	}
	r.t.add(r.row, c)
	if link != "" && len(r.t.links) < maxExtras {
		at := sheet.Range{Top: r.row, Left: column, Bottom: r.row, Right: column}
		r.t.links = append(r.t.links, sheet.Link{Range: at, Target: link})
	}
}

func attribute(attrs []html.Attribute, key string) string {
	for _, a := range attrs {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// attributes reads those of a cell. The names with x: are Excel's.
func attributes(attrs []html.Attribute) cellAttributes {
	c := cellAttributes{columns: 1, rows: 1}
	for _, a := range attrs {
		switch a.Key {
		case "colspan":
			c.columns = span(a.Val)
		case "rowspan":
			c.rows = span(a.Val)
		case "x:num":
			c.number = strings.TrimSpace(a.Val)
		case "x:str":
			c.isText = true
		case "x:fmla":
			c.formula = strings.TrimPrefix(strings.TrimSpace(a.Val), "=")
		}
	}
	return c
}

func span(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return 1
	}
	return min(max(n, 1), maxSpan)
}

// hiddenStyle reports whether an element is not displayed.
func hiddenStyle(attrs []html.Attribute) bool {
	style := strings.ToLower(strings.ReplaceAll(attribute(attrs, "style"), " ", ""))
	return strings.Contains(style, "display:none")
}
