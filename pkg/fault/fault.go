// Package fault is the vocabulary of failure: codes, exit statuses, and messages
// and hints in two languages. It detects no failures, and prints none.
package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Error is a failure as the caller of a tool sees it. Make one with [New].
type Error struct {
	Code    Code
	Message Text // what is wrong, starting in lower case
	Hint    Text // what to do next; may be empty
	Details any  // what the next call needs, encoded as JSON; may be nil

	cause error
}

// Worded marks details that the message or the hint states in words already, so
// that a rendering as text does not repeat them.
type Worded interface{ Worded() }

// Shown are details that a rendering as text shows in another form than JSON: what is
// needed first, and texts as they are in their files.
type Shown interface{ Shown() Text }

// New returns a failure with a code and a message.
func New(code Code, message Text) *Error { return &Error{Code: code, Message: message} }

// WithHint sets what the caller should do next, and returns e.
func (e *Error) WithHint(hint Text) *Error { e.Hint = hint; return e }

// WithDetails sets data that the next call needs, and returns e. The data is a
// struct or a map; it becomes the JSON object "details".
func (e *Error) WithDetails(details any) *Error { e.Details = details; return e }

// Because sets the error that caused e, for errors.Is and for the log, and returns
// e. The cause is never shown to the caller of a tool.
func (e *Error) Because(cause error) *Error { e.cause = cause; return e }

// Error returns the code and the English message, for logs.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message.In(English) }

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// As returns the *Error that err is or wraps. Any other error becomes canceled,
// timeout or, where nobody gave it a meaning, internal. As(nil) is nil.
func As(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return New(Canceled, T("the call was canceled")).Because(err)
	case errors.Is(err, context.DeadlineExceeded):
		return New(Timeout, T("the call timed out")).Because(err)
	}
	return New(Internal, T("internal error: %v", err)).
		WithHint(T("this is a bug in helve; please report it")).Because(err)
}

// Is reports whether err is or wraps an *Error with the code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// Lang is the language of a message.
type Lang string

// The languages helve speaks.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// Text is a message in every language that helve speaks. Messages, hints and warnings
// are all Text: English stands in the code, Chinese in the catalogue (zh.po).
type Text struct {
	format string
	args   []any
	zh     string // the Chinese of a [Verbatim] text
	said   bool   // the text is verbatim
}

// T returns a message from an English format and arguments as fmt.Sprintf takes them.
// An argument that is a Text follows the language.
func T(english string, args ...any) Text {
	if false {
		_ = fmt.Sprintf(english, args...) // lets go vet check the arguments of callers
	}
	return Text{format: english, args: args}
}

// Verbatim returns a message that was put into words before, such as one that was
// stored.
func Verbatim(en, zh string) Text { return Text{format: en, zh: zh, said: true} }

// Join concatenates texts with a separator, which is translated, too.
func Join(texts []Text, separator string) Text {
	args := make([]any, 0, 2*len(texts))
	for i, t := range texts {
		if i > 0 {
			args = append(args, Text{format: separator})
		}
		args = append(args, t)
	}
	return Text{format: strings.Repeat("%s", len(args)), args: args}
}

// IsZero reports whether there is no message.
func (t Text) IsZero() bool { return t.format == "" && t.zh == "" }

// In returns the message in a language. A text that the catalogue lacks stays English.
func (t Text) In(lang Lang) string {
	format := t.format
	if lang == Chinese {
		if t.said {
			return t.zh
		}
		format, _ = Translate(format, lang)
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

// String returns the English message.
func (t Text) String() string { return t.In(English) }
