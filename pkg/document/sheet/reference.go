package sheet

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// part is a requested piece of a sheet.
type part struct {
	sheet int
	Range
}

// Bounds of what a range may ask for.
const (
	mostParts = 1024 // items of all lists: ranges, and names that stand for ranges
	mostDepth = 4    // names that stand for names
)

// resolver turns what a caller asks for into parts of sheets.
type resolver struct {
	book   Book
	sheets []Sheet
	names  []Name
	named  bool // names were read
	items  int  // that were looked at
	parts  []part
}

// resolve returns the parts that sheet and ranges name: all sheets where both are empty.
func resolve(ctx context.Context, book Book, sheet, ranges string) ([]part, error) {
	r := &resolver{book: book, sheets: book.Sheets()}
	if len(r.sheets) == 0 {
		return nil, fault.New(fault.BadDocument, fault.T("the workbook has no sheets"))
	}
	given := -1
	if strings.TrimSpace(sheet) != "" {
		i, err := r.sheet(sheet)
		if err != nil {
			return nil, err
		}
		given = i
	}
	if strings.TrimSpace(ranges) == "" {
		if given >= 0 {
			return []part{{given, All()}}, nil
		}
		for i := range r.sheets {
			r.parts = append(r.parts, part{i, All()})
		}
		return r.parts, nil
	}
	if given < 0 {
		given = r.first()
	}
	if err := r.list(ctx, ranges, given, 0); err != nil {
		return nil, err
	}
	return r.parts, nil
}

// first returns the sheet that a range without one is of: the first that people see.
func (r *resolver) first() int {
	for i, s := range r.sheets {
		if s.State == Visible && s.Kind == Worksheet {
			return i
		}
	}
	return 0
}

// list adds the parts of a list of ranges. Those without a sheet are of the given one.
func (r *resolver) list(ctx context.Context, list string, sheet, depth int) error {
	before := len(r.parts)
	for _, item := range splitList(list) {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		if r.items++; r.items > mostParts {
			return fault.New(fault.InvalidArguments, fault.T("range names more than %d ranges", mostParts)).
				WithHint(fault.T("read them in several calls"))
		}
		if err := r.item(ctx, item, sheet, depth); err != nil {
			return err
		}
	}
	if len(r.parts) == before {
		return fault.New(fault.InvalidArguments, fault.T("range names no cells")).WithHint(rangeHint())
	}
	return nil
}

func (r *resolver) item(ctx context.Context, item string, sheet, depth int) error {
	name, rest, ok := splitSheet(item)
	if ok {
		i, err := r.sheet(name)
		if err != nil {
			if first, last, found := r.run(name); found {
				return r.each(first, last, rest)
			}
			return err
		}
		sheet = i
		if rest == "" {
			r.parts = append(r.parts, part{sheet, All()})
			return nil
		}
	}
	if cells, ok := ParseRange(rest); ok {
		r.parts = append(r.parts, part{sheet, cells})
		return nil
	}
	return r.name(ctx, rest, sheet, depth)
}

// sheet finds a sheet by its name, in any case, or by its number from 1.
func (r *resolver) sheet(name string) (int, error) {
	for i, s := range r.sheets {
		if s.Name == name {
			return i, nil
		}
	}
	name = strings.TrimSpace(name)
	for i, s := range r.sheets {
		if strings.EqualFold(strings.TrimSpace(s.Name), name) {
			return i, nil
		}
	}
	n := 0
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' || i > 5 {
			n = 0
			break
		}
		n = n*10 + int(name[i]-'0')
	}
	if n >= 1 && n <= len(r.sheets) {
		return n - 1, nil
	}
	return 0, noSheet(name, r.sheets)
}

// run reads "January:March", which names the sheets from one to another.
func (r *resolver) run(name string) (first, last int, ok bool) {
	from, to, ok := strings.Cut(name, ":")
	if !ok {
		return 0, 0, false
	}
	first, err1 := r.sheet(from)
	last, err2 := r.sheet(to)
	return min(first, last), max(first, last), err1 == nil && err2 == nil
}

// each adds the same cells of several sheets: all where none are given.
func (r *resolver) each(first, last int, cells string) error {
	area, ok := ParseRange(cells)
	switch {
	case cells == "":
		area = All()
	case !ok:
		return noRange(cells, nil, r.sheets)
	}
	if len(r.parts)+last-first >= 2*len(r.sheets)+mostParts {
		return fault.New(fault.InvalidArguments, fault.T("range names the same sheets again and again")).
			WithHint(fault.T("read them in several calls"))
	}
	for i := first; i <= last; i++ {
		r.parts = append(r.parts, part{i, area})
	}
	return nil
}

// splitList cuts a list at the commas that are not within quotes or brackets.
func splitList(s string) []string {
	var items []string
	start, depth, quoted := 0, 0, false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' && (quoted || strings.TrimSpace(s[start:i]) == ""):
			quoted = !quoted
		case c == '\'' && s[i-1] == '\'': // the second of two within quotes
			quoted = true
		case quoted:
		case c == '[':
			depth++
		case c == ']' && depth > 0:
			depth--
		case (c == ',' || c == ';') && depth == 0:
			items = append(items, s[start:i])
			start = i + 1
		}
	}
	return append(items, s[start:])
}

// splitSheet cuts "'My Sheet'!A1" and "Sales!A1".
func splitSheet(s string) (sheet, rest string, ok bool) {
	if strings.HasPrefix(s, "'") {
		for i := 1; i < len(s); i++ {
			if s[i] != '\'' {
				continue
			}
			if i+1 < len(s) && s[i+1] == '\'' {
				i++
				continue
			}
			if rest, found := strings.CutPrefix(s[i+1:], "!"); found {
				return strings.ReplaceAll(s[1:i], "''", "'"), strings.TrimSpace(rest), true
			}
			break
		}
	}
	before, _, _ := strings.Cut(s, "[")
	if i := strings.LastIndexByte(before, '!'); i > 0 {
		return s[:i], strings.TrimSpace(s[i+1:]), true
	}
	return "", s, false
}

// quote returns a sheet's name as it stands before "!": in quotes where it needs them.
func quote(name string) string {
	plain := name != ""
	for i, c := range name {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > 0x7f
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '.')) {
			plain = false
		}
	}
	if _, cells := ParseRange(name); plain && !cells {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", "''") + "'"
}

// Quote returns a sheet's name as it stands before "!".
func Quote(name string) string { return quote(name) }

// Find returns the index of the sheet of a name, in any case, or of a number from 1; the
// first one that people see if the name is empty.
func Find(book Book, name string) (int, error) {
	r := &resolver{book: book, sheets: book.Sheets()}
	if strings.TrimSpace(name) == "" {
		return r.first(), nil
	}
	return r.sheet(name)
}

// SplitReference cuts the sheet off a reference such as "'My Sheet'!A1"; sheet is "" if it names none.
func SplitReference(s string) (sheet, cells string) {
	sheet, cells, _ = splitSheet(strings.TrimSpace(s))
	return sheet, cells
}
