package cmd

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

// envelope is the document that a call or a command prints.
type envelope struct {
	OK       bool            `json:"ok"`
	Data     json.RawMessage `json:"data,omitempty"`
	Error    *failure        `json:"error,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
}

// failure is a fault in the caller's language.
type failure struct {
	Code      fault.Code `json:"code"`
	Message   string     `json:"message"`
	Hint      string     `json:"hint,omitempty"`
	Retryable bool       `json:"retryable"`
	Details   any        `json:"details,omitempty"`
}

func failureOf(e *fault.Error, lang fault.Lang) *failure {
	f := &failure{
		Code: e.Code, Message: e.Message.In(lang), Hint: e.Hint.In(lang), Retryable: e.Code.Retryable(), Details: e.Details,
	}
	if localized, ok := e.Details.(interface{ In(fault.Lang) any }); ok {
		f.Details = localized.In(lang)
	}
	return f
}

func envelopeOf(o guard.Outcome, lang fault.Lang) envelope {
	e := envelope{OK: o.Err == nil, Data: o.JSON}
	if long, ok := o.Result.(schema.Streamer); ok {
		data, err := schema.Marshal(long)
		if err != nil {
			return envelopeOf(guard.Outcome{Err: fault.As(err), Warnings: o.Warnings}, lang)
		}
		e.Data = data
	}
	if o.Err != nil {
		e.Error = failureOf(o.Err, lang)
	}
	e.Warnings = warningsOf(o.Warnings, lang)
	return e
}

func warningsOf(all []fault.Text, lang fault.Lang) []string {
	var warnings []string
	for _, w := range all {
		warnings = append(warnings, w.In(lang))
	}
	return warnings
}

// textOf returns an outcome as people and models read it, in colour if paint says
// so. t is nil for an outcome that is not a tool's.
func textOf(t *tool.Tool, o guard.Outcome, lang fault.Lang, paint screen.Paint) string {
	var b strings.Builder
	for _, w := range o.Warnings {
		b.WriteString(fault.T("warning: %s\n", "警告：%s\n", w).In(lang))
	}
	switch {
	case o.Err != nil:
	case t != nil:
		if before, ok := o.Result.(*approval.Outcome); ok {
			b.WriteString(before.Text.In(lang))
			return b.String()
		}
		b.WriteString(t.Text(o.Result, screen.View{Paint: paint, Lang: lang}))
		return b.String()
	default:
		return b.String()
	}
	f := failureOf(o.Err, lang)
	b.WriteString(fault.T("error: %s (%s)\n", "错误：%s（%s）\n", f.Message, string(f.Code)).In(lang))
	if f.Hint != "" {
		b.WriteString(fault.T("hint: %s\n", "提示：%s\n", f.Hint).In(lang))
	}
	if _, said := o.Err.Details.(fault.Worded); f.Details != nil && !said {
		if details, err := schema.Marshal(f.Details); err == nil {
			b.WriteString(fault.T("details: %s\n", "详情：%s\n", string(screen.JSON(details))).In(lang))
		}
	}
	return b.String()
}
