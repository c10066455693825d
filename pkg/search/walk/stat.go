package walk

// statBatch is how many entries a goroutine describes at least: fewer are done
// sooner than it starts.
const statBatch = 512

// StatAll describes entries, of which those of one directory should stand
// together. What is no longer there has a zero Info.
func (r Root) StatAll(entries []Entry) []Info {
	infos := make([]Info, len(entries))
	batch := max((len(entries)+Workers()-1)/Workers(), statBatch)
	var all Group
	for from := 0; from < len(entries); from += batch {
		to := min(from+batch, len(entries))
		all.Go(func() { r.stat(entries[from:to], infos[from:to]) }, func() {})
	}
	all.Wait()
	return infos
}
