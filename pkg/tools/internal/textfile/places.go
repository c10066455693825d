package textfile

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// A text names up to placesListed places, of more the first placesShown; and it shows up to
// placesShown hunks, of each up to hunkLines.
const (
	placesListed = 4
	placesShown  = 2
	hunkLines    = 24
)

// Places says where changes are now. Of the changes, of which there are total, the first may
// be all that is known.
func Places(at []edit.LineRange, total int) fault.Text {
	if total == 1 && len(at) == 1 {
		return at[0].Text()
	}
	names := make([]string, min(len(at), placesListed))
	for i := range names {
		names[i] = strconv.Itoa(at[i].Start)
		if at[i].End > at[i].Start {
			names[i] += "-" + strconv.Itoa(at[i].End)
		}
	}
	if total > placesListed && len(names) >= placesShown {
		return fault.T("%d places, the first at lines %s", total, strings.Join(names[:placesShown], ", "))
	}
	return fault.T("%d places, at lines %s", total, strings.Join(names, ", "))
}

// Grown says by how many lines a file changed, if that moves the lines below; "" otherwise.
func Grown(v screen.View, added, removed int) string {
	if added == removed {
		return ""
	}
	return v.Say(fault.T(", +%d -%d lines", added, removed))
}

// Hunks returns the first hunks of a diff that show one of the places, and says how many
// more do.
func Hunks(v screen.View, all []diff.Hunk, places []edit.LineRange) string {
	var b strings.Builder
	shown, left := 0, 0
	for _, h := range all {
		switch {
		case !showsAny(h, places):
		case shown < placesShown:
			shown++
			b.WriteString(head(v, h.Text))
		default:
			left++
		}
	}
	if left > 0 {
		b.WriteString(v.Say(fault.T("[%d more hunks like these; read shows them]", left)) + "\n")
	}
	return b.String()
}

func showsAny(h diff.Hunk, places []edit.LineRange) bool {
	for _, p := range places {
		if p.Start <= max(h.End, h.Start) && max(p.End, p.Start) >= h.Start {
			return true
		}
	}
	return false
}

// head returns the first lines of a hunk, and says how many more it has.
func head(v screen.View, hunk string) string {
	lines := strings.SplitAfter(hunk, "\n")
	if n := len(lines) - 1; n > hunkLines {
		return strings.Join(lines[:hunkLines], "") + v.Say(fault.T("[%d more lines]", n-hunkLines)) + "\n"
	}
	return hunk
}
