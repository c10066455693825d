package track

// A file can have several names. The journal restores those of an entry together; the
// scans find the others.

// apart reports whether a path holds another file than before, with more names, whose
// bytes the command need not have changed.
func (c *change) apart() bool {
	b, a := c.before, c.after
	return b != nil && a != nil && c.from == "" && b.isFile() && a.isFile() && a.Links > 1 && b.Inode != 0 && b.identity() != a.identity()
}

// unseen returns how many names a file has that no scan has found and that it had before
// as well. Where the system, or what is kept of an earlier scan, does not tell, it has none.
func (d *differ) unseen(c *change) int {
	b, a := c.before, c.after
	if b == nil || a == nil || c.from != "" || b.Links < 2 || a.Links < 2 || b.identity() != a.identity() {
		return 0
	}
	if d.named == nil {
		d.named = &names{count(d.before), count(d.after)}
	}
	return max(0, min(int(b.Links)-d.named.before[b.identity()], int(a.Links)-d.named.after[a.identity()]))
}

// names counts the names that the scans found of each file that has several.
type names struct{ before, after map[identity]int }

func count(t *tree) map[identity]int {
	n := map[identity]int{}
	for _, e := range t.entries {
		if e.Links > 1 {
			n[e.identity()]++
		}
	}
	return n
}

func (e *entry) identity() identity { return identity{e.Device, e.Inode} }
