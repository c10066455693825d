package prompt

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// inXML writes calls as Cline has them: a tag with the name of the tool, and in it one
// for each argument.
type inXML struct{}

func (inXML) before() fault.Text {
	return fault.T("You can use these tools:")
}

func (inXML) after() fault.Text {
	return fault.T(`To call a tool, write a tag with its name, and in it a tag for each parameter:

<tool_name>
<parameter_name>value</parameter_name>
</tool_name>

- A value is taken as it is, without escapes. A line break right after its opening tag, and then one right before its closing tag, are not part of it.
- Put a value that contains tags, or references such as &amp;, between <![CDATA[ and ]]>. Write ]]> in it as ]]]]><![CDATA[>.
- Numbers and booleans are plain: 10, true. Lists and objects are JSON.
- Leave out optional parameters that you do not need.
- Several calls may follow each other; they are made in that order. Then stop: the results come in the next message, one for each call:

<tool_result id="call_1" name="tool_name">
what it returned
</tool_result>

A call that failed has status="error" and says what to do next. Never write a result yourself.`)
}

func (c inXML) define(w *writer, tools []Tool) error {
	w.line("<tools>")
	for _, t := range tools {
		w.line(`<tool name="`, attribute(t.Name), `">`)
		w.line("<description>", content(t.Doc), "</description>")
		if properties, ok := t.Parameters.Get("properties").(schema.Document); ok && len(properties) > 0 {
			w.line("<parameters>")
			c.parameters(w, t.Parameters)
			w.line("</parameters>")
		}
		for _, e := range w.examples(t) {
			call, err := c.call(t.Name, []byte(e.Args))
			if err != nil {
				return err
			}
			w.line(`<example of="`, attribute(e.Doc), `">`, "\n", call, "\n</example>")
		}
		w.line("</tool>")
	}
	w.line("</tools>")
	return nil
}

// parameters writes the properties of an object of a JSON Schema.
func (c inXML) parameters(w *writer, object schema.Document) {
	properties, _ := object.Get("properties").(schema.Document)
	for _, p := range properties {
		property := p.Value.(schema.Document)
		var b strings.Builder
		fmt.Fprintf(&b, `<parameter name="%s" type="%s"`, attribute(p.Name), typeOf(property))
		if required(object, p.Name) {
			b.WriteString(` required="true"`)
		}
		for _, k := range keywords(property) {
			fmt.Fprintf(&b, ` %s="%s"`, k.Name, attribute(plain(k.Value)))
		}
		b.WriteByte('>')
		doc, _ := property.Get("description").(string)
		w.b.WriteString(b.String() + content(doc))
		if inner := objectIn(property); inner != nil {
			w.line()
			c.parameters(w, inner)
		}
		w.line("</parameter>")
	}
}

func (inXML) call(name string, arguments []byte) (string, error) {
	all, err := members(arguments)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("<" + name + ">\n")
	for _, m := range all {
		b.WriteString("<" + m.name + ">" + element(m.value) + "</" + m.name + ">\n")
	}
	b.WriteString("</" + name + ">")
	return b.String(), nil
}

// element returns a value as the content of a tag: texts as they are, others as JSON.
// CDATA keeps what a reader of tags could take for something else.
func element(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		text = string(value)
	}
	if strings.ContainsAny(text, "\n\r") {
		text = "\n" + text + "\n"
	}
	if !strings.ContainsAny(text, "<&") && !strings.Contains(text, "]]>") {
		return text
	}
	return cdata(text)
}

const cdataOpen = "<![CDATA["

// cdata marks a text as one in which nothing is a tag.
func cdata(text string) string {
	return cdataOpen + strings.ReplaceAll(text, "]]>", "]]]]>"+cdataOpen+">") + "]]>"
}

// content and attribute escape text.
func content(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(s)
}

func attribute(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\n", " ").Replace(s)
}
