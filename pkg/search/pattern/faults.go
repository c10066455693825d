package pattern

import (
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// fail returns the error for what is wrong at an offset of the pattern.
func (p *parser) fail(at int, what fault.Text) error { return badPattern(p.text, at, what) }

// unsupported returns the error for syntax that has no counterpart here; instead says
// what to search for.
func (p *parser) unsupported(at int, what, instead fault.Text) error {
	return fault.As(badPattern(p.text, at, what)).WithHint(instead)
}

// badPattern returns the error for what is wrong at an offset of a pattern.
func badPattern(text string, at int, what fault.Text) error {
	at = min(at, len(text))
	return fault.New(fault.InvalidArguments,
		fault.T("pattern, at character %d: %s", utf8.RuneCountInString(text[:at])+1, what)).
		WithHint(fault.T("correct the regular expression, or set literal=true to search for the exact text")).
		WithDetails(map[string]any{"pointer": "/pattern", "offset": at})
}
