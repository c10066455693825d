package diff

import (
	"strconv"
	"strings"

	"github.com/hexops/gotextdiff/myers"
)

const (
	// maxMyers is the most lines, of both sides together, that Myers' algorithm
	// compares at once. It keeps a row of 2(n+m)+1 ints for every step, which is
	// 64 MB at worst for this many lines.
	maxMyers = 2000
	// maxWork bounds the sum of (n+m)² over all runs of Myers' algorithm for one
	// diff. Beyond it a region is shown as replaced completely.
	maxWork = 24 * maxMyers * maxMyers
)

// change is a replacement of whole lines of the old text by others.
type change struct {
	line       int // lines of the old text before it
	start, end int // bytes old[start:end]
	text       string
	dels, ins  int // lines on either side
}

// comparison is the work that one diff may still spend.
type comparison struct{ budget int }

// block appends the changes within a replacement of whole lines. line is the
// number of lines of the old text before it.
func (c *comparison) block(changes []change, old string, b Splice, line int) []change {
	oldLines, newLines := splitLines(old[b.Start:b.End]), splitLines(b.Text)
	i, j, off, newOff := 0, 0, b.Start, 0
	to := func(oldEnd, newEnd int) {
		for ; i < oldEnd; i++ {
			off += len(oldLines[i])
		}
		for ; j < newEnd; j++ {
			newOff += len(newLines[j])
		}
	}
	for _, r := range c.regions(oldLines, newLines) {
		to(r.OldStart, r.NewStart)
		start, newStart := off, newOff
		to(r.OldEnd, r.NewEnd)
		changes = append(changes, change{
			line: line + r.OldStart, start: start, end: off, text: b.Text[newStart:newOff],
			dels: r.OldEnd - r.OldStart, ins: r.NewEnd - r.NewStart,
		})
	}
	return changes
}

// regions compares two lists by patience diff, and by Myers' algorithm what that
// leaves over, as long as it is small.
func (c *comparison) regions(old, new []string) []Region {
	oldIDs, newIDs, different := number(old, new)
	var all []Region
	comparePatience(oldIDs, newIDs, different, func(r Region) {
		n := r.OldEnd - r.OldStart + r.NewEnd - r.NewStart
		if r.OldStart == r.OldEnd || r.NewStart == r.NewEnd || n > maxMyers || n*n > c.budget {
			all = extend(all, r)
			return
		}
		c.budget -= n * n
		all = shortest(all, oldIDs, newIDs, r)
	})
	return all
}

// extend appends a region, or joins it to the one before when they touch.
func extend(all []Region, r Region) []Region {
	if r.OldStart == r.OldEnd && r.NewStart == r.NewEnd {
		return all
	}
	if n := len(all); n > 0 && all[n-1].OldEnd == r.OldStart && all[n-1].NewEnd == r.NewStart {
		all[n-1].OldEnd, all[n-1].NewEnd = r.OldEnd, r.NewEnd
		return all
	}
	return append(all, r)
}

// shortest appends the shortest edit script of a small region, which is Myers'.
func shortest(all []Region, old, new []int32, r Region) []Region {
	i, j := r.OldStart, r.NewStart
	for _, e := range myers.ComputeEdits("", asLines(old[i:r.OldEnd]), asLines(new[j:r.NewEnd])) {
		// Spans count lines from 1; an edit replaces whole lines.
		start, end := r.OldStart+e.Span.Start().Line()-1, r.OldStart+e.Span.End().Line()-1
		j += start - i
		inserted := CountLines(e.NewText)
		all = extend(all, Region{start, end, j, j + inserted})
		i, j = end, j+inserted
	}
	return all
}

// asLines writes numbers as the lines that the library compares.
func asLines(ids []int32) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(strconv.Itoa(int(id)))
		b.WriteByte('\n')
	}
	return b.String()
}
