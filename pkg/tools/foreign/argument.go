package foreign

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// renamed returns arguments that are called otherwise here, and mean the same.
func renamed(to string, names ...string) []Argument {
	all := make([]Argument, len(names))
	for i, name := range names {
		all[i] = Argument{Name: name, To: to}
	}
	return all
}

// ignored returns arguments that say nothing to us: words for a person, and what is
// always so here.
func ignored(names ...string) []Argument { return renamed("", names...) }

// words are arguments in which models say why they call.
func words() []Argument {
	return ignored("description", "explanation", "instruction", "instructions", "justification", "task_progress", "security_risk", "safety_risk", "thought", "reason",
		"toolSummary", "toolAction", "summary", "_i", "intent", "actionName", "status")
}

// joined returns all of several lists.
func joined(lists ...[]Argument) []Argument { return slices.Concat(lists...) }

// flag is a boolean that sets one of ours if it is when, and else says nothing.
func flag(name string, when bool, ours string, value any) Argument {
	return Argument{Name: name, To: ours, How: map[bool]string{true: "true", false: "false"}[when], read: func(c *conversion, name string) error {
		is, ok := c.g.Truth(name)
		if !ok {
			return nil // the decoder says what is wrong
		}
		other, given := c.named(ours)
		if is == when && given && ours == "mode" { // of write, where it decides what is lost
			if c.g.Set(name, value); !c.g.Same(name, other) {
				return wrong(name, fault.T("contradicts %s", other), fault.T("pass one of them"))
			}
		}
		c.g.Drop(name)
		if is == when && !given {
			c.g.Set(ours, value)
			c.say(fault.T("%s is %s=%v", name, ours, value))
		}
		return nil
	}}
}

// only is an argument that may have nothing but the values that say nothing to us:
// "" is any falsehood.
func only(name string, hint fault.Text, values ...string) Argument {
	return Argument{Name: name, How: "only " + strings.Join(values, ", "), read: func(c *conversion, name string) error {
		text, isText := c.g.Text(name)
		is, isTruth := c.g.Truth(name)
		if n, isWhole := c.g.Whole(name); isWhole {
			text, isText = strconv.FormatInt(n, 10), true
		}
		if isText && (text == "" || slices.Contains(values, text)) || isTruth && slices.Contains(values, map[bool]string{true: "true", false: "false"}[is]) {
			c.g.Drop(name)
			return nil
		}
		return wrong(name, fault.T("this is not possible here"), hint)
	}}
}

// value is an argument that is called to here, some values of which have other names.
// pairs are these, each before ours.
func value(name, to string, pairs ...string) Argument {
	return Argument{Name: name, To: to, How: strings.Join(pairs, " "), read: func(c *conversion, name string) error {
		text, _ := c.g.Text(name)
		for i := 0; i < len(pairs); i += 2 {
			if text == pairs[i] {
				c.g.Set(name, pairs[i+1])
				c.say(fault.T("%s %q is %q", name, text, pairs[i+1]))
			}
		}
		if name == to {
			return nil
		}
		if _, ours := c.o.Field(name); ours { // an alias of it
			return nil
		}
		return c.rename(name, to)
	}}
}

// most is a number that is at most so much here; 0 asks for as much as there is.
func most(name, to string, limit int) Argument {
	return Argument{Name: name, To: to, read: func(c *conversion, name string) error {
		n, ok := c.g.Whole(name)
		if ok && (n == 0 || n > int64(limit)) {
			c.g.Set(name, limit)
			c.say(fault.T("%s is at most %d here", name, limit))
		}
		if _, ours := c.o.Field(name); ours {
			return nil
		}
		return c.rename(name, to)
	}}
}

// longest limits the seconds of a command.
const longest = 600

// milliseconds returns a time that its owner means in milliseconds. Without sure, one
// that looks like seconds is refused.
func milliseconds(name string, sure bool) Argument {
	const to = "timeout"
	return Argument{Name: name, To: to, How: "milliseconds", read: func(c *conversion, name string) error {
		n, ok := c.g.Number(name)
		switch {
		case !ok || n < 0:
			return nil
		case n > 0 && n < 1000 && !sure:
			return wrong(name, fault.T("%v could be seconds or milliseconds", n),
				fault.T("it is milliseconds here: pass %v for as many seconds", n*1000))
		}
		c.g.Drop(name)
		if n == 0 {
			return nil // none
		}
		c.seconds(name, to, n)
		return nil
	}}
}

// either is a time that some mean in seconds and some in milliseconds: what is too long
// to be seconds, and in whole seconds, is milliseconds.
func either(name, to string) Argument {
	return Argument{Name: name, To: to, How: "seconds; milliseconds from 1000 on", read: func(c *conversion, name string) error {
		n, ok := c.g.Number(name)
		switch {
		case !ok:
		case n == 0:
			c.g.Drop(name)
		case n >= 1000:
			c.g.Drop(name)
			c.seconds(name, to, n)
		case n != math.Trunc(n): // OpenHands has fractions
			c.g.Drop(name)
			c.set(to, int(math.Ceil(n)))
			c.say(fault.T("%s %v is %d seconds", name, n, int(math.Ceil(n))))
		}
		return nil
	}}
}

// seconds sets a time that was given in milliseconds.
func (c *conversion) seconds(name, to string, ms float64) {
	s := int(math.Ceil(ms / 1000))
	if s > longest {
		c.say(fault.T("a call takes at most %d seconds", longest))
		s = longest
	}
	c.set(to, s)
	c.say(fault.T("%s %v ms is %d s", name, ms, s))
}

// patterns is a list of globs, which are one text here.
func patterns(name, prefix string) Argument {
	const to = "glob"
	return Argument{Name: name, To: to, How: "list of globs", read: func(c *conversion, name string) error {
		list, ok := c.g.Texts(name)
		if !ok {
			if one, isText := c.g.Text(name); isText {
				list = []string{one}
			}
		}
		list = slices.DeleteFunc(list, func(one string) bool { return one == "" })
		if i := slices.IndexFunc(list, func(one string) bool { return strings.ContainsAny(one, " ,") }); ok && i >= 0 {
			return wrong(name, fault.T("the glob %q has a space or a comma, which separate globs here", list[i]),
				fault.T("put ? in its place"))
		}
		if !ok && len(list) == 0 {
			return nil
		}
		c.g.Drop(name)
		if len(list) == 0 {
			return nil
		}
		for i, one := range list {
			list[i] = prefix + one
		}
		if other, given := c.named(to); given {
			if old, isText := c.g.Text(other); isText {
				list = append([]string{old}, list...)
			}
		}
		text := strings.Join(list, " ")
		c.set(to, text)
		if name != to {
			c.say(fault.T("%s is %s=%q", name, to, text))
		}
		return nil
	}}
}

// ignoreRules are the arguments that say which ignored files count.
func ignoreRules() []Argument {
	return joined([]Argument{
		flag("respect_git_ignore", false, "no_ignore", true),
		flag("respect_gitignore", false, "no_ignore", true),
		{Name: "file_filtering_options", To: "no_ignore", How: "its respect_git_ignore", read: func(c *conversion, name string) error {
			options, ok := c.g.Object(name)
			if !ok {
				return nil
			}
			respected, said := options.Truth("respect_git_ignore")
			c.g.Drop(name)
			if said && !respected {
				c.g.Set("no_ignore", true)
				c.say(fault.T("%s is no_ignore=true", name))
			}
			return nil
		}},
	}, ignored("respect_gemini_ignore", "useDefaultExcludes"))
}
