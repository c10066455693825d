// Package dialect reads and writes the formats of model providers: tool definitions
// and results are written, tool calls are read. It runs no tool.
package dialect

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Format is the format in which a provider takes tool definitions.
type Format string

// OpenAI is the format of Chat Completions:
// https://platform.openai.com/docs/guides/function-calling
const OpenAI Format = "openai"

// Definition is a tool as a provider sees it.
type Definition struct {
	Name   string
	Doc    string
	Schema schema.Document // canonical, from [schema.Object.JSONSchema]
}

// Definitions returns the definitions in a format, ready to be encoded. With asStrict
// every schema is in the form that OpenAI's structured outputs take; see [strict].
func Definitions(format Format, definitions []Definition, asStrict bool) (any, error) {
	if format != OpenAI {
		return nil, fault.New(fault.Usage, fault.T("unknown format %q", "未知格式 %q", format)).
			WithHint(fault.T("the formats are: %s", "可用格式：%s", string(OpenAI)))
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
