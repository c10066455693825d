package listing

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// printable quotes a name that would break out of its line or drive a terminal.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return strconv.Quote(name)
	}
	return name
}

func plural(more int) string { return fmt.Sprintf("(%d more; raise limit to see them)", more) }
