// Package fault is the vocabulary of failure: codes, messages in both
// languages, hints and exit statuses. It is not where failures are detected.
package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Error is a failure as the caller sees it. The zero value is not useful; make
// one with [New].
type Error struct {
	Code    Code
	Message Text // what is wrong, starting in lower case
	Hint    Text // what to do next; may be empty
	Details any  // what the next call needs, encoded as JSON; may be nil

	cause error
}

// Worded marks details that message and hint already tell in words, so that a
// rendering as text need not repeat them.
type Worded interface{ Worded() }

// New is a failure of the given kind.
func New(code Code, message Text) *Error { return &Error{Code: code, Message: message} }

// WithHint adds what the caller should do next.
func (e *Error) WithHint(hint Text) *Error { e.Hint = hint; return e }

// WithDetails adds data for the next call. Use a struct or a map; it becomes
// the JSON object "details".
func (e *Error) WithDetails(details any) *Error { e.Details = details; return e }

// Because keeps the error that led here for errors.Is and for the log. It is
// never shown to the caller of a tool.
func (e *Error) Because(cause error) *Error { e.cause = cause; return e }

// Error is the English message, for Go's own printing and for logs.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message.In(English) }

// Unwrap gives the error that led here, if any.
func (e *Error) Unwrap() error { return e.cause }

// As turns any error into an *Error. One that carries none becomes canceled,
// timeout or, because nobody gave it a meaning, internal. As(nil) is nil.
func As(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return New(Canceled, T("the call was canceled", "调用已被取消")).Because(err)
	case errors.Is(err, context.DeadlineExceeded):
		return New(Timeout, T("the call took longer than it may", "调用超时")).Because(err)
	}
	return New(Internal, T("internal error: %v", "内部错误：%v", err)).
		WithHint(T("this is a bug in helve; please report it", "这是 helve 的缺陷，请报告")).Because(err)
}

// Is reports whether err carries the code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// Lang is a language of messages.
type Lang string

// The languages helve speaks.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// Text is one message in both languages. Warnings, messages and hints are all
// Text, so that none can exist in one language only.
type Text struct {
	en, zh string
	args   []any
}

// T is a message whose two formats take the same arguments, as fmt.Sprintf
// does. An argument that is itself a Text follows the language.
func T(en, zh string, args ...any) Text { return Text{en: en, zh: zh, args: args} }

// Join is the texts in one, with a separator for each language.
func Join(texts []Text, en, zh string) Text {
	verbs := make([]string, len(texts))
	args := make([]any, len(texts))
	for i, t := range texts {
		verbs[i], args[i] = "%s", t
	}
	return T(strings.Join(verbs, en), strings.Join(verbs, zh), args...)
}

// IsZero reports whether there is no message.
func (t Text) IsZero() bool { return t.en == "" && t.zh == "" }

// In is the message in one language.
func (t Text) In(lang Lang) string {
	format := t.en
	if lang == Chinese {
		format = t.zh
	}
	if len(t.args) == 0 {
		return format
	}
	args := make([]any, len(t.args))
	for i, a := range t.args {
		if nested, ok := a.(Text); ok {
			a = nested.In(lang)
		}
		args[i] = a
	}
	return fmt.Sprintf(format, args...)
}

// String is the English message.
func (t Text) String() string { return t.In(English) }
