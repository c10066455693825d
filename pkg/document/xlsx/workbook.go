package xlsx

import (
	"path"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of what a workbook may list.
const (
	maxSheets = 10_000
	maxNames  = 50_000
	// maxFormula limits the bytes of a formula that are read. Excel takes 8,192 characters.
	maxFormula = 32 << 10
	// maxName is the same for a name; Excel takes 255 characters.
	maxName = 1 << 10
)

// readWorkbook reads the main part (18.2). What was read before an error is used.
func (b *Book) readWorkbook() error {
	s, closer, err := b.scan(b.pkg.Main())
	if err != nil {
		return err
	}
	defer closer.Close()
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		if kind != xmlscan.Start {
			continue
		}
		switch s.Local() {
		case "workbookPr":
			b.date1904 = s.Bool("date1904", false)
		case "sheet":
			if s.Parent() == "" || len(b.sheets) >= maxSheets {
				continue
			}
			b.addSheet(s)
		case "definedName":
			if len(b.names) < maxNames {
				b.addName(s)
			}
		case "pivotCaches", "extLst":
			s.Skip()
		}
	}
	return s.Err()
}

// addSheet notes a sheet (18.2.19) and finds its part.
func (b *Book) addSheet(s *xmlscan.Scanner) {
	e := entry{Sheet: sheet.Sheet{Name: clip(s.String("name"), maxName), State: sheet.Visible, Kind: sheet.Worksheet}}
	switch s.String("state") {
	case "hidden":
		e.State = sheet.Hidden
	case "veryHidden":
		e.State = sheet.VeryHidden
	}
	r, found := b.rels.Get(s.String("r:id"))
	switch {
	case found && !r.External:
		e.part = r.Target
		switch strings.ToLower(r.Type) {
		case "chartsheet":
			e.Kind = sheet.Chartsheet
		case "dialogsheet":
			e.Kind = sheet.Dialog
		case "xlmacrosheet", "xlintlmacrosheet":
			e.Kind = sheet.Macrosheet
		}
	default: // the relations are damaged: take the usual name
		e.part = "xl/worksheets/sheet" + strconv.Itoa(len(b.sheets)+1) + path.Ext(b.pkg.Main())
	}
	if e.Name == "" {
		e.Name = "Sheet" + strconv.Itoa(len(b.sheets)+1)
	}
	b.sheets = append(b.sheets, e)
}

// addName notes a defined name (18.2.5).
func (b *Book) addName(s *xmlscan.Scanner) {
	n := sheet.Name{Name: clip(s.String("name"), maxName), Sheet: -1, Hidden: s.Bool("hidden", false)}
	if i, ok := s.Int("localSheetId"); ok && i >= 0 && i < len(b.sheets) {
		n.Sheet = i
	}
	n.Name = strings.TrimPrefix(n.Name, "_xlnm.") // such as Print_Area
	if strings.HasPrefix(n.Name, "_") {
		n.Hidden = true // _FilterDatabase, _xlfn.…
	}
	n.Refers = strings.TrimPrefix(string(s.All(maxFormula)), "=")
	if n.Name != "" && n.Refers != "" {
		b.names = append(b.names, n)
	}
}

// guessSheets lists the sheets by their parts, if the workbook is too damaged to do so.
func (b *Book) guessSheets() {
	for _, part := range b.pkg.Names() {
		if len(b.sheets) < maxSheets && strings.HasPrefix(strings.ToLower(part), "xl/worksheets/") && strings.EqualFold(path.Ext(part), path.Ext(b.pkg.Main())) {
			name := strings.TrimSuffix(path.Base(part), path.Ext(part))
			b.sheets = append(b.sheets, entry{sheet.Sheet{Name: name, State: sheet.Visible, Kind: sheet.Worksheet}, part})
		}
	}
}

// clip cuts a text to so many bytes.
func clip(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "")
	}
	return s
}
