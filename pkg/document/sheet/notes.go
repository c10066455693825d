package sheet

import (
	"bytes"
	"strconv"
	"strings"
)

// notes writes what belongs to the cells that were shown, in at most so many bytes.
func (v *view) notes(k *block, bytes int) {
	w := Window{Range: k.Range}
	if k.full {
		w.Bottom = k.last()
	}
	if k.resume > 0 {
		w.Right = k.resume - 1
	}
	extras, err := v.book.Extras(v.ctx, k.sheet, w)
	if err != nil {
		if k.err == nil {
			k.err = err
		}
		return
	}
	n := &notes{view: v, sheet: k.sheet, left: bytes}
	var facts []string
	facts = append(facts, n.list("Merged", len(extras.Merged), func(i int) string { return extras.Merged[i].cells() }))
	facts = append(facts, n.hidden(append(k.hidden, extras.HiddenRows...), extras.HiddenColumns))
	facts = append(facts, n.list("Tables", len(extras.Tables), func(i int) string {
		return plain(extras.Tables[i].Name) + " " + extras.Tables[i].Range.cells()
	}))
	gaps := k.gaps()
	facts = append(facts, n.list("Columns without content here", len(gaps), func(i int) string { return gaps[i].columns() }))
	n.line(facts)
	if v.query.Image != nil {
		n.line([]string{n.list("Images", len(extras.Pictures), func(i int) string {
			return extras.Pictures[i].Cell.String() + " → " + v.picture(k.sheet, &extras.Pictures[i])
		})})
	}
	n.line([]string{n.list("Links", len(extras.Links), func(i int) string {
		return extras.Links[i].Range.cells() + " → " + plain(extras.Links[i].Target)
	})})
	n.comments(extras.Comments)
	n.charts(extras.Charts)
	if extras.More > 0 {
		n.line([]string{strconv.Itoa(extras.More) + " more merged ranges, notes, links or images are not listed."})
	}
	if extras.Unread {
		n.line([]string{"Merged ranges, links and notes behind the rows shown were not read."})
	}
}

// notes are the lines after a table.
type notes struct {
	*view
	sheet int
	left  int // bytes that may be written
}

// mostItems limits the items of one list of notes.
const mostItems = 100

// mostNote limits the bytes shown of a link, a name or a note.
const mostNote = 1000

// list returns "Merged: A1:C1, B5:B7", at most as much as there is room for.
func (n *notes) list(name string, count int, item func(int) string) string {
	if count == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(name + ": ")
	for i := range count {
		text := ""
		if i < mostItems && b.Len() < n.left {
			text = item(i)
		}
		if text == "" || b.Len()+len(text) > n.left {
			b.WriteString("… and " + strconv.Itoa(count-i) + " more")
			break
		}
		b.WriteString(text)
		if i+1 < count {
			b.WriteString(", ")
		}
	}
	n.left -= b.Len()
	return b.String()
}

// line writes facts on one line.
func (n *notes) line(facts []string) {
	some := facts[:0]
	for _, f := range facts {
		if f != "" {
			some = append(some, f)
		}
	}
	if len(some) > 0 {
		n.out.WriteString(strings.Join(some, " · ") + "\n")
	}
}

func (n *notes) hidden(rows, columns []Span) string {
	total := len(rows) + len(columns)
	return n.list("Hidden", total, func(i int) string {
		if i < len(rows) {
			return rows[i].rows()
		}
		return columns[i-len(rows)].column()
	})
}

func (s Span) rows() string {
	if s.First == s.Last {
		return "row " + strconv.Itoa(s.First)
	}
	return "rows " + strconv.Itoa(s.First) + "–" + strconv.Itoa(s.Last)
}

func (s Span) column() string {
	if s.First == s.Last {
		return "col " + ColumnName(s.First)
	}
	return "cols " + s.columns()
}

func (s Span) columns() string {
	if s.First == s.Last {
		return ColumnName(s.First)
	}
	return ColumnName(s.First) + "–" + ColumnName(s.Last)
}

// comments writes the notes on cells, and the answers to them.
func (n *notes) comments(comments []Comment) {
	if len(comments) == 0 {
		return
	}
	n.out.WriteString("Notes:\n")
	for i := range comments {
		c := &comments[i]
		line := "- " + c.Cell.String()
		if c.Reply {
			line = "  " + line
		}
		if c.Author != "" {
			line += " (" + plain(c.Author) + ")"
		}
		if c.Done {
			line += " [resolved]"
		}
		line += ": " + plain(c.Text) + "\n"
		if n.left -= len(line); i == mostItems || n.left < 0 {
			n.out.WriteString("- … and " + strconv.Itoa(len(comments)-i) + " more\n")
			return
		}
		n.out.WriteString(line)
	}
}

// mostChart limits the rows shown of a chart's data.
const mostChart = 200

// charts writes the data of charts as tables.
func (n *notes) charts(charts []Chart) {
	for i := range charts {
		c := &charts[i]
		head := "\nChart"
		if c.Cell.Row > 0 {
			head += " at " + c.Cell.String()
		}
		if c.Title != "" {
			head += ` "` + plain(c.Title) + `"`
		}
		if c.Type != "" {
			head += " (" + plain(c.Type) + ")"
		}
		if n.left -= len(head) + 1; n.left < 0 {
			n.out.WriteString("\n… and " + strconv.Itoa(len(charts)-i) + " more charts\n")
			return
		}
		n.out.WriteString(head + "\n")
		n.chart(c.Rows)
	}
}

// chart writes a chart's data. Its head is a row.
func (n *notes) chart(rows [][]string) {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	if width == 0 {
		return
	}
	n.out.WriteByte('\n')
	var line bytes.Buffer
	for i, row := range rows {
		line.Reset()
		line.WriteByte('|')
		for j := range width {
			if j < len(row) && row[j] != "" {
				line.WriteString(" " + plain(row[j]))
			}
			line.WriteString(" |")
		}
		line.WriteByte('\n')
		if i == 0 {
			line.WriteString("|" + strings.Repeat("---|", width) + "\n")
		}
		if n.left -= line.Len(); i == mostChart || n.left < 0 {
			n.out.WriteString("… and " + strconv.Itoa(len(rows)-i) + " more rows of the chart\n")
			return
		}
		n.out.Write(line.Bytes())
	}
}

// plain returns text of a file on one line, bounded.
func plain(s string) string {
	if len(s) > mostNote {
		s = strings.ToValidUTF8(s[:mostNote], "") + "…"
	}
	return string(appendCell(nil, []byte(s)))
}
