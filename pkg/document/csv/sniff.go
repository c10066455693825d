package csv

// What a delimiter is found by.
const (
	sniffedBytes = 64 << 10
	sniffedRows  = 100
)

// sniff returns the delimiter that cuts the first rows into equally many cells. Where
// several do, it is the comma, unless all commas stand between digits.
func sniff(text string) byte {
	cut := text
	if len(cut) > sniffedBytes {
		cut = cut[:sniffedBytes]
	}
	best, most := byte(','), 0.0
	for _, d := range [...]byte{',', ';', '\t', '|'} {
		even := evenness(cut, d)
		if even > most || even == most && even > 0 && best == ',' && decimals(cut) {
			best, most = d, even
		}
	}
	return best
}

// evenness returns the share of the rows that have the number of cells that most rows have, or 0 if that
// is one.
func evenness(text string, delimiter byte) float64 {
	p := parser{text: text, delimiter: delimiter}
	var counts [64]int
	rows := 0
	for rows < sniffedRows && p.next() {
		if p.columns == 1 && len(p.cells) == 0 {
			continue // an empty line
		}
		if p.text == "" && rows > 1 {
			break // the text may be cut off here
		}
		rows++
		counts[min(p.columns, len(counts)-1)]++
	}
	common := 1
	for n := 2; n < len(counts); n++ {
		if counts[n] > counts[common] || common == 1 && counts[n] > 0 {
			common = n
		}
	}
	if common == 1 {
		return 0
	}
	return float64(counts[common]) / float64(rows)
}

// decimals reports whether all commas of the text stand between digits.
func decimals(text string) bool {
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	for i := range len(text) {
		if text[i] == ',' && !(digit(i-1) && digit(i+1)) {
			return false
		}
	}
	return true
}
