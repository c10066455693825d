package main

import (
	"fmt"
	"strings"
)

const (
	lowRecall  = 0.8 // a part of the content was lost
	highRecall = 0.9 // nearly all was found
)

// recall counts how much of the labelled content one system found, and how often it
// warned.
type recall struct {
	sum                 float64
	pages               int
	low, lowWarned      int
	high, falselyWarned int
}

// add counts a page.
func (r *recall) add(found float64, warned bool) {
	r.sum += found
	r.pages++
	switch {
	case found < lowRecall:
		r.low++
		if warned {
			r.lowWarned++
		}
	case found > highRecall:
		r.high++
		if warned {
			r.falselyWarned++
		}
	}
}

// reportRecall writes what each system found of the labelled content.
func reportRecall(b *strings.Builder, results []*result) {
	fmt.Fprintf(b, "\nrecall of the labelled pages, and the share of pages that were warned of\n%-16s%10s%12s%14s%14s\n", "", "recall", "below .8", "of those", "of above .9")
	for _, r := range results {
		k := r.recall
		if k.pages == 0 {
			continue
		}
		fmt.Fprintf(b, "%-16s%10.3f%12s%14s%14s\n", r.name, k.sum/float64(k.pages), part(k.low, k.pages), part(k.lowWarned, k.low), part(k.falselyWarned, k.high))
	}
}
