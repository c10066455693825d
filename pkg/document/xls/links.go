package xls

import "strings"

// maxLinks limits the references to sheets and workbooks that are kept.
const maxLinks = 1 << 14

// links holds the workbooks, sheets and names that formulas refer to.
type links struct {
	books  []supBook
	sheets []sheetsOf // EXTERNSHEET of BIFF8
	old    []oldSheet // EXTERNSHEET before
}

// supBook is this workbook, another one, or the functions of an add-in (MS-XLS
// 2.4.271).
type supBook struct {
	own    bool
	path   string // "" for add-ins
	sheets []string
	names  []string
}

// sheetsOf is a run of sheets of a workbook (MS-XLS 2.5.282).
type sheetsOf struct{ book, first, last int }

// oldSheet is a sheet of this or another workbook before BIFF8.
type oldSheet struct {
	prefix string
	names  []string
}

func (b *Book) readSupBook(d []byte) {
	if len(b.links.books) >= maxLinks || len(d) < 4 {
		return
	}
	const own, addIn = 0x0401, 0x3A01
	count, length := le16(d), le16(d[2:])
	book := supBook{}
	switch length {
	case own:
		book.own = true
	case addIn:
	default:
		var rest []byte
		book.path, rest = short(d[4:], length)
		book.path = fileName(book.path)
		for ; count > 0 && len(rest) > 3; count-- {
			var name string
			name, rest = short(rest[2:], le16(rest))
			book.sheets = append(book.sheets, name)
		}
	}
	b.links.books = append(b.links.books, book)
}

// fileName returns the last part of a path as formulas encode it: with control
// characters between the parts (MS-XLS 2.5.277).
func fileName(path string) string {
	if i := strings.LastIndexAny(path, "\x01\x02\x03\x04\x05\x06\x07\x08\\/"); i >= 0 {
		path = path[i+1:]
	}
	return path
}

func (b *Book) readExternSheet(s *scanner) {
	d := s.data
	if b.version == 8 {
		c := &continued{s: s, data: d}
		count := le16(c.bytes(2))
		for ; count > 0 && !c.cut && len(b.links.sheets) < maxLinks; count-- {
			x := c.bytes(6)
			b.links.sheets = append(b.links.sheets, sheetsOf{le16(x), le16(x[2:]), le16(x[4:])})
		}
		return
	}
	if len(d) < 2 || len(b.links.old) >= maxLinks {
		return
	}
	name := b.narrow(d[1:min(len(d), 1+max(1, int(d[0])))])
	old := oldSheet{}
	switch {
	case strings.HasPrefix(name, "\x03"):
		old.prefix = b.narrow(d[2:min(len(d), 2+int(d[0]))])
	case strings.HasPrefix(name, "\x01"):
		file, of, _ := strings.Cut(fileName(name), "]")
		old.prefix = "[" + strings.TrimPrefix(file, "[") + "]" + of
	}
	b.links.old = append(b.links.old, old)
}

// readExternName reads EXTERNNAME: a name in the workbook, or a function of the
// add-in, that was read before.
func (b *Book) readExternName(d []byte) {
	if len(d) < 7 {
		return
	}
	name, _ := b.nameOf(d[7:], int(d[6]))
	if books := b.links.books; b.version == 8 && len(books) > 0 {
		if book := &books[len(books)-1]; len(book.names) < maxLinks {
			book.names = append(book.names, name)
		}
		return
	}
	if n := len(b.links.old); b.version == 5 && n > 0 && len(b.links.old[n-1].names) < maxLinks {
		b.links.old[n-1].names = append(b.links.old[n-1].names, name)
	}
}

// sheets reads which sheets a reference leads to, and returns them as they stand
// before it: "Sales!", "'Q1 2024:Q4 2024'!", "[Other.xls]Sales!".
func (f *decompiler) sheets() string {
	b := f.b
	if b.version == 8 {
		return f.sheetPrefix(le16(f.take(2)))
	}
	if b.version < 5 {
		f.failed = true
		return ""
	}
	d := f.take(14)
	index, first, last := int(int16(le16(d))), le16(d[10:]), le16(d[12:])
	if index > 0 {
		if index > len(b.links.old) {
			f.failed = true
			return ""
		}
		return quoteSheet(b.links.old[index-1].prefix)
	}
	return ownSheets(b, first, last)
}

// sheetPrefix returns the sheets by their index in EXTERNSHEET.
func (f *decompiler) sheetPrefix(index int) string {
	l := &f.b.links
	if index >= len(l.sheets) || l.sheets[index].book >= len(l.books) {
		f.failed = true
		return ""
	}
	x := l.sheets[index]
	book := l.books[x.book]
	if book.own {
		return ownSheets(f.b, x.first, x.last)
	}
	if x.first >= len(book.sheets) {
		return quoteSheet("[" + book.path + "]")
	}
	name := "[" + book.path + "]" + book.sheets[x.first]
	if x.last > x.first && x.last < len(book.sheets) {
		name += ":" + book.sheets[x.last]
	}
	return quoteSheet(name)
}

// ownSheets returns sheets of this workbook as they stand before a reference. Those
// that were deleted have the number 0xFFFF.
func ownSheets(b *Book, first, last int) string {
	name, ok := b.tabName(first)
	if !ok {
		return "#REF!"
	}
	if end, ok := b.tabName(last); ok && last > first {
		name += ":" + end
	}
	return quoteSheet(name)
}

// tabName returns the name of a sheet by its number in the file.
func (b *Book) tabName(tab int) (string, bool) {
	if tab >= len(b.tabs) || b.tabs[tab] < 0 || b.tabs[tab] >= len(b.sheets) {
		return "", false
	}
	return b.sheets[b.tabs[tab]].Name, true
}

// quoteSheet returns a sheet's name with what must be around it before a reference.
func quoteSheet(name string) string {
	for i, r := range name {
		plain := r == '_' || r == '[' || r == ']' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x7F || i > 0 && (r == '.' || r >= '0' && r <= '9')
		if !plain {
			return "'" + strings.ReplaceAll(name, "'", "''") + "'!"
		}
	}
	return name + "!"
}

// foreignName reads PtgNameX: a name in another workbook or sheet, or a function of an
// add-in.
func (f *decompiler) foreignName() {
	l := &f.b.links
	if f.b.version < 8 {
		d := f.take(24)
		book, index := int(int16(le16(d))), le16(d[10:])
		if book > 0 && book <= len(l.old) && index >= 1 && index <= len(l.old[book-1].names) {
			f.push(l.old[book-1].names[index-1])
			return
		}
		f.pushName(index)
		return
	}
	d := f.take(6)
	ref, index := le16(d), le16(d[2:])
	if ref >= len(l.sheets) || l.sheets[ref].book >= len(l.books) {
		f.failed = true
		return
	}
	book := l.books[l.sheets[ref].book]
	switch {
	case book.own:
		f.pushName(index)
	case index < 1 || index > len(book.names):
		f.failed = true
	case book.path == "":
		f.push(book.names[index-1])
	default:
		f.push(quoteSheet("["+book.path+"]") + book.names[index-1])
	}
}
