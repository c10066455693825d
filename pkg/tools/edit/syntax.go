package edit

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/language"
	"github.com/helve-dev/helve/pkg/files/syntax"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
)

// Syntax says whether the file parsed before the edit and whether it does now.
type Syntax struct {
	Before  string `json:"before"` // ok or error
	After   string `json:"after"`
	Line    int    `json:"line,omitzero"`    // of the first fault now
	Message string `json:"message,omitzero"` // of the parser
}

// checkSyntax parses both texts if it knows the language. If the edit breaks a file
// it warns or, if the call is strict, fails.
func checkSyntax(call *tool.Call, a Args, before, after string) (*Syntax, error) {
	lang := language.Of(a.Path, []byte(before[:min(len(before), text.HeadBytes)]))
	now := syntax.Check(lang, after)
	if !now.Checked {
		return nil, nil
	}
	s := &Syntax{Before: verdict(syntax.Check(lang, before)), After: verdict(now), Line: now.Line, Message: now.Message}
	if s.Before == "error" || s.After == "ok" {
		return s, nil
	}
	if a.Syntax == "strict" {
		return nil, fault.New(fault.BadDocument, fault.T("%s would no longer parse as %s: line %d: %s", a.Path, lang, now.Line, now.Message)).
			WithHint(fault.T("nothing was changed; correct new_text, or leave out syntax=strict")).
			WithDetails(s)
	}
	call.Warn(fault.T("%s no longer parses as %s: line %d: %s", a.Path, lang, now.Line, now.Message))
	return s, nil
}

func verdict(v syntax.Verdict) string {
	if v.OK {
		return "ok"
	}
	return "error"
}
