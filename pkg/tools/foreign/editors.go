package foreign

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// commands are the names that do what their argument command says.
func commands() []Name {
	var all []Name
	for _, n := range []Name{
		{Name: "str_replace_editor", Of: "Anthropic, OpenHands"}, {Name: "str_replace_based_edit_tool", Of: "Anthropic"},
		{Name: "file_editor", Of: "OpenHands"}, {Name: "text_editor", Of: "goose"}, {Name: "developer__text_editor", Of: "goose"},
	} {
		n.Tools = []string{"edit", "read", "write", "undo"}
		n.choose = func(g *schema.Given) (*Name, error) { return command(n, g) }
		all = append(all, n)
	}
	return all
}

// command returns what str_replace_editor does by its argument command.
func command(n Name, g *schema.Given) (*Name, error) {
	said, _ := g.Text("command")
	chosen := Name{Name: n.Name + " " + said, Args: []Argument{{Name: "command", read: func(c *conversion, name string) error {
		c.g.Drop(name)
		return nil
	}}}}
	// Some models fill in all arguments, those of other commands with nothing.
	unused := func(names ...string) {
		for _, name := range names {
			chosen.Args = append(chosen.Args, unusedArgument(name))
		}
	}
	switch said {
	case "view":
		chosen.Tool = "read"
		unused("file_text", "old_str", "new_str", "insert_line")
	case "create", "write":
		chosen.Tool = "write"
		unused("old_str", "new_str", "insert_line", "view_range")
		if said == "create" {
			chosen.Fixed = []Setting{{"mode", "create"}}
		}
	case "str_replace":
		chosen.Tool = "edit"
		chosen.Fixed = []Setting{{"new_text", ""}}
		unused("file_text", "insert_line", "view_range")
	case "insert":
		chosen.Tool = "edit"
		unused("file_text", "old_str", "view_range")
	case "undo_edit":
		chosen.Tool = "undo"
		unused("file_text", "old_str", "new_str", "insert_line", "view_range")
	case "":
		return nil, wrong("command", fault.T("required, and missing"), fault.T("pass view, create, str_replace, insert or undo_edit"))
	default:
		return nil, wrong("command", fault.T("want view, create, str_replace, insert or undo_edit, got %q", said),
			fault.T("to run %q call exec", said))
	}
	return &chosen, nil
}

// unusedArgument is an argument of another command. It may be empty.
func unusedArgument(name string) Argument {
	return Argument{Name: name, read: func(c *conversion, name string) error {
		text, isText := c.g.Text(name)
		number, isNumber := c.g.Whole(name)
		list, isList := c.g.Wholes(name)
		if isText && text == "" || isNumber && number == 0 || isList && len(list) == 0 {
			c.g.Drop(name)
			return nil
		}
		return wrong(name, fault.T("is no argument of this command"), fault.T("leave it out, or pass the command that it belongs to"))
	}}
}

// insertContent returns what Roo Code's insert_content does: it inserts before a line,
// or after the last.
func insertContent(g *schema.Given) (*Name, error) {
	chosen := Name{Name: "insert_content", Tool: "edit", Args: joined(renamed("new_text", "content"), []Argument{{Name: "line", To: "insert_line", How: "the line before it", read: func(c *conversion, name string) error {
		n, ok := c.g.Whole(name)
		if !ok || n < 1 {
			return wrong(name, fault.T("want the number of a line"), fault.T("lines count from 1; 0 adds to the end"))
		}
		c.g.Drop(name)
		c.set("insert_line", int(n)-1)
		c.say(fault.T("%s %d is insert_line=%d", name, n, n-1))
		return nil
	}}})}
	if n, ok := g.Whole("line"); ok && n == 0 {
		chosen.Tool, chosen.Fixed = "write", []Setting{{"mode", "append"}}
		chosen.Args = ignored("line")
	}
	return &chosen, nil
}
