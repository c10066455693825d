package sheet

import "testing"

func TestParseRange(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Range
		out  string
	}{
		{"A1", Range{1, 0, 1, 0}, "A1"},
		{"$B$2:f40", Range{2, 1, 40, 5}, "B2:F40"},
		{"F40:B2", Range{2, 1, 40, 5}, "B2:F40"},
		{"B:D", Range{1, 1, MaxRows, 3}, "B:D"},
		{"$B:$B", Range{1, 1, MaxRows, 1}, "B:B"},
		{"5:20", Range{5, 0, 20, MaxColumns - 1}, "5:20"},
		{"5-20", Range{5, 0, 20, MaxColumns - 1}, "5:20"},
		{"5", Range{5, 0, 5, MaxColumns - 1}, "5:5"},
		{"XFD1048576", Range{MaxRows, MaxColumns - 1, MaxRows, MaxColumns - 1}, "XFD1048576"},
		{"AA12", Range{12, 26, 12, 26}, "AA12"},
	} {
		got, ok := ParseRange(c.in)
		if !ok || got != c.want || got.String() != c.out {
			t.Errorf("%q is %v, %v, shown as %q", c.in, got, ok, got)
		}
	}
	for _, in := range []string{"", "B", "XFE1", "A1048577", "A0", "A1:", "A1:B", "A:5", "1A", "A1:B2:C3", "$", "A$", "A 1", "Sales!A1", "-", "99999999999999999999"} {
		if got, ok := ParseRange(in); ok {
			t.Errorf("%q is %v", in, got)
		}
	}
}

func TestRange(t *testing.T) {
	a, b := Range{1, 0, 4, 3}, Range{3, 2, 9, 9}
	if got := a.Clip(b); got != (Range{3, 2, 4, 3}) {
		t.Errorf("in common: %v", got)
	}
	if got := a.Union(b); got != (Range{1, 0, 9, 9}) {
		t.Errorf("together: %v", got)
	}
	if got := a.Clip(Range{5, 0, 6, 3}); got != (Range{}) {
		t.Errorf("nothing in common: %v", got)
	}
	if got := a.Union(Range{}); got != a {
		t.Errorf("with none: %v", got)
	}
	if a.Rows() != 4 || a.Columns() != 4 || (Range{}).Rows() != 0 || (Range{}).Columns() != 0 {
		t.Error("wrong sizes")
	}
	if !a.Contains(Address{4, 3}) || a.Contains(Address{5, 3}) || a.Contains(Address{4, 4}) {
		t.Error("wrong edges")
	}
	for _, name := range []string{"A1", "Z9", "AA10", "XFD1048576"} {
		at, ok := ParseAddress(name)
		if !ok || at.String() != name {
			t.Errorf("%q is %v, %v", name, at, ok)
		}
	}
}

// TestQuote: whatever a sheet is called, a reference to it is read back, also in a list.
func TestQuote(t *testing.T) {
	for _, name := range []string{"Sales", "It's", "''", "A1", "B:C", "5", "2", "a,b", "x!y", "x!y'z", " lead", "日本", "1.5", "a.b", "R1C1", "[x]", "a;b", "-", "'"} {
		book := &grid{sheets: []gridSheet{numbered("First", 1, 1), numbered(name, 1, 1), numbered("lead", 1, 1)}}
		at := part{1, Range{2, 1, 3, 4}}
		v := &view{sheets: book.Sheets()}
		reference := v.reference(at)
		got, err := resolve(t.Context(), book, "", "First!A1,"+reference+",First!B2")
		if err != nil || len(got) != 3 || got[1] != at {
			t.Errorf("%q: %q is %+v, %v", name, reference, got, err)
		}
	}
	book := &grid{sheets: []gridSheet{numbered("It's", 1, 1)}}
	if got, err := resolve(t.Context(), book, "", "It's!A1,It's!B2"); err != nil || len(got) != 2 {
		t.Errorf("without quotes: %+v, %v", got, err)
	}
}
