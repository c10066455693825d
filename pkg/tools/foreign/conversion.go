package foreign

import (
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// conversion makes the arguments of one call ours.
type conversion struct {
	g    *schema.Given
	o    *schema.Object // our arguments
	said []fault.Text
}

// say notes what was made of an argument.
func (c *conversion) say(what fault.Text) { c.said = append(c.said, what) }

// convert reads all arguments: those of the name first.
func (c *conversion) convert(n *Name, f family) error {
	var args []Argument
	if n != nil {
		args = slices.Clone(n.Args)
	}
	args = append(args, f.args...)
	if name, twice := c.g.Repeated(); twice { // which one counts, nobody knows
		return twiceGiven(name)
	}
	c.spell(args)
	done := map[string]bool{}
	for _, a := range args {
		if !c.g.Has(a.Name) || done[a.Name] {
			continue
		}
		done[a.Name] = true
		if err := c.one(a); err != nil {
			return err
		}
	}
	if n == nil {
		return nil
	}
	for _, s := range n.Fixed {
		if _, given := c.named(s.Argument); !given {
			c.g.Set(s.Argument, s.Value)
		}
	}
	return nil
}

// spell gives arguments that are none of ours the spelling of the table.
func (c *conversion) spell(args []Argument) {
	for _, name := range c.g.Names() {
		if _, ours := c.o.Field(name); ours || slices.ContainsFunc(args, func(a Argument) bool { return a.Name == name }) {
			continue
		}
		if i := slices.IndexFunc(args, func(a Argument) bool { return schema.Alike(a.Name, name) }); i >= 0 && !c.g.Has(args[i].Name) {
			c.g.Rename(name, args[i].Name)
		}
	}
}

// one reads one argument.
func (c *conversion) one(a Argument) error {
	switch {
	case a.read != nil:
		return a.read(c, a.Name)
	case a.To == "":
		c.drop(a.Name)
		return nil
	}
	return c.rename(a.Name, a.To)
}

// drop leaves an argument out.
func (c *conversion) drop(name string) {
	c.g.Drop(name)
	c.say(fault.T("%s ignored", name))
}

// rename gives an argument our name for it.
func (c *conversion) rename(from, to string) error {
	if other, given := c.named(to); given && other != from {
		return c.merge(from, other, to)
	}
	c.g.Rename(from, to)
	c.say(fault.T("%s is %s", from, to))
	return nil
}

// merge drops an argument whose value was given by another name, too. Two values are a
// fault.
func (c *conversion) merge(from, other, ours string) error {
	if !c.g.Same(from, other) {
		return schema.Invalid("/"+from, fault.T("is another name of %s, which is given too", other)).
			WithHint(fault.T("pass only %s", ours))
	}
	c.g.Drop(from)
	return nil
}

// give makes an argument ours, with another value.
func (c *conversion) give(from, ours string, to any) error {
	c.g.Set(from, to)
	if other, given := c.named(ours); given && other != from {
		return c.merge(from, other, ours)
	}
	c.g.Rename(from, ours)
	return nil
}

// named returns the name under which an argument of ours is given.
func (c *conversion) named(ours string) (name string, given bool) {
	names := []string{ours}
	if f, ok := c.o.Field(ours); ok {
		names = append(names, f.Aliases...)
	}
	for _, name := range names {
		if c.g.Has(name) {
			return name, true
		}
	}
	return "", false
}

// whole returns an argument of ours that is an integer.
func (c *conversion) whole(ours string) (int64, bool) {
	name, _ := c.named(ours)
	return c.g.Whole(name)
}

// set gives an argument of ours a value in place of what is given.
func (c *conversion) set(ours string, to any) {
	if name, given := c.named(ours); given && name != ours {
		c.g.Drop(name)
	}
	c.g.Set(ours, to)
}

// twiceGiven is the fault of a name that is given twice.
func twiceGiven(pointer string) error {
	return schema.Invalid("/"+pointer, fault.T("given twice")).WithHint(fault.T("pass it once"))
}

// wrong is the fault of an argument that cannot be read.
func wrong(name string, what, hint fault.Text) error {
	return schema.Invalid("/"+name, what).WithHint(hint)
}
