// Package envelope formats the outcome of a call for its caller: a JSON document, and
// text for people and models. It prints nothing.
package envelope

import (
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Envelope is the document that a call or a command prints.
type Envelope struct {
	OK       bool            `json:"ok"`
	Data     json.RawMessage `json:"data,omitempty"`
	Error    *Failure        `json:"error,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	Helve    *Own            `json:"helve,omitempty"` // of a tool in another form
}

// Own is the outcome of a call in our form, beside that in the form of another system.
type Own struct {
	Data  json.RawMessage `json:"data,omitempty"`
	Error *Failure        `json:"error,omitempty"`
}

// Failure is a fault in the caller's language.
type Failure struct {
	Code      fault.Code `json:"code"`
	Message   string     `json:"message"`
	Hint      string     `json:"hint,omitempty"`
	Retryable bool       `json:"retryable"`
	Details   any        `json:"details,omitempty"`
}

// FailureOf returns a fault in a language.
func FailureOf(e *fault.Error, lang fault.Lang) *Failure {
	f := &Failure{
		Code: e.Code, Message: e.Message.In(lang), Hint: e.Hint.In(lang), Retryable: e.Code.Retryable(), Details: e.Details,
	}
	if localized, ok := e.Details.(interface{ In(fault.Lang) any }); ok {
		f.Details = localized.In(lang)
	}
	return f
}

// Of returns the document of an outcome, in a language.
func Of(o guard.Outcome, lang fault.Lang) Envelope {
	e := Envelope{OK: o.Err == nil, Data: o.JSON}
	if long, ok := o.Result.(schema.Streamer); ok {
		data, err := schema.Marshal(long)
		if err != nil {
			return Of(guard.Outcome{Err: fault.As(err), Warnings: o.Warnings, Known: o.Known}, lang)
		}
		e.Data = data
	}
	if o.Err != nil {
		e.Error = FailureOf(o.Err, lang)
	}
	e.Warnings = Warnings(o.Warned(), lang)
	if o.Said != nil {
		e.say(o.Said, lang)
	}
	return e
}

// say puts the outcome in another form in the place of ours, and keeps ours beside it.
func (e *Envelope) say(said *tool.Said, lang fault.Lang) {
	e.Helve = &Own{e.Data, e.Error}
	if e.Error == nil || said.AsResult {
		e.Data, e.Error = said.Data(lang), nil
		return
	}
	e.Error = &Failure{Code: e.Error.Code, Message: said.Text(lang), Retryable: e.Error.Retryable}
}

// Warnings returns warnings in a language; nil if there are none.
func Warnings(all []fault.Text, lang fault.Lang) []string {
	var warnings []string
	for _, w := range all {
		warnings = append(warnings, w.In(lang))
	}
	return warnings
}

// Text returns an outcome as people and models read it, in the language and colours of
// a view. t is nil for an outcome that is not a tool's.
func Text(t *tool.Tool, o guard.Outcome, view screen.View) string {
	if o.Said != nil {
		return o.Said.Text(view.Lang)
	}
	var b strings.Builder
	lang := view.Lang
	for _, w := range o.Warnings {
		b.WriteString(fault.T("warning: %s\n", w).In(lang))
	}
	switch {
	case o.Err != nil:
	case t != nil:
		if before, ok := o.Result.(*approval.Outcome); ok {
			b.WriteString(before.Text.In(lang))
			return b.String()
		}
		b.WriteString(t.Text(o.Result, view))
		return b.String()
	default:
		return b.String()
	}
	f := FailureOf(o.Err, lang)
	b.WriteString(fault.T("error: %s (%s)\n", f.Message, string(f.Code)).In(lang))
	if f.Hint != "" {
		b.WriteString(fault.T("hint: %s\n", f.Hint).In(lang))
	}
	if details := detailsText(o.Err.Details, f.Details, lang); details != "" {
		b.WriteString(fault.T("details: %s\n", details).In(lang))
	}
	return b.String()
}

// detailsText returns the details of a fault as a text shows them, or "". localized are
// the same in a language.
func detailsText(details, localized any, lang fault.Lang) string {
	switch d := details.(type) {
	case nil, fault.Worded:
		return ""
	case fault.Shown:
		return strings.TrimSuffix(d.Shown().In(lang), "\n")
	}
	text, err := schema.Marshal(localized)
	if err != nil {
		return ""
	}
	return string(screen.JSON(text))
}
