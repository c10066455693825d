// Package diagnostic reads what compilers, linters and type checkers print, and says which
// of their diagnostics a change added. It runs nothing and opens nothing.
package diagnostic

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/tool"
)

// Diagnostic is a fault that a checker found. Its file is as the checker names it.
type Diagnostic struct {
	tool.Diagnostic
	Warning bool `json:"warning,omitempty"` // of little weight: neither an error nor unknown
}

const (
	// most limits the diagnostics of one output.
	most = 5000
	// messageLines and messageBytes limit a message.
	messageLines = 3
	messageBytes = 600
)

// Parse returns the diagnostics in what a program printed: JSON, SARIF or text. source names
// it where the output does not.
func Parse(output []byte, source string) []Diagnostic {
	text := bytes.TrimSpace(output)
	all := parseJSON(text)
	if all == nil {
		all = parseText(string(text))
	}
	for i := range all {
		d := &all[i]
		d.Message, d.Source = brief(d.Message), cmp.Or(d.Source, source)
		d.File = filepath.ToSlash(strings.TrimPrefix(d.File, "file://"))
	}
	return slices.CompactFunc(all, func(a, b Diagnostic) bool { return a == b })
}

// brief returns a message in the size that a result shows.
func brief(message string) string {
	lines := strings.Split(strings.TrimSpace(message), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	message = strings.ToValidUTF8(strings.Join(lines[:min(len(lines), messageLines)], "\n"), "�")
	if len(message) <= messageBytes {
		return message
	}
	end := messageBytes
	for !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end] + "…"
}
