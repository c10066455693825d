package limit

import (
	"strconv"
	"strings"
)

// Budgets of the text engine.
const (
	// TextInMemory is the largest file, in bytes, that a read loads as a whole;
	// a larger one is streamed in blocks of TextBlock bytes.
	TextInMemory = 8 << 20
	TextBlock    = 1 << 20
	// TextHead is how much of a file's beginning decides whether it is binary.
	TextHead = 8 << 10
	// TextSample is how much of a file the detection of its encoding looks at.
	TextSample = 256 << 10
	// TextWindows is how many ranges of lines one read may name.
	TextWindows = 32
	// OutlineRanges is how many ranges the outline of a file has at most.
	OutlineRanges = 12
	// DamagedLines is how many of the lines with invalid bytes a page names.
	DamagedLines = 20
	// Unencodable is how many of the characters that an encoding cannot express
	// an error lists.
	Unencodable = 20
)

// Budgets of notebooks.
const (
	// NotebookOutput is how much of one output of a cell is shown, in characters.
	NotebookOutput = 8000
	// NotebookImages is how many images one notebook gives.
	NotebookImages = 50
)

// MoreChars marks, in a text that is shown, the place where a long line was cut;
// n characters follow it in the file.
func MoreChars(n int) string { return "…[" + strconv.Itoa(n) + moreChars }

const moreChars = " more characters]"

// Cut reports whether a line holds what [MoreChars] puts in the place of text.
func Cut(line string) bool {
	for {
		_, rest, ok := strings.Cut(line, "…[")
		if !ok {
			return false
		}
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits > 0 && strings.HasPrefix(rest[digits:], moreChars) {
			return true
		}
		line = rest
	}
}
