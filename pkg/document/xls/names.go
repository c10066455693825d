package xls

import (
	"context"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// name is a defined name.
type name struct {
	name         string
	sheet        int // index; -1 for the whole workbook
	hidden       bool
	parsed, rest []byte
}

// readName reads NAME (MS-XLS 2.4.150).
func (b *Book) readName(d []byte) {
	if len(b.names) >= maxNames {
		return
	}
	n := name{sheet: -1}
	head := 14
	switch b.version {
	case 2:
		head = 5
	case 3, 4:
		head = 6
	}
	if len(d) <= head {
		b.names = append(b.names, n) // formulas count them
		return
	}
	count := int(d[3])
	var size int
	flags := le16(d)
	switch b.version {
	case 2:
		size = int(d[4])
	case 3, 4:
		size = le16(d[4:])
	default:
		size = le16(d[4:])
		if tab := le16(d[8:]); tab > 0 && tab <= len(b.tabs) {
			n.sheet = b.tabs[tab-1]
		}
	}
	var rest []byte
	n.name, rest = b.nameOf(d[head:], count)
	n.hidden = flags&0x01 != 0
	if flags&0x20 != 0 && len(n.name) == 1 {
		n.name = builtinName(n.name[0])
		n.hidden = n.hidden || n.name == "_FilterDatabase"
	}
	size = min(size, len(rest))
	n.parsed = append([]byte(nil), rest[:size]...)
	n.rest = append([]byte(nil), rest[size:]...)
	b.names = append(b.names, n)
}

// builtinName returns a name that files have as a number (MS-XLS 2.5.114).
func builtinName(number byte) string {
	list := [...]string{
		"Consolidate_Area", "Auto_Open", "Auto_Close", "Extract", "Database", "Criteria", "Print_Area", "Print_Titles",
		"Recorder", "Data_Form", "Auto_Activate", "Auto_Deactivate", "Sheet_Title", "_FilterDatabase",
	}
	if int(number) < len(list) {
		return list[number]
	}
	return ""
}

// Names implements [sheet.Book].
func (b *Book) Names(ctx context.Context) ([]sheet.Name, error) {
	var list []sheet.Name
	for i, n := range b.names {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if n.name == "" || n.sheet >= len(b.sheets) {
			continue
		}
		f := decompiler{b: b}
		text, ok := f.decompile(n.parsed, n.rest)
		if !ok {
			continue
		}
		list = append(list, sheet.Name{Name: n.name, Sheet: n.sheet, Refers: text, Hidden: n.hidden})
	}
	return list, nil
}

// name reads PtgName.
func (f *decompiler) name() {
	var index int
	switch f.b.version {
	case 8:
		index = le16(f.take(4))
	case 5:
		index = le16(f.take(14))
	case 2:
		index = le16(f.take(7))
	default:
		index = le16(f.take(10))
	}
	f.pushName(index)
}

// pushName adds a defined name by its number, from 1.
func (f *decompiler) pushName(index int) {
	if index < 1 || index > len(f.b.names) || f.b.names[index-1].name == "" {
		f.failed = true
		return
	}
	f.push(f.b.names[index-1].name)
}
