// Package foreign is the one table of the names and the arguments by which models know
// tools like ours from other systems, and reads their calls as calls of ours. It runs
// no tool, and knows the tools by their names alone.
//
// The table is in one file a tool; see [Names]. A call keeps the contract of the
// system that a name comes from where that does no harm: milliseconds are
// milliseconds, and Grep without output_mode returns the names of files. What could
// mean two things is refused.
package foreign

import (
	"slices"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// Name is the name of a tool of another system.
type Name struct {
	Name string
	Of   string // whose it is, several with commas
	Tool string // ours, by its name; "" if we have none, or if the arguments say which
	// Tools are those that choose may choose.
	Tools []string
	Args  []Argument // that need more than what is true of every name of the tool
	Fixed []Setting  // what the name means of itself
	Why   fault.Text // what to do instead, if there is no such tool

	// ours says that the name is one of ours, too: there is nothing to report.
	ours bool
	// choose returns the name that a call is one of; nil where the name says it.
	choose func(*schema.Given) (*Name, error)
}

// Setting is a value that an argument of ours has if the caller does not say.
type Setting struct {
	Argument string
	Value    any // as [schema.Given.Set] takes it
}

// Argument is an argument of another system.
type Argument struct {
	Name string
	To   string // ours; "" if it says nothing to us, and is left out
	How  string // how its value is read, if not as it is

	// read changes the arguments of a call that has it; nil renames it, or leaves it out.
	read func(c *conversion, name string) error
}

// family describes the foreign names of one of our tools.
type family struct {
	tool  string
	args  []Argument // under whatever name, ours included
	names []Name
}

// makers make the families of our tools. Most calls need but one of them: making the
// whole table takes longer than many a call.
func makers() []maker {
	return []maker{
		{"read", reading}, {"write", writing}, {"edit", editing}, {"patch", patching}, {"undo", undoing}, {"delete", deleting},
		{"move", moving}, {"copy", copying}, {"mkdir", making}, {"ls", listing}, {"find", finding}, {"grep", grepping},
		{"exec", executing}, {"job", following}, {"websearch", searchingWeb}, {"fetch", fetching}, {"time", telling}, {"message", messaging},
		{"spawn", spawning}, {"cron_add", scheduling}, {"cron_list", listingJobs}, {"cron_remove", removingJobs},
	}
}

// maker makes the family of a tool.
type maker struct {
	tool string
	make func() family
}

func (m maker) family() family {
	f := m.make()
	f.tool = m.tool
	mark(m.tool, f.names)
	return f
}

// mark says of names which tool is theirs, and which are ours.
func mark(tool string, names []Name) {
	ours := ourOther()
	for i := range names {
		names[i].Tool = tool
		names[i].ours = slices.Contains(ours, names[i].Name)
	}
}

// families returns the table.
var families = sync.OnceValue(func() []family {
	var all []family
	for _, m := range makers() {
		all = append(all, m.family())
	}
	for _, names := range [][]Name{choosing(), lacking()} {
		mark("", names)
		all = append(all, family{names: names})
	}
	return all
})

// ourOther returns the names that our tools have had themselves.
func ourOther() []string {
	return strings.Fields(`read_file file-read file-read-excel file-read-docx write_file file-write edit_file str_replace list_dir list_directory file-list
		file-delete web_fetch web-fetch web_search web-search bash shell time-now apply_patch`)
}

// Names lists the table in the order of our tools; names that choose among tools and
// those of tools that we have not come last.
func Names() []Name {
	var all []Name
	for _, f := range families() {
		all = append(all, f.names...)
	}
	return all
}

// Arguments returns what the arguments of a call by this name may be called beside
// our names for them: those of the name first.
func (n Name) Arguments() []Argument {
	all := slices.Clone(n.Args)
	for _, a := range familyOf(n.Tool).args {
		if !slices.ContainsFunc(all, func(b Argument) bool { return a.Name == b.Name }) {
			all = append(all, a)
		}
	}
	return all
}

// Of returns the names that only mean one of our tools.
func Of(tool string) []string {
	var names []string
	for _, n := range familyOf(tool).names {
		names = append(names, n.Name)
	}
	return names
}

// familyOf returns the family of a tool; it is empty for one that is not in the table.
func familyOf(tool string) family {
	for _, m := range makers() {
		if m.tool == tool {
			return m.family()
		}
	}
	return family{}
}

// Lookup returns the entry of a name: as it is written, without the prefix that a host
// puts before it, or in another case or with other separators, if that can mean one
// tool only. own are names of ours that are no tools of the table; the entry of one of
// our own names has nothing but Tool.
func Lookup(name string, own []string) (n *Name, ok bool) {
	bare := Bare(name)
	for _, try := range []string{name, bare} {
		for _, one := range Names() {
			if one.Name == try {
				return &one, true
			}
		}
		if slices.Contains(own, try) {
			return &Name{Name: name, Tool: try}, true
		}
	}
	var found []Name
	for _, o := range own {
		if schema.Alike(o, bare) {
			found = append(found, Name{Name: name, Tool: o})
		}
	}
	for _, one := range Names() {
		if schema.Alike(one.Name, bare) && (len(found) == 0 || found[0].Tool != one.Tool) {
			found = append(found, one)
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	found[0].Name = name
	return &found[0], true
}

// prefixes returns the prefixes that hosts and models put before the name of a tool.
func prefixes() []string {
	return []string{"functions.", "functions:", "default_api.", "default_api:", "tools.", "tool.", "mcp__helve__", "mcp_helve_", "helve__", "helve.", "helve_",
		"mcp__filesystem__", "filesystem__", "fs__", "shell__", "builtin_", "multi_tool_use.", "functions::"}
}

// Bare returns a name without the prefix that a host puts before it.
func Bare(name string) string {
	for _, p := range prefixes() {
		if rest, ok := strings.CutPrefix(name, p); ok && rest != "" {
			return rest
		}
	}
	return name
}

// Choose returns the entry that a call is one of, where the arguments say that, and
// else the entry itself. The fault is invalid_arguments, or unknown_tool for a tool that
// we have not.
func (n *Name) Choose(given *schema.Given) (*Name, error) {
	switch {
	case n.choose != nil:
		return n.choose(given)
	case n.Tool == "":
		return nil, fault.New(fault.UnknownTool, fault.T("there is no tool %q here", n.Name)).WithHint(n.Why)
	}
	return n, nil
}

// Reading returns t for callers who write its arguments as other systems take them, and
// call it by the entry n; nil is our own name.
func Reading(t *tool.Tool, n *Name) *tool.Tool {
	name := t.Name
	if t.PresetOf != "" {
		name = t.PresetOf
	}
	f := familyOf(name)
	if f.tool == "" && n == nil {
		return t
	}
	return t.Translated(func(g *schema.Given) ([]fault.Text, error) {
		c := &conversion{g: g, o: t.Arguments()}
		if err := c.convert(n, f); err != nil {
			return nil, err
		}
		if n == nil || n.Name == t.Name || n.ours && len(c.said) == 0 {
			return c.said, nil
		}
		taken := fault.T("%s was taken as %s", n.Name, t.Name)
		if len(c.said) > 0 {
			taken = fault.T("%s: %s", taken, fault.Join(c.said, "; "))
		}
		return []fault.Text{taken}, nil
	})
}
