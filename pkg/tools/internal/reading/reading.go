// Package reading lets a tool that finds web pages read them with another tool: tools do
// not know each other. It reads nothing itself.
package reading

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// Page is the beginning of a page, or why it could not be read.
type Page struct {
	URL        string   `json:"url"`
	Title      string   `json:"title,omitzero"`
	Published  string   `json:"published,omitzero"`
	Untrusted  bool     `json:"untrusted,omitzero"` // of every content: whoever runs the site wrote it
	Content    string   `json:"content,omitzero"`   // Markdown
	TotalChars int      `json:"total_chars,omitzero"`
	NextStart  int      `json:"next_start,omitzero"` // where the rest begins; 0 for a whole page
	SameAs     string   `json:"same_as,omitzero"`    // the address before it that leads to the same page
	Error      *Failure `json:"error,omitzero"`
}

// Failure is why a page was not read.
type Failure struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint,omitzero"`
}

// Budget bounds the content of pages together.
type Budget struct {
	Chars  int // characters
	Tokens int // estimated; 0 is any number
}

// Reader reads pages that no argument of the call names, each as far as the policy allows
// it, with so much content together. The pages come in the order of the addresses. It
// returns an error only for a canceled call.
type Reader func(ctx context.Context, call *tool.Call, addresses []string, most Budget) ([]Page, error)
