package notebook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// drawn is a notebook as encoding/json holds it. Its keys are written sorted, as
// nbformat writes them.
type drawn map[string]any

// layouts are the ways in which programs write notebooks: "" is all in one line.
var layouts = []string{" ", "  ", "\t", ""}

func (d drawn) in(t *testing.T, indent string) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (d drawn) cells() []any { return d["cells"].([]any) }

// source returns the text of a cell.
func (d drawn) source(i int) string {
	switch s := d.cells()[i].(map[string]any)["source"].(type) {
	case string:
		return s
	case []string:
		return strings.Join(s, "")
	}
	return ""
}

// put gives a cell another source, in the form that it has.
func (d drawn) put(i int, text string) {
	c := d.cells()[i].(map[string]any)
	if _, ok := c["source"].(string); ok {
		c["source"] = text
	} else {
		c["source"] = split(text)
	}
}

// split returns a text as a list of its lines with their ends.
func split(text string) []string {
	all := strings.SplitAfter(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

var words = []string{"x = 1", "print(\"hi\")", "s = 'a\\n'", "", "\té = \"ü\"  # 漢字 😀", "```", "# Title", "x = 1", "if a < b && c > d:", "\\", "\x01\x1f\x7f"}

func draw(r *rand.Rand) drawn {
	var cells []any
	for i := range 1 + r.IntN(5) {
		kind := []string{"code", "markdown", "raw"}[r.IntN(3)]
		c := map[string]any{"cell_type": kind, "metadata": map[string]any{}, "id": fmt.Sprintf("c%d", i)}
		if kind == "code" {
			c["execution_count"] = nil
			c["outputs"] = []any{}
			if r.IntN(2) == 0 {
				c["outputs"] = []any{map[string]any{"output_type": "stream", "name": "stdout", "text": []string{"x = 1\n", "\"y\"\n"}}}
			}
		}
		c["source"] = split(some(r))
		if r.IntN(5) == 0 {
			c["source"] = some(r)
		}
		cells = append(cells, c)
	}
	return drawn{"cells": cells, "metadata": map[string]any{"language_info": map[string]any{"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
}

func some(r *rand.Rand) string {
	var all []string
	for range r.IntN(5) {
		all = append(all, words[r.IntN(len(words))])
	}
	return strings.Join(all, "\n")
}

// Whatever line of whatever cell changes, the file is what encoding/json writes of the
// notebook with that change: all else stays byte for byte.
func TestEditedAsAnEncoderWrites(t *testing.T) {
	t.Parallel()
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 1))
		d, indent := draw(r), layouts[seed%4]
		before := d.in(t, indent)
		c, err := notebook.Open(before)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var splices []diff.Splice
		for i := range d.cells() {
			if r.IntN(2) == 0 {
				continue
			}
			text := some(r)
			if strings.HasSuffix(d.source(i), "\n") != strings.HasSuffix(text, "\n") || strings.Contains(text, "<!-- cell") {
				continue // it ends as before
			}
			splices = append(splices, c.Replacing(i, text))
			d.put(i, text)
		}
		got, err := c.Edited(splices)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(d.in(t, indent), got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// A new cell stands in the file as an encoder writes it, and nothing stands there of one
// that is deleted.
func TestCellsComeAndGoAsAnEncoderWrites(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		d, indent := draw(r), layouts[seed%4]
		for i := range d.cells() {
			d.put(i, d.source(i))
			d.cells()[i].(map[string]any)["source"] = split(d.source(i)) // strings make new ones strings, too
		}
		before := d.in(t, indent)
		c, err := notebook.Open(before)
		if err != nil {
			t.Fatal(err)
		}
		cells := d.cells()
		i, kind, text := r.IntN(len(cells)+1), []string{"code", "markdown"}[r.IntN(2)], some(r)
		got, err := c.Inserted(i, kind, text)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		made := map[string]any{"cell_type": kind, "metadata": map[string]any{}, "source": split(text), "id": idOf(t, got, i)}
		if kind == "code" {
			made["execution_count"], made["outputs"] = nil, []any{}
		}
		d["cells"] = append(append(append([]any{}, cells[:i]...), made), cells[i:]...)
		if diff := cmp.Diff(d.in(t, indent), got); diff != "" {
			t.Fatalf("seed %d: insert: %s", seed, diff)
		}
		now, err := notebook.Open(got)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := now.Deleted(i); err != nil || back != before {
			t.Fatalf("seed %d: delete: %v\n%s", seed, err, cmp.Diff(before, back))
		}
	}
}

func idOf(t *testing.T, src string, i int) string {
	t.Helper()
	var f struct{ Cells []struct{ ID string } }
	if err := json.Unmarshal([]byte(src), &f); err != nil {
		t.Fatal(err)
	}
	return f.Cells[i].ID
}

func TestRetyped(t *testing.T) {
	t.Parallel()
	d := draw(rand.New(rand.NewPCG(3, 3)))
	d["cells"] = []any{map[string]any{"cell_type": "code", "execution_count": 3, "id": "a", "metadata": map[string]any{"tags": []any{"x"}}, "outputs": []any{}, "source": []string{"a\n", "b"}}}
	c, err := notebook.Open(d.in(t, " "))
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Retyped(0, "markdown", "# A")
	if err != nil {
		t.Fatal(err)
	}
	d["cells"] = []any{map[string]any{"cell_type": "markdown", "id": "a", "metadata": map[string]any{"tags": []any{"x"}}, "source": []string{"# A"}}}
	if diff := cmp.Diff(d.in(t, " "), got); diff != "" {
		t.Error(diff)
	}
}

// form is a notebook in nobody's layout.
const form = `{"cells":[{"cell_type":"code","source":["a\nb", "\u00e9\n","c"]  ,"outputs":[]},
{"cell_type":"markdown","source":"q\u000ar \/"},{"source":{"no":"text"}},{"cell_type":"code","source":["\ud800 x\n","y"]}],"nbformat":4}`

// What an encoder would not write is kept as it is, in lines that stay.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, from, to string }{
		{"\nc\n", "\nd\n", `,"c"]`, `,"d"]`},
		{"a\nb", "a", `"a\nb", `, `"a", `},
		{"é\n", "ü\"\n", `"\u00e9\n"`, `"\u00fc\"\n"`},
		{"r /", "R", `\u000ar \/"`, `\u000aR"`},
		{"y", "z", `"y"`, `"z"`},
	} {
		n, err := notebook.Open(form)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(n.Text, c.old)
		got, err := n.Edited([]diff.Splice{{Start: at, End: at + len(c.old), Text: c.new}})
		if want := strings.Replace(form, c.from, c.to, 1); err != nil || got != want {
			t.Errorf("%q: %v\n%s\n%s", c.old, err, got, want)
		}
	}
}

func TestEditedRefuses(t *testing.T) {
	t.Parallel()
	n, err := notebook.Open(form)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new string }{
		{"<!-- cell 1", "<!-- cell 9"},
		{"\nc\n```\n", "\nc\n"},
		{"\nc\n```\n", "\nc\n```\n\n<!-- cell 2: code -->\n```\nz\n```\n"},
		{"\nc", "\nc\n<!-- cell 2: code -->\nz"},
		{"text", "words"},
		{"\ufffd x", "x"},
	} {
		at := strings.Index(n.Text, c.old)
		if at < 0 {
			t.Fatalf("%q is not in %s", c.old, n.Text)
		}
		if got, err := n.Edited([]diff.Splice{{Start: at, End: at + len(c.old), Text: c.new}}); !fault.Is(err, fault.UnsupportedContent) {
			t.Errorf("%q: %v %s", c.old, err, got)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	n, err := notebook.Open(`{"nbformat":4,"cells":[{"id":"a"},{"id":"1"},{"id":"2"},{}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"a": 0, "4": 3, "cell 3": 2, "cell 4": 3, "1": fault.TextAmbiguous, "5": fault.NotFound, "0": fault.NotFound, "cell-1": fault.NotFound, "b": fault.NotFound} {
		i, err := n.Find(name)
		code, refused := want.(fault.Code)
		if refused != (err != nil) || refused && !fault.Is(err, code) || !refused && i != want {
			t.Errorf("%s: %d %v", name, i, err)
		}
	}
}

func FuzzEdited(f *testing.F) {
	f.Add(form, 30, 31, "x\"\n")
	f.Add(v4, 60, 64, "\u2028")
	f.Add(`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":["1+1"]}]}]}`, 25, 28, "é")
	f.Fuzz(func(t *testing.T, src string, from, to int, text string) {
		n, err := notebook.Open(src)
		if err != nil || from < 0 || to < from || to > len(n.Text) {
			return
		}
		got, err := n.Edited([]diff.Splice{{Start: from, End: to, Text: text}})
		if err != nil {
			return
		}
		if !json.Valid([]byte(got)) {
			t.Fatalf("%q is no JSON", got)
		}
		if back, err := notebook.Open(got); err != nil {
			t.Fatal(err)
		} else if lines := strings.Count(back.Text, "\n"); lines > strings.Count(n.Text, "\n")+strings.Count(text, "\n")+1 {
			t.Fatalf("%d lines more", lines)
		}
	})
}
