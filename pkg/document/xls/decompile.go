package xls

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
)

// Tokens of formulas (MS-XLS 2.5.198). Those from ptgArray on have three classes, of which
// these numbers are the first.
const (
	ptgExp       = 0x01
	ptgTbl       = 0x02
	ptgAdd       = 0x03 // the first of the binary operators
	ptgUPlus     = 0x12
	ptgUMinus    = 0x13
	ptgPercent   = 0x14
	ptgParen     = 0x15
	ptgMissArg   = 0x16 // an argument that is left out
	ptgStr       = 0x17
	ptgElf       = 0x18 // of natural language formulas: their meaning follows
	ptgAttr      = 0x19
	ptgErr       = 0x1C
	ptgBool      = 0x1D
	ptgInt       = 0x1E
	ptgNum       = 0x1F
	ptgArray     = 0x20
	ptgFunc      = 0x21
	ptgFuncVar   = 0x22
	ptgName      = 0x23
	ptgRef       = 0x24
	ptgArea      = 0x25
	ptgMemArea   = 0x26
	ptgMemErr    = 0x27
	ptgMemNoMem  = 0x28
	ptgMemFunc   = 0x29
	ptgRefErr    = 0x2A
	ptgAreaErr   = 0x2B
	ptgRefN      = 0x2C
	ptgAreaN     = 0x2D
	ptgMemAreaN  = 0x2E
	ptgMemNoMemN = 0x2F
	ptgNameX     = 0x39
	ptgRef3d     = 0x3A
	ptgArea3d    = 0x3B
	ptgRefErr3d  = 0x3C
	ptgAreaErr3d = 0x3D
)

// Flags of ptgAttr: a table of jumps, and a sum.
const (
	attrChoose = 0x04
	attrSum    = 0x10
)

// Types of the constants in an array (SerAr in MS-XLS).
const (
	serNum  = 0x01
	serStr  = 0x02
	serBool = 0x04
	serErr  = 0x10
)

// Limits of a formula: Excel's own are 8,192 characters.
const (
	maxFormula = 32 << 10
	maxTokens  = 16 << 10
)

// decompiler turns the tokens of a formula, which are in reverse Polish notation, into
// text. Parentheses have tokens of their own, so that no precedence is looked at.
type decompiler struct {
	b           *Book
	row, column int // the cell, from 0: references may be relative to it

	data   []byte // tokens that are left
	rest   []byte // constants of arrays that are left
	stack  []string
	size   int // of the texts on the stack
	failed bool
}

// decompile returns the text of a formula without "=". It reports false for one that
// it does not understand.
func (f *decompiler) decompile(parsed, rest []byte) (string, bool) {
	f.data, f.rest = parsed, rest
	for n := 0; len(f.data) > 0 && !f.failed && f.size <= maxFormula; n++ {
		if n > maxTokens {
			return "", false
		}
		id := f.data[0]
		f.data = f.data[1:]
		if id >= ptgArray {
			id = id&0x1F | ptgArray // the class of the operand does not matter here
		}
		f.token(id)
	}
	if f.failed || len(f.stack) != 1 || f.size > maxFormula {
		return "", false
	}
	return f.stack[0], true
}

func (f *decompiler) push(s string) {
	f.stack = append(f.stack, s)
	f.size += len(s)
}

func (f *decompiler) pop() string {
	if len(f.stack) == 0 {
		f.failed = true
		return ""
	}
	s := f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	f.size -= len(s)
	return s
}

// take returns the next n bytes of the tokens.
func (f *decompiler) take(n int) []byte {
	if len(f.data) < n {
		f.failed = true
		f.data = nil
		return make([]byte, n)
	}
	d := f.data[:n]
	f.data = f.data[n:]
	return d
}

// operators are the binary operators, from ptgAdd on.
var operators = [...]string{"+", "-", "*", "/", "^", "&", "<", "<=", "=", ">=", ">", "<>", " ", ",", ":"}

