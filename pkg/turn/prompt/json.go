package prompt

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// inJSON writes the tools as one JSON array, and calls as JSON in a block.
type inJSON struct{}

func (inJSON) before() fault.Text {
	return fault.Verbatim("You can use these tools, whose parameters are JSON Schemas:", "你可以使用以下工具，其参数以 JSON Schema 描述：")
}

func (inJSON) after() fault.Text { return calling("json") }

// calling says how to call in blocks that are marked with a word.
func calling(mark string) fault.Text {
	return fault.Verbatim("To call a tool, write a block of JSON with its name and its arguments:\n\n```"+mark+"\n"+`{"name": "tool_name", "arguments": {"parameter_name": "value"}}`+"\n```\n\n"+
		"- The JSON must be valid: in a text, write line breaks as \\n and quotes as \\\".\n"+
		"- Leave out optional arguments that you do not need.\n"+
		"- Several calls may follow each other, each in a block; they are made in that order. Then stop: the results come in the next message, one for each call:\n\n"+
		"```tool_result\n"+`{"id": "call_1", "name": "tool_name", "content": "what it returned"}`+"\n```\n\n"+
		`A call that failed has "status": "error" and says what to do next. Never write a result yourself.`,
		"要调用工具，请写一个 JSON 代码块，其中包含工具名和参数：\n\n```"+mark+"\n"+`{"name": "tool_name", "arguments": {"parameter_name": "value"}}`+"\n```\n\n"+
			"- JSON 必须有效：文本中的换行写作 \\n，引号写作 \\\"。\n"+
			"- 不需要的可选参数请省略。\n"+
			"- 可以连续写出多个调用，每个一个代码块，它们按此顺序执行。随后停止：结果会在下一条消息中给出，每个调用一个：\n\n"+
			"```tool_result\n"+`{"id": "call_1", "name": "tool_name", "content": "返回的内容"}`+"\n```\n\n"+
			`失败的调用带有 "status": "error"，并说明下一步该做什么。切勿自行编写结果。`)
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
				w.line("\n", w.text("Examples:", "示例："))
				begun = true
			}
			w.line("\n", t.Name, w.text(", ", "，"), e.Doc, w.text(":", "："), "\n", call)
		}
	}
	return nil
}

// inHermes writes the tools and the calls in the tags that the models of the Hermes
// and Qwen families were trained on.
type inHermes struct{}

func (inHermes) before() fault.Text {
	return fault.Verbatim("You can call functions to help with the user's request. Their signatures are inside <tools></tools>:",
		"你可以调用函数来协助完成用户的请求。函数签名位于 <tools></tools> 之中：")
}

func (inHermes) after() fault.Text {
	return fault.Verbatim(`For each call, write a JSON object with the name of the function and its arguments inside <tool_call></tool_call>:

<tool_call>
{"name": "function_name", "arguments": {"argument_name": "value"}}
</tool_call>

- The JSON must be valid: in a text, write line breaks as \n and quotes as \".
- Leave out optional arguments that you do not need.
- Several calls may follow each other; they are made in that order. Then stop: the results come in the next message, one for each call:

<tool_response>
{"id": "call_1", "name": "function_name", "content": "what it returned"}
</tool_response>

A call that failed has "status": "error" and says what to do next. Never write a result yourself.`,
		`对每个调用，请在 <tool_call></tool_call> 中写一个 JSON 对象，包含函数名和参数：

<tool_call>
{"name": "function_name", "arguments": {"argument_name": "value"}}
</tool_call>

- JSON 必须有效：文本中的换行写作 \n，引号写作 \"。
- 不需要的可选参数请省略。
- 可以连续写出多个调用，它们按此顺序执行。随后停止：结果会在下一条消息中给出，每个调用一个：

<tool_response>
{"id": "call_1", "name": "function_name", "content": "返回的内容"}
</tool_response>

失败的调用带有 "status": "error"，并说明下一步该做什么。切勿自行编写结果。`)
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
