package sheet

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
)

// Outline lists the sheets and names of a book.
type Outline struct {
	Sheets []SheetOutline `json:"sheets"`
	Names  []string       `json:"names,omitzero"` // "Tax = Sales!$B$1"
	// More says how many sheets and names are not listed.
	MoreSheets int `json:"more_sheets,omitzero"`
	MoreNames  int `json:"more_names,omitzero"`
}

// SheetOutline describes a sheet. The dimension is the range of cells that the file
// claims to use.
type SheetOutline struct {
	Name      string   `json:"name"`
	State     State    `json:"state,omitzero"` // of a hidden one
	Kind      Kind     `json:"kind,omitzero"`  // if it is no worksheet
	Dimension string   `json:"dimension,omitzero"`
	Tables    []string `json:"tables,omitzero"` // "Orders A1:F20"
	Images    int      `json:"images,omitzero"`
	Charts    int      `json:"charts,omitzero"`
}

// maxOutline limits the bytes of an outline as JSON.
const maxOutline = 2000

// mostTables limits the tables of a sheet that an outline lists.
const mostTables = 10

// OutlineOf lists what a book has in it, reading no rows, within maxOutline. With an error of
// the file the outline has what could be read.
func OutlineOf(ctx context.Context, book Book) (*Outline, error) {
	o := &Outline{}
	var failed error // the first
	sheets := book.Sheets()
	left := maxOutline - len(`{"sheets":[],"names":[],"more_sheets":10000,"more_names":10000}`)
	for i, s := range sheets {
		survey, err := book.Survey(ctx, i)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failed = cmp.Or(failed, err)
		one := SheetOutline{Name: clip(s.Name), Images: survey.Images, Charts: survey.Charts}
		if s.State != Visible {
			one.State = s.State
		}
		if s.Kind != Worksheet {
			one.Kind = s.Kind
		}
		if survey.Used.Top > 0 {
			one.Dimension = survey.Used.cells()
		}
		for j := range survey.Tables {
			if j == mostTables {
				one.Tables = append(one.Tables, "…")
				break
			}
			one.Tables = append(one.Tables, clip(survey.Tables[j].Name)+" "+survey.Tables[j].Range.cells())
		}
		if left -= sizeOf(one) + 1; left < 0 {
			o.MoreSheets = len(sheets) - i
			return o, failed
		}
		o.Sheets = append(o.Sheets, one)
	}
	names, err := book.Names(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	failed = cmp.Or(failed, err)
	for i := range names {
		n := &names[i]
		if n.Hidden || n.Table != nil {
			continue
		}
		text := clip(n.Name) + " = " + clip(strings.TrimPrefix(n.Refers, "="))
		if n.Sheet >= 0 && n.Sheet < len(sheets) {
			text = quote(sheets[n.Sheet].Name) + "!" + text
		}
		if left -= sizeOf(text) + 1; left < 0 {
			o.MoreNames++
			continue
		}
		o.Names = append(o.Names, text)
	}
	return o, failed
}

func sizeOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return maxOutline
	}
	return len(b)
}

// Lines renders the outline for people and models, a sheet a line.
func (o *Outline) Lines() string {
	var b strings.Builder
	for i, s := range o.Sheets {
		b.WriteString(strconv.Itoa(i+1) + ". " + quoteName(s.Name))
		var about []string
		if s.State != "" {
			about = append(about, string(s.State))
		}
		if s.Kind != "" {
			about = append(about, string(s.Kind)+" sheet")
		}
		if s.Dimension != "" {
			about = append(about, s.Dimension)
		}
		if len(s.Tables) > 0 {
			about = append(about, "tables: "+strings.Join(s.Tables, ", "))
		}
		if s.Images > 0 {
			about = append(about, counted(s.Images, "image"))
		}
		if s.Charts > 0 {
			about = append(about, counted(s.Charts, "chart"))
		}
		if len(about) > 0 {
			b.WriteString(" – " + plain(strings.Join(about, "; ")))
		}
		b.WriteByte('\n')
	}
	if o.MoreSheets > 0 {
		b.WriteString("… and " + strconv.Itoa(o.MoreSheets) + " more sheets\n")
	}
	for _, n := range o.Names {
		b.WriteString("- " + plain(n) + "\n")
	}
	if o.MoreNames > 0 {
		b.WriteString("… and " + strconv.Itoa(o.MoreNames) + " more names\n")
	}
	return b.String()
}

// counted returns "1 image" or "2 images".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
