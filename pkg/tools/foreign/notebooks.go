package foreign

import (
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
)

// The arguments of tools that change the cells of notebooks.

func claudeCells() []Argument {
	return joined(renamed("path", "notebook_path"), renamed("new_text", "new_source"), []Argument{cellFrom0("cell_number")})
}

func cursorCells() []Argument {
	return joined(renamed("path", "target_notebook"), []Argument{
		{Name: "is_new_cell", To: "mode", How: "true is insert, at cell_idx", read: newCell},
		cellFrom0("cell_idx"),
		{Name: "cell_language", To: "cell_type", How: "of a new cell", read: languageOfCell},
	})
}

func copilotCells() []Argument {
	return joined(renamed("new_text", "newCode"), []Argument{
		value("editType", "mode", "edit", "replace"),
		{Name: "cellId", To: "cell", How: "TOP and BOTTOM are places of new cells", read: copilotCell},
		{Name: "language", To: "cell_type", How: "of a cell", read: languageOfCell},
	})
}

// cellFrom0 is the number of a cell, counted from 0.
func cellFrom0(name string) Argument {
	return Argument{Name: name, To: "cell", How: "counted from 0", read: func(c *conversion, name string) error {
		n, ok := c.g.Whole(name)
		if !ok || n < 0 {
			return wrong(name, fault.T("want the number of a cell, from 0"), fault.T("pass cell: an id or a number from 1, as read shows it"))
		}
		c.g.Drop(name)
		c.set("cell", "cell "+strconv.FormatInt(n+1, 10))
		c.say(fault.T("%s %d is cell %d", name, n, n+1))
		return nil
	}}
}

// newCell reads whether cell_idx is the place of a new cell, which is then the one before it
// here, and a text of that cell the whole of it.
func newCell(c *conversion, name string) error {
	is, ok := c.g.Truth(name)
	if !ok {
		return nil
	}
	c.g.Drop(name)
	if !is {
		return nil
	}
	c.g.Set("mode", "insert")
	if old, isText := c.g.Text("old_string"); isText && old == "" {
		c.g.Drop("old_string")
	}
	n, ok := c.g.Whole("cell_idx")
	if !ok {
		return nil
	}
	c.g.Drop("cell_idx")
	if n > 0 {
		c.g.Set("cell", "cell "+strconv.FormatInt(n, 10))
	}
	return nil
}

// copilotCell reads the id of a cell, or a place of a new one.
func copilotCell(c *conversion, name string) error {
	switch id, _ := c.g.Text(name); id {
	case "TOP":
		c.g.Drop(name)
		return nil
	case "BOTTOM":
		return wrong(name, fault.T("want the cell that a new one comes after"), fault.T("pass the id or the number of the last cell, as read shows it"))
	}
	return c.rename(name, "cell")
}

// languageOfCell reads the language of a cell: all but markdown and raw are code.
func languageOfCell(c *conversion, name string) error {
	language, _ := c.g.Text(name)
	if language != "markdown" && language != "raw" {
		language = "code"
	}
	c.g.Drop(name)
	if mode, _ := c.g.Text("mode"); mode == "insert" {
		c.set("cell_type", language)
	}
	return nil
}
