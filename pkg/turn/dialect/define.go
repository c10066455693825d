package dialect

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// Format is the format in which a provider takes tool definitions.
type Format string

// The formats. Each has a file of its own.
const (
	OpenAI          Format = "openai" // Chat Completions
	OpenAIResponses Format = "openai-responses"
	Anthropic       Format = "anthropic"
	Gemini          Format = "gemini"
	MCP             Format = "mcp"
	JSONSchema      Format = "json-schema" // no provider's
)

// Definition is a tool as a provider sees it.
type Definition struct {
	Name   string
	Title  string // for people
	Doc    string
	Schema schema.Document // of the arguments: canonical, from [schema.Object.JSONSchema]
	Output schema.Document // of the result; nil where it is not wanted or not known

	// What hints are made of.
	Risk       policy.Risk // the worst that a call may do
	Idempotent bool        // a second call like the first changes nothing more
	Open       bool        // it reaches what is outside of this machine
	// Contents is set if the result is a [tool.Contents].
	Contents bool
}

// Describe returns what providers see of tools; full says with the arguments that a model
// rarely needs.
func Describe(tools []*tool.Tool, lang fault.Lang, full bool) []Definition {
	definitions := make([]Definition, len(tools))
	for i, t := range tools {
		arguments := t.Schema().In(lang)
		if full {
			arguments = arguments.Full()
		}
		definitions[i] = Definition{
			Name: t.Called(), Title: t.TitleIn(lang), Doc: t.DocIn(lang), Schema: arguments.JSONSchema(),
			Risk: t.Risk, Idempotent: t.Idempotent, Open: t.Web || t.Programs, Contents: t.Contents,
		}
	}
	return definitions
}

// OnlyRead declares that tools only read: all else that their calls could do is refused.
func OnlyRead(definitions []Definition) {
	for i := range definitions {
		definitions[i].Risk = policy.Read
	}
}

// DescribeResults adds the schemas of results. Of a tool whose results nobody knows, it is
// the one that says so and takes everything.
func DescribeResults(definitions []Definition, tools []*tool.Tool, lang fault.Lang) {
	for i, t := range tools {
		output, err := t.Output()
		if err != nil {
			unknown := fault.T("not known before the call: it is what the program of the tool prints.")
			output = schema.Document{{Name: "description", Value: unknown.In(lang)}}
		}
		definitions[i].Output = output
	}
}

// Options choose among the forms of a format.
type Options struct {
	Strict bool // the form that the provider holds the model to
	Output bool // with the schemas of results
	// Nullable: optional arguments may be null, for hosts that refuse calls which leave one
	// out. Only MCP has that form.
	Nullable bool
}

// format writes definitions.
type format struct {
	name           Format
	names          []string // that people have for it beside its own
	strict, output bool     // whether it has such a form
	write          func([]Definition, Options) []schema.Document
}

func formats() []format {
	return []format{
		{OpenAI, []string{"chat", "chat-completions", "openai-chat", "completions"}, true, false, forChat},
		{OpenAIResponses, []string{"responses", "openai_responses"}, true, false, forResponses},
		{Anthropic, []string{"claude", "messages", "bedrock"}, true, false, forAnthropic},
		{Gemini, []string{"google", "vertex", "vertexai", "google-genai", "genai"}, false, false, forGemini},
		{MCP, []string{"model-context-protocol"}, false, true, forMCP},
		{JSONSchema, []string{"json", "jsonschema", "json_schema", "schema"}, false, true, forJSONSchema},
	}
}

// Formats returns the names of the formats.
func Formats() []string { return having(func(format) bool { return true }) }

// having returns the names of the formats that something is true of.
func having(what func(format) bool) []string {
	var names []string
	for _, f := range formats() {
		if what(f) {
			names = append(names, string(f.name))
		}
	}
	return names
}

// Definitions returns the definitions in a format, ready to be encoded: the array that
// goes into a request as its tools. The fault is usage, for a format that there is
// not, and for a form that a format does not have.
func Definitions(name Format, definitions []Definition, o Options) ([]schema.Document, error) {
	all := formats()
	i := slices.IndexFunc(all, func(f format) bool { return f.name == name })
	switch {
	case i < 0:
		return nil, unknownFormat(name)
	case o.Strict && !all[i].strict:
		return nil, without(name, fault.T("strict form"), having(func(f format) bool { return f.strict }))
	case o.Output && !all[i].output:
		return nil, without(name, fault.T("place for schemas of results"), having(func(f format) bool { return f.output }))
	}
	return all[i].write(definitions, o), nil
}

func unknownFormat(name Format) *fault.Error {
	e := fault.New(fault.Usage, fault.T("unknown format %q", name))
	list := strings.Join(Formats(), ", ")
	meant := similar.Name(string(name), Formats())
	for _, f := range formats() {
		if slices.Contains(f.names, strings.ToLower(string(name))) || strings.EqualFold(string(name), string(f.name)) {
			meant = string(f.name)
		}
	}
	if meant != "" {
		return e.WithHint(fault.T("did you mean %s? The formats are: %s", meant, list))
	}
	return e.WithHint(fault.T("the formats are: %s", list))
}

func without(name Format, what fault.Text, those []string) *fault.Error {
	return fault.New(fault.Usage, fault.T("the format %s has no %s", name, what)).
		WithHint(fault.T("leave the option out, or use one of: %s", strings.Join(those, ", ")))
}

// each writes every definition by itself.
func each(definitions []Definition, write func(*Definition) schema.Document) []schema.Document {
	all := make([]schema.Document, len(definitions))
	for i := range definitions {
		all[i] = write(&definitions[i])
	}
	return all
}
