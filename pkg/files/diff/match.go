package diff

import "strconv"

// Region is a stretch of a list that another stretch replaces: old[OldStart:
// OldEnd] gives way to new[NewStart:NewEnd], and either may be empty.
type Region struct {
	OldStart, OldEnd int
	NewStart, NewEnd int
}

// Regions compares two lists of lines, or of any other strings, and gives the
// stretches that differ, in order. What lies between them is equal.
func Regions(old, new []string) []Region {
	// Myers' algorithm wants lines, so every different string becomes one.
	ids := make(map[string]string)
	lines := func(list []string) []string {
		out := make([]string, len(list))
		for i, s := range list {
			id, ok := ids[s]
			if !ok {
				id = strconv.Itoa(len(ids)) + "\n"
				ids[s] = id
			}
			out[i] = id
		}
		return out
	}
	c := comparison{old: lines(old), new: lines(new), budget: maxWork}
	c.compare(region{0, len(old), 0, len(new)}, 0)
	all := make([]Region, len(c.changes))
	for i, r := range c.changes {
		all[i] = Region{r.a0, r.a1, r.b0, r.b1}
	}
	return all
}
