package prompt

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// inJSON writes the tools as one JSON array, and calls as JSON in a block.
type inJSON struct{}

func (inJSON) before() fault.Text {
	return fault.T("You can use these tools, whose parameters are JSON Schemas:")
}

func (inJSON) after() fault.Text { return calling("json") }

// calling explains calls in blocks that are marked with a word.
func calling(mark string) fault.Text {
	return fault.T(`To call a tool, write a block of JSON with its name and its arguments:

%[1]s%[2]s
{"name": "tool_name", "arguments": {"parameter_name": "value"}}
%[1]s

- The JSON must be valid: in a text, write line breaks as \n and quotes as \".
- Leave out optional arguments that you do not need.
- Several calls may follow each other, each in a block; they are made in that order. Then stop: the results come in the next message, one for each call:

%[1]stool_result
{"id": "call_1", "name": "tool_name", "content": "what it returned"}
%[1]s

A call that failed has "status": "error" and says what to do next. Never write a result yourself.`, "```", mark)
}

func (c inJSON) define(w *writer, tools []Tool) error {
	w.line("[")
	for i, t := range tools {
		end := ","
		if i == len(tools)-1 {
			end = ""
		}
		text, err := schema.Marshal(schema.Document{{Name: "name", Value: t.Name}, {Name: "description", Value: t.Doc}, {Name: "parameters", Value: t.Parameters}})
		if err != nil {
			return err
		}
		w.line(string(text), end)
	}
	w.line("]")
	return examples(w, c, tools)
}

func (inJSON) call(name string, arguments []byte) (string, error) {
	text, err := object(name, arguments)
	return "```json\n" + text + "\n```", err
}

// examples writes those of all tools, after definitions that have no place for them.
func examples(w *writer, c convention, tools []Tool) error {
	begun := false
	for _, t := range tools {
		for _, e := range w.examples(t) {
			call, err := c.call(t.Name, []byte(e.Args))
			if err != nil {
				return err
			}
			if !begun {
				w.line("\n", w.text(fault.T("Examples:")))
				begun = true
			}
			w.line("\n", w.text(fault.T("%s, %s:", t.Name, e.Doc)), "\n", call)
		}
	}
	return nil
}

// inHermes writes the tools and the calls in the tags that the models of the Hermes
// and Qwen families were trained on.
type inHermes struct{}

func (inHermes) before() fault.Text {
	return fault.T("You can call functions to help with the user's request. Their signatures are inside <tools></tools>:")
}

func (inHermes) after() fault.Text {
	return fault.T(`For each call, write a JSON object with the name of the function and its arguments inside <tool_call></tool_call>:

<tool_call>
{"name": "function_name", "arguments": {"argument_name": "value"}}
</tool_call>

- The JSON must be valid: in a text, write line breaks as \n and quotes as \".
- Leave out optional arguments that you do not need.
- Several calls may follow each other; they are made in that order. Then stop: the results come in the next message, one for each call:

<tool_response>
{"id": "call_1", "name": "function_name", "content": "what it returned"}
</tool_response>

A call that failed has "status": "error" and says what to do next. Never write a result yourself.`)
}

func (c inHermes) define(w *writer, tools []Tool) error {
	w.line("<tools>")
	for _, t := range tools {
		function := schema.Document{{Name: "name", Value: t.Name}, {Name: "description", Value: t.Doc}, {Name: "parameters", Value: t.Parameters}}
		text, err := schema.Marshal(schema.Document{{Name: "type", Value: "function"}, {Name: "function", Value: function}})
		if err != nil {
			return err
		}
		w.line(string(text))
	}
	w.line("</tools>")
	return examples(w, c, tools)
}

func (inHermes) call(name string, arguments []byte) (string, error) {
	text, err := object(name, arguments)
	return "<tool_call>\n" + text + "\n</tool_call>", err
}