// token reads one token.
func (f *decompiler) token(id byte) {
	v8 := f.b.version == 8
	switch id {
	case ptgUPlus:
		f.push("+" + f.pop())
	case ptgUMinus:
		f.push("-" + f.pop())
	case ptgPercent:
		f.push(f.pop() + "%")
	case ptgParen:
		f.push("(" + f.pop() + ")")
	case ptgMissArg:
		f.push("")
	case ptgStr:
		f.push(f.quoted(&f.data, 1))
	case ptgElf:
		f.take(5)
	case ptgAttr:
		f.attribute()
	case ptgErr:
		f.push(sheet.ErrorName(f.take(1)[0]))
	case ptgBool:
		f.push(truth(f.take(1)[0]))
	case ptgInt:
		f.push(strconv.Itoa(le16(f.take(2))))
	case ptgNum:
		f.push(string(numfmt.AppendExact(nil, float(f.take(8)))))
	case ptgArray:
		f.take(7)
		f.array()
	case ptgFunc:
		f.function(f.number(), -1)
	case ptgFuncVar:
		count := int(f.take(1)[0] & 0x7F)
		f.function(f.number()&0x7FFF, count)
	case ptgName:
		f.name()
	case ptgRef, ptgRefN:
		f.push(f.reference(id == ptgRefN))
	case ptgArea, ptgAreaN:
		f.push(f.area(id == ptgAreaN))
	case ptgMemArea, ptgMemErr, ptgMemNoMem: // the value of what follows
		f.take(6)
	case ptgMemFunc, ptgMemAreaN, ptgMemNoMemN:
		f.take(2)
	case ptgRefErr:
		f.take(pick(v8, 4, 3))
		f.push("#REF!")
	case ptgAreaErr:
		f.take(pick(v8, 8, 6))
		f.push("#REF!")
	case ptgNameX:
		f.foreignName()
	case ptgRef3d:
		prefix := f.sheets()
		f.push(prefix + f.reference(false))
	case ptgArea3d:
		prefix := f.sheets()
		f.push(prefix + f.area(false))
	case ptgRefErr3d:
		prefix := f.sheets()
		f.take(pick(v8, 4, 3))
		f.push(prefix + "#REF!")
	case ptgAreaErr3d:
		prefix := f.sheets()
		f.take(pick(v8, 8, 6))
		f.push(prefix + "#REF!")
	default:
		if at := int(id) - ptgAdd; at >= 0 && at < len(operators) {
			right := f.pop()
			f.push(f.pop() + operators[at] + right)
			return
		}
		f.failed = true
	}
}

func pick(yes bool, a, b int) int {
	if yes {
		return a
	}
	return b
}

func truth(b byte) string {
	if b != 0 {
		return "TRUE"
	}
	return "FALSE"
}

// number reads the number of a function.
func (f *decompiler) number() int {
	if f.b.version <= 3 {
		return int(f.take(1)[0])
	}
	return le16(f.take(2))
}

// function applies a function to count arguments; -1 means as many as it always has.
func (f *decompiler) function(number, count int) {
	const external = 255 // the first argument is the function's name
	fn, ok := functionNumbered(number)
	name := fn.name
	switch {
	case number == external:
	case !ok:
		f.failed = true
		return
	case count < 0:
		count = int(fn.args)
	}
	if count < 0 || count > len(f.stack) || number == external && count == 0 {
		f.failed = true
		return
	}
	args := make([]string, count)
	for i := count - 1; i >= 0; i-- {
		args[i] = f.pop()
	}
	if number == external {
		name, args = strings.TrimPrefix(args[0], "_xlfn."), args[1:]
	}
	f.push(name + "(" + strings.Join(args, ",") + ")")
}

// attribute reads ptgAttr, which mostly holds hints for calculation or the white space of
// the formula.
func (f *decompiler) attribute() {
	kind := f.take(1)[0]
	var value int
	if f.b.version == 2 {
		value = int(f.take(1)[0])
	} else {
		value = le16(f.take(2))
	}
	switch {
	case kind&attrChoose != 0:
		f.take((value + 1) * pick(f.b.version == 2, 1, 2))
	case kind&attrSum != 0:
		f.push("SUM(" + f.pop() + ")")
	}
}

