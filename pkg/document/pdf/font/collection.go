package font

import (
	"cmp"
	_ "embed" // the table below
	"fmt"
	"slices"
	"strings"
)

// cids leads from the CIDs of Adobe's character collections to the codes of the character
// sets that they follow: a line for each, with ranges such as 633-695:8140. The codes are
// those of 90ms-RKSJ-H, GB-EUC-H, ETen-B5-H and KSCms-UHC-H.
//
//go:embed cids.txt
var cids string

// collection is a character collection: 9.7.3.
type collection struct {
	coding coding
	ranges []codeRange // sorted
}

// codeRange are the CIDs from first to last, whose codes begin with code.
type codeRange struct{ first, last, code uint32 }

// newCollection returns a collection by its ordering; nil if it is none of those.
func newCollection(ordering string) *collection {
	c := &collection{}
	switch ordering {
	case "Japan1":
		c.coding = shiftJIS
	case "GB1":
		c.coding = gbk
	case "CNS1":
		c.coding = big5
	case "Korea1":
		c.coding = uhc
	default:
		return nil
	}
	for line := range strings.Lines(cids) {
		ranges, ok := strings.CutPrefix(line, ordering+" ")
		if !ok {
			continue
		}
		for text := range strings.FieldsSeq(ranges) {
			var r codeRange
			if _, err := fmt.Sscanf(text, "%d-%d:%x", &r.first, &r.last, &r.code); err == nil {
				c.ranges = append(c.ranges, r)
			}
		}
	}
	return c
}

// text returns what a CID means; nothing for one that is in no character set, such as a
// variant of a glyph.
func (c *collection) text(cid uint32) string {
	if cid >= 1 && cid <= 95 {
		return string(rune(' ' + cid - 1)) // ASCII comes first in all of them
	}
	i, found := slices.BinarySearchFunc(c.ranges, cid, func(r codeRange, cid uint32) int { return cmp.Compare(r.first, cid) })
	if !found {
		i--
	}
	if i < 0 || cid > c.ranges[i].last {
		return ""
	}
	code := c.ranges[i].code + cid - c.ranges[i].first
	return c.coding.text([]byte{byte(code >> 8), byte(code)})
}
