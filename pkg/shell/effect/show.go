package effect

import (
	"fmt"
	"strings"
)

// maxShown limits the changes that a person is shown, and the entries of one directory
// that is created or deleted.
const maxShown = 100

// Text shows a change set to a person: first what is deleted or replaced, then the rest,
// then the diffs. Without changes it returns nothing.
func (set *ChangeSet) Text() string {
	var b, diffs strings.Builder
	shown := 0
	for _, losing := range []bool{true, false} {
		for _, c := range set.Changes {
			if (c.Op == Delete || c.Op == Replace) != losing {
				continue
			}
			if shown++; shown <= maxShown {
				b.WriteString(c.line())
				diffs.WriteString(c.Diff)
			}
		}
	}
	if more := shown - maxShown; more > 0 {
		fmt.Fprintf(&b, "… and %d more\n", more)
	}
	return b.String() + diffs.String()
}

// line returns one change, with the first names in a directory.
func (c Change) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s%s", c.Op, slash(c.Path, c))
	switch {
	case c.Op == Rename:
		fmt.Fprintf(&b, " (from %s)", slash(c.From, c))
	case c.Op == Replace:
		fmt.Fprintf(&b, " (a %s) by a %s", c.Before.Kind, c.After.Kind)
	case c.After.Kind == Link:
		fmt.Fprintf(&b, " -> %s", c.After.Target)
	case c.Op == Delete && c.Before.Kind == File:
		fmt.Fprintf(&b, " (%d bytes)", c.Before.Bytes)
	}
	if c.Op != Create && c.Op != Delete && c.Before.Mode != c.After.Mode {
		fmt.Fprintf(&b, " (mode %04o, was %04o)", uint32(c.After.Mode), uint32(c.Before.Mode))
	}
	if n := max(c.Before.Files, c.After.Files); n > 0 {
		fmt.Fprintf(&b, " (%d entries, %d bytes)", n, max(c.Before.Bytes, c.After.Bytes))
	}
	b.WriteByte('\n')
	for _, name := range c.Inside {
		fmt.Fprintf(&b, "          %s\n", name)
	}
	if n := max(c.Before.Files, c.After.Files) - len(c.Inside); n > 0 {
		fmt.Fprintf(&b, "          … and %d more\n", n)
	}
	return b.String()
}

// slash adds a slash to the name of a directory.
func slash(name string, c Change) string {
	if c.Before.Kind == Directory || c.After.Kind == Directory {
		return name + "/"
	}
	return name
}