// quoted reads a text in d whose length has size bytes.
func (f *decompiler) quoted(d *[]byte, size int) string {
	if len(*d) < size {
		f.failed = true
		return ""
	}
	count := int((*d)[0])
	if size == 2 {
		count = le16(*d)
	}
	s, rest := f.b.nameOf((*d)[size:], count)
	*d = rest
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// array reads the constants of an array, which follow all tokens (MS-XLS 2.5.198.8).
func (f *decompiler) array() {
	if len(f.rest) < 3 {
		f.failed = true
		return
	}
	columns, rows := int(f.rest[0]), le16(f.rest[1:])
	if f.b.version == 8 {
		columns, rows = columns+1, rows+1
	} else if columns == 0 {
		columns = 256
	}
	f.rest = f.rest[3:]
	var b strings.Builder
	b.WriteByte('{')
	for r := 0; r < rows && !f.failed; r++ {
		for c := 0; c < columns && !f.failed; c++ {
			switch {
			case c > 0:
				b.WriteByte(',')
			case r > 0:
				b.WriteByte(';')
			}
			b.WriteString(f.constant())
			f.failed = f.failed || b.Len() > maxFormula
		}
	}
	b.WriteByte('}')
	f.push(b.String())
}

// constant reads one value of an array.
func (f *decompiler) constant() string {
	if len(f.rest) < 2 {
		f.failed = true
		return ""
	}
	kind := f.rest[0]
	f.rest = f.rest[1:]
	if kind == serStr {
		return f.quoted(&f.rest, pick(f.b.version == 8, 2, 1))
	}
	if len(f.rest) < 8 {
		f.failed = true
		return ""
	}
	d := f.rest[:8]
	f.rest = f.rest[8:]
	switch kind {
	case serNum:
		return string(numfmt.AppendExact(nil, float(d)))
	case serBool:
		return truth(d[0])
	case serErr:
		return sheet.ErrorName(d[0])
	}
	return ""
}

// reference reads a cell. An offset is from the formula's own cell.
func (f *decompiler) reference(offset bool) string {
	var row, column int
	if f.b.version == 8 {
		row, column = le16(f.take(2)), le16(f.take(2))
	} else {
		row, column = f.oldPlace(le16(f.take(2)), int(f.take(1)[0]))
	}
	return f.cell(row, column, offset)
}

// oldPlace turns a cell before BIFF8, whose row has the flags, into one of BIFF8.
func (f *decompiler) oldPlace(row, column int) (int, int) {
	return row & 0x3FFF, column | row&0xC000
}

// area reads a range of cells.
func (f *decompiler) area(offset bool) string {
	var row1, row2, column1, column2 int
	row1, row2 = le16(f.take(2)), le16(f.take(2))
	last := sheetRows - 1
	if f.b.version == 8 {
		column1, column2 = le16(f.take(2)), le16(f.take(2))
	} else {
		row1, column1 = f.oldPlace(row1, int(f.take(1)[0]))
		row2, column2 = f.oldPlace(row2, int(f.take(1)[0]))
		last = 0x3FFF
	}
	switch {
	case !offset && row1 == 0 && row2 == last:
		return columnPart(column1&0xFF, column1) + ":" + columnPart(column2&0xFF, column2)
	case !offset && column1&0xFF == 0 && column2&0xFF == sheetColumns-1:
		return rowPart(row1, column1) + ":" + rowPart(row2, column2)
	}
	return f.cell(row1, column1, offset) + ":" + f.cell(row2, column2, offset)
}

const (
	relativeColumn = 0x4000
	relativeRow    = 0x8000
)

// cell writes a reference. The flags are in the upper bits of the column.
func (f *decompiler) cell(row, flags int, offset bool) string {
	column := flags & 0xFF
	if offset {
		rows := sheetRows
		if f.b.version < 8 {
			rows = 1 << 14
		}
		if flags&relativeRow != 0 {
			row = (row + f.row) % rows
		}
		if flags&relativeColumn != 0 {
			column = (column + f.column) % sheetColumns
		}
	}
	return columnPart(column, flags) + rowPart(row, flags)
}

func columnPart(column, flags int) string {
	if flags&relativeColumn != 0 {
		return sheet.ColumnName(column)
	}
	return "$" + sheet.ColumnName(column)
}

func rowPart(row, flags int) string {
	if flags&relativeRow != 0 {
		return strconv.Itoa(row + 1)
	}
	return "$" + strconv.Itoa(row+1)
}
