package walk

// statBatch is the least number of entries for a goroutine: to start one takes
// longer than to describe fewer.
const statBatch = 512

// StatAll describes entries, which should be grouped by directory. Those that no
// longer exist have a zero Info.
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
