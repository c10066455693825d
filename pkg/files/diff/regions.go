package diff

// Region is a stretch of a list that another stretch replaces:
// old[OldStart:OldEnd] gives way to new[NewStart:NewEnd]. Either may be empty.
type Region struct {
	OldStart, OldEnd int
	NewStart, NewEnd int
}

// Regions compares two lists of lines, or of any other strings, and returns the
// stretches that differ, in order. What lies between them is equal.
func Regions(old, new []string) []Region {
	c := comparison{budget: maxWork}
	return c.regions(old, new)
}

// RegionsOfLines compares the lines of two texts; see [Regions].
func RegionsOfLines(old, new string) []Region { return Regions(splitLines(old), splitLines(new)) }

// Align pairs the elements of new with equal elements of old, in order. The
// result holds for each element of new the index of its partner in old, or -1.
// Unlike [Regions] it stops at patience diff and may leave equal elements
// without a partner, but its time and memory are nearly linear.
func Align(old, new []string) []int {
	oldIDs, newIDs, different := number(old, new)
	partner := make([]int, len(new))
	for i := range partner {
		partner[i] = -1
	}
	i, j := 0, 0
	equal := func(end int) {
		for ; j < end; i, j = i+1, j+1 {
			partner[j] = i
		}
	}
	comparePatience(oldIDs, newIDs, different, func(r Region) {
		equal(r.NewStart)
		i, j = r.OldEnd, r.NewEnd
	})
	equal(len(new))
	return partner
}
