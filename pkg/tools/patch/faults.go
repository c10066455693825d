package patch

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/patch"
)

func isLink(path string) error {
	return fault.New(fault.UnsupportedContent, fault.T("%s is a link", path)).
		WithHint(fault.T("patch the file that it points to"))
}

// placeholder returns the fault of words in place of text that was left out.
func placeholder(path string, line int, words string) error {
	return fault.New(fault.Placeholder, fault.T("%s: line %d is a placeholder for text that was left out: %s", path, line, words)).
		WithHint(fault.T("write the lines themselves"))
}

func gone(path string) error {
	return fault.New(fault.NotFound, fault.T("%s was removed by an earlier part of the patch", path)).
		WithHint(fault.T("use its new path"))
}

func taken(path string) error {
	return fault.New(fault.AlreadyExists, fault.T("already exists: %s", path)).
		WithHint(fault.T("patch the existing file, or choose another path"))
}

// failures are the details of a patch that failed in several files.
type failures []*fault.Error

// In returns them in one language.
func (f failures) In(lang fault.Lang) any {
	type failure struct {
		Code    fault.Code `json:"code"`
		Message string     `json:"message"`
		Details any        `json:"details,omitempty"`
	}
	all := make([]failure, len(f))
	for i, e := range f {
		all[i] = failure{e.Code, e.Message.In(lang), e.Details}
	}
	return map[string]any{"failures": all}
}

// Shown returns what a text shows of them beside their messages.
func (f failures) Shown() fault.Text {
	var parts []fault.Text
	for _, e := range f {
		switch d := e.Details.(type) {
		case patch.Failures:
			parts = append(parts, fault.T("%s:\n%s", d.Path, d.Shown()))
		case fault.Shown:
			parts = append(parts, d.Shown())
		}
	}
	return fault.Join(parts, "")
}

// together returns one fault for all the files that failed.
func together(failed []error, of int) error {
	if len(failed) == 1 {
		e := fault.As(failed[0])
		if of > 1 {
			e.Message = fault.T("%s; no file was changed", e.Message)
		}
		return e
	}
	all := make(failures, len(failed))
	messages := make([]fault.Text, len(failed))
	for i, err := range failed {
		all[i] = fault.As(err)
		messages[i] = all[i].Message
	}
	return fault.New(all[0].Code, fault.T("%d of %d files failed; no file was changed: %s", len(failed), of, fault.Join(messages, "; "))).
		WithHint(all[0].Hint).WithDetails(all)
}
