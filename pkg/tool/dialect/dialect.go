// Package dialect speaks the providers' formats: tool definitions out, tool
// calls in, results out. It runs no tool.
package dialect

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Format is the form in which a provider takes tool definitions.
type Format string

// OpenAI is the form of Chat Completions:
// https://platform.openai.com/docs/guides/function-calling
const OpenAI Format = "openai"

// Formats lists what [Definitions] can write.
func Formats() []Format { return []Format{OpenAI} }

// Definition is a tool as a provider is told of it.
type Definition struct {
	Name   string
	Doc    string
	Schema schema.Document // canonical, from [schema.Object.JSONSchema]
}

// Definitions writes the definitions in a format, ready to be encoded. With
// strict every schema is in the form of OpenAI's structured outputs; see
// [strict].
func Definitions(format Format, definitions []Definition, asStrict bool) (any, error) {
	if format != OpenAI {
		names := make([]string, 0, len(Formats()))
		for _, f := range Formats() {
			names = append(names, string(f))
		}
		return nil, fault.New(fault.Usage, fault.T("unknown format %q", "未知格式 %q", format)).
			WithHint(fault.T("the formats are: %s", "可用格式：%s", strings.Join(names, ", ")))
	}
	all := make([]schema.Document, len(definitions))
	for i, d := range definitions {
		function := schema.Document{{Name: "name", Value: d.Name}, {Name: "description", Value: d.Doc}}
		if asStrict {
			function = function.With("parameters", strict(d.Schema)).With("strict", true)
		} else {
			function = function.With("parameters", d.Schema)
		}
		all[i] = schema.Document{{Name: "type", Value: "function"}, {Name: "function", Value: function}}
	}
	return all, nil
}
