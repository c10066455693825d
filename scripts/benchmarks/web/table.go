package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// result is the scores of one extractor.
type result struct {
	name   string
	scores map[string][]float64 // by kind of page
	of     []float64            // by sample
	shares [][2]float64         // precision and recall, by sample
	lost   []int                // characters that the system counts as perhaps missing, by sample
	recall recall
	kept   tally
	named  named
	times  []time.Duration
	failed int
}

// report writes the table.
func report(w io.Writer, results []*result, kinds []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "F1 of the words of the content (labelled: mean of the pages of all kinds but mozilla)\n%-16s%9s", "", "labelled")
	for _, k := range kinds {
		fmt.Fprintf(&b, "%9.8s", k)
	}
	b.WriteByte('\n')
	for _, r := range results {
		fmt.Fprintf(&b, "%-16s%9s", r.name, r.all(kinds))
		for _, k := range kinds {
			fmt.Fprintf(&b, "%9.3f", mean(r.scores[k]))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\nkept in Markdown, of what the reference holds; time a page, in one process\n%-16s%12s%12s%12s%12s%10s%10s%10s%10s%8s\n", "", "code", "languages", "cells", "headings", "dates", "authors", "median", "95%", "failed")
	for _, r := range results {
		k := r.kept
		fmt.Fprintf(&b, "%-16s%12s%12s%12s%12s%10s%10s%7.1f ms%7.1f ms%8d\n", r.name, part(k.code, k.codes), part(k.language, k.languages), part(k.cell, k.cells),
			part(k.heading, k.headings), part(r.named.date, r.named.dates), part(r.named.author, r.named.authors), milliseconds(quantile(r.times, 0.5)), milliseconds(quantile(r.times, 0.95)), r.failed)
	}
	reportRecall(&b, results)
	_, _ = io.WriteString(w, b.String())
}

// totals returns the scores of all pages, short.
func (r *result) totals() string {
	if len(r.times) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("F1 %s, recall below .8 %s, dates %s, authors %s, median %.1f ms, failed %d", r.all(slices.Collect(maps.Keys(r.scores))),
		part(r.recall.low, r.recall.pages), part(r.named.date, r.named.dates), part(r.named.author, r.named.authors), milliseconds(quantile(r.times, 0.5)), r.failed)
}

func (r *result) all(kinds []string) string {
	var all []float64
	for _, k := range kinds {
		if k != "mozilla" {
			all = append(all, r.scores[k]...)
		}
	}
	if len(all) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", mean(all))
}

// worst lists the pages with the lowest scores.
func (r *result) worst(w io.Writer, samples []sample, n int) {
	var order []int
	for i := range samples {
		if samples[i].kind == "mozilla" || samples[i].part() == seen {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(r.of[a], r.of[b]) })
	for _, i := range order[:min(n, len(order))] {
		_, _ = fmt.Fprintf(w, "%.3f (%.2f precision, %.2f recall, %d characters perhaps lost) %s %s %s\n", r.of[i], r.shares[i][0], r.shares[i][1], r.lost[i], samples[i].kind, samples[i].name, samples[i].url)
	}
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, f := range all {
		sum += f
	}
	return sum / float64(max(len(all), 1))
}

func part(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f/%d", float64(n)/float64(of), of)
}

func quantile(times []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[int(q*float64(len(sorted)-1))]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
