package xlsx

import (
	"bytes"
	"math"
	"strconv"
)

// raw is a cell (18.3.1.4) as the part has it.
type raw struct {
	column  int // from 0
	style   int
	of      valueType
	value   []byte // of <v>, or the text of <is>
	isValue bool   // there is one, though it may be empty
	formula []byte
	isShown bool // there is a formula, though it may be empty
	picture int  // vm: the number of the value's metadata, from 1
}

// valueType is the type of a cell's value (18.18.11).
type valueType uint8

const (
	number valueType = iota
	shared
	text // of a formula, or in the cell
	boolean
	failure
	date
)

// typeOf returns the type that an attribute t names. What it does not know is a number, or
// the text that is there instead.
func typeOf(t []byte) valueType {
	switch string(t) {
	case "s":
		return shared
	case "str", "inlineStr":
		return text
	case "b":
		return boolean
	case "e":
		return failure
	case "d":
		return date
	}
	return number
}

// addressOf reads the column of an address such as C7, from 0, and its row.
func addressOf(b []byte) (row, column int, ok bool) {
	i := 0
	for ; i < len(b) && i < 4; i++ {
		c := b[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		column = column*26 + int(c-'A') + 1
	}
	if i == 0 || i == len(b) || column > maxCol || len(b)-i > 7 {
		return 0, 0, false
	}
	for _, c := range b[i:] {
		if c < '0' || c > '9' {
			return 0, 0, false
		}
		row = row*10 + int(c-'0')
	}
	return row, column - 1, row > 0 && row <= maxRow
}

// smallTens are the powers of ten by which a number of fifteen digits can be divided
// without a second rounding.
var smallTens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseNumber reads a number. It reports false for anything else, and for infinity.
func parseNumber(b []byte) (float64, bool) {
	digits, point, i := 0, -1, 0
	mantissa := int64(0)
	if len(b) > 0 && b[0] == '-' {
		i = 1
	}
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			mantissa = mantissa*10 + int64(c-'0')
			digits++
		case c == '.' && point < 0:
			point = digits
		default:
			return parseLong(b)
		}
		if digits > 15 {
			return parseLong(b)
		}
	}
	if digits == 0 {
		return 0, false
	}
	n := float64(mantissa)
	if point >= 0 {
		n /= smallTens[digits-point]
	}
	if b[0] == '-' {
		n = -n
	}
	return n, true
}

// parseLong reads the numbers that need care.
func parseLong(b []byte) (float64, bool) {
	b = bytes.TrimSpace(b)
	for _, c := range b {
		if (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	n, err := strconv.ParseFloat(string(b), 64)
	return n, err == nil && !math.IsInf(n, 0)
}
