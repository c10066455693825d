package markdown

import (
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	cells := func(rows int) string {
		return "<table><tr><th colspan=50 rowspan=50>a" + strings.Repeat("<tr>"+strings.Repeat("<td>y", 100), rows) + "</table>"
	}
	for name, c := range map[string]struct {
		page, sign string
		want       int // how often the sign is in the Markdown
	}{
		"quotations":     {strings.Repeat("<blockquote>", 10) + "x", "> ", 10},
		"deeper ones":    {strings.Repeat("<blockquote>", 20) + "x", "> ", 10},
		"a wide cell":    {"<table><tr><th colspan=50>a<tr><td>b<td>c</table>", "---", 50},
		"a wider cell":   {"<table><tr><th colspan=60>a<tr><td>b<td>c</table>", "---", 50},
		"a grid":         {"<table><tr>" + strings.Repeat("<th>a", 500) + strings.Repeat("<tr><td>y<td>z", 580) + "</table>", "---", 500},
		"a larger grid":  {"<table><tr>" + strings.Repeat("<th>a", 500) + strings.Repeat("<tr><td>y<td>z", 620) + "</table>", "---", 0},
		"many cells":     {cells(170), "| a ", 50 * 50},
		"too many cells": {cells(180), "| a ", 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Of(body(t, c.page))
			if n := strings.Count(got, c.sign); err != nil || n != c.want {
				t.Errorf("%d times, want %d: %.80q, %v", n, c.want, got, err)
			}
		})
	}
}

// Elements beyond the depth lose their tags.
func TestMaxDepth(t *testing.T) {
	for depth, want := range map[int]string{79: "**x**\n", 81: "x\n"} {
		got, err := Of(body(t, strings.Repeat("<div>", depth)+"<b>x"))
		if err != nil || got != want {
			t.Errorf("%d deep: %q, %v", depth, got, err)
		}
	}
}
