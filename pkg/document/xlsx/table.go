package xlsx

import (
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// maxTables limits the tables of one sheet that are read.
const maxTables = sheet.MaxExtras

// tables reads the tables of a sheet (18.5.1.2). Damaged ones are left out.
func (b *Book) tables(index int) (all []sheet.Table) {
	if known, ok := b.tablesOf[index]; ok {
		return known
	}
	for _, part := range b.related(index, "table") {
		if len(all) == maxTables {
			break
		}
		if t, ok := b.readTable(part); ok {
			all = append(all, t)
		}
	}
	if b.tablesOf == nil {
		b.tablesOf = map[int][]sheet.Table{}
	}
	b.tablesOf[index] = all
	return all
}

func (b *Book) readTable(part string) (t sheet.Table, ok bool) {
	s, closer, err := b.scan(part)
	if err != nil {
		return t, false
	}
	defer closer.Close()
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		if kind != xmlscan.Start {
			continue
		}
		switch s.Local() {
		case "table":
			if t.Name = clip(s.String("displayName"), maxName); t.Name == "" {
				t.Name = clip(s.String("name"), maxName)
			}
			t.Range, ok = sheet.ParseRange(s.String("ref"))
			t.Headers, t.Totals = 1, 0
			if n, has := s.Int("headerRowCount"); has && n == 0 {
				t.Headers = 0
			}
			if n, has := s.Int("totalsRowCount"); has && n > 0 {
				t.Totals = 1
			}
		case "tableColumn":
			if len(t.Columns) < maxCol {
				t.Columns = append(t.Columns, string(unescape([]byte(clip(s.String("name"), maxName)))))
			}
		}
	}
	return t, ok && t.Name != ""
}
