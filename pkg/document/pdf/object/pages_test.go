package object_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// document writes a file of objects with numbers from 1, the catalog first, and a table.
func document(objects ...string) []byte {
	var b strings.Builder
	b.WriteString("%PDF-1.7\n")
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table, len(objects)+1, start)
	return []byte(b.String())
}

func TestPages(t *testing.T) {
	many := strings.Repeat("3 0 R ", 1000)
	for _, c := range []struct {
		name    string
		objects []string
		want    string // of each page: its object, the width of its boxes, its rotation
	}{
		{
			"inherited", []string{
				"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 200 100]/Rotate 90>>",
				"<</Type/Page/Parent 2 0 R>>", "<</Type/Pages/Kids[5 0 R]/CropBox[50 0 10 10]>>", "<</Type/Page/Rotate -180/MediaBox[0 0 30 30]>>",
			}, "3:200,200,90 5:30,30,180",
		},
		{"a million claimed", []string{"<</Pages 2 0 R>>", "<</Type/Pages/Count 1000000/Kids[3 0 R]>>", "<</Type/Page>>"}, "3:612,612,0"},
		{"cycle", []string{"<</Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R 4 0 R 3 0 R]>>", "<</Type/Page>>", "<</Type/Pages/Kids[2 0 R 4 0 R]>>"}, "3:612,612,0"},
		{"no types", []string{"<</Pages 2 0 R>>", "<</Kids[3 0 R 4 0 R]>>", "<</Contents 9 0 R>>", "<</Kids[]>>"}, "3:612,612,0"},
		{"one page alone", []string{"<</Pages 2 0 R>>", "<</Type/Page/MediaBox[0 0 5 5]/Rotate 45>>"}, "2:5,5,0"},
		{"missing pages", []string{"<</Pages 2 0 R>>", "<</Type/Pages/Kids[9 0 R 3 0 R null (x)]>>", "<</Type/Page>>"}, "3:612,612,0"},
		{"a direct page", []string{"<</Pages 2 0 R>>", "<</Type/Pages/Kids[<</Type/Page/MediaBox[0 0 7 7]>>]>>"}, "0:7,7,0"},
		{"no tree", []string{"<</Type/Catalog/Pages 7 0 R>>", "<</Type/Page/Parent 4 0 R>>", "<</Type/Page>>", "<</Rotate 270/Parent 4 0 R>>"}, "2:612,612,270 3:612,612,0"},
		{"no catalog", []string{"<<>>", "<</Type/Page>>"}, "2:612,612,0"},
		{"the same again", []string{"<</Pages 2 0 R>>", "<</Kids[" + many + "]>>", "<</Type/Page>>"}, strings.TrimSpace(strings.Repeat("3:612,612,0 ", 1000))},
		{"children counted", []string{ // where pages should be
			"<</Pages 2 0 R>>", "<</Count 3/Kids[3 0 R 3 0 R 4 0 R]>>", "<</Type/Page>>", "<</Type/Pages/Count 2/Kids[5 0 R 6 0 R]>>", "<</Type/Page>>", "<</Type/Page>>",
		}, "3:612,612,0 3:612,612,0 5:612,612,0 6:612,612,0"},
		{"a node of one page", []string{
			"<</Pages 2 0 R>>", "<</Count 3/Kids[3 0 R 4 0 R 3 0 R]>>", "<</Type/Page>>", "<</Type/Pages/Rotate 90/Kids[5 0 R]>>", "<</Type/Page/Parent 4 0 R>>",
		}, "3:612,612,0 5:612,612,90 3:612,612,0"},
		{"a node in a circle", []string{
			"<</Pages 2 0 R>>", "<</Count 3/Kids[3 0 R 4 0 R 3 0 R]>>", "<</Type/Page>>", "<</Type/Pages/Kids[4 0 R]>>",
		}, "3:612,612,0 4:612,612,0 3:612,612,0"},
		{"references in a circle", []string{"<</Pages 2 0 R>>", "3 0 R", "2 0 R"}, ""},
	} {
		f, err := open(document(c.objects...), "")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for p := range f.Pages() {
			got = append(got, fmt.Sprintf("%d:%v,%v,%d", p.Ref.Num, p.MediaBox.X1, p.CropBox.X1, p.Rotate))
			if p.Ref.Num > 0 && f.PageNumber(p.Ref) == 0 {
				t.Errorf("%s: page %d has no number", c.name, p.Number)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

func TestContents(t *testing.T) {
	f, err := open(document("<</Pages 2 0 R>>", "<</Kids[3 0 R]>>", "<</Contents[4 0 R 9 0 R 5 0 R 4 0 R]>>",
		"<</Length 3>>stream\nq Q\nendstream", "<</Length 99/Filter/AHx>>stream\r\n 42 5 4>\r\nendstream"), "")
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.Contents(f.Page(1))
	if want := "q Q\n\nBT\nq Q\n"; err != nil || string(data) != want {
		t.Errorf("%q, %v", data, err)
	}
	if f.Page(0) != nil || f.Page(2) != nil {
		t.Error("pages that are not there")
	}
}

// A node that stands at many places of the tree is walked once: else this tree of 64 nodes
// had 2^60 pages.
func TestPagesOfSharedNodes(t *testing.T) {
	objects := []string{"<</Pages 2 0 R>>"}
	for n := range 60 {
		objects = append(objects, fmt.Sprintf("<</Type/Pages/Kids[%d 0 R %d 0 R]>>", n+3, n+3))
	}
	f, err := open(document(append(objects, "<</Type/Page>>")...), "")
	if err != nil {
		t.Fatal(err)
	}
	if n := f.PageCount(); n != 2 {
		t.Errorf("%d pages", n)
	}
	if p := f.Page(1); f.Name(p.Dict["Type"]) != object.Name("Page") {
		t.Errorf("page 1: %v", p.Dict)
	}
}

// Nodes without a number that lead to themselves are many, but not without end.
func TestEndlessNodes(t *testing.T) {
	f, err := open(document("<</Pages 2 0 R>>", "<</Kids 3 0 R>>", "[<</Kids 3 0 R>><</Kids 3 0 R>>]"), "")
	if err != nil {
		t.Fatal(err)
	}
	if n := f.PageCount(); n != 0 {
		t.Errorf("%d pages", n)
	}
}
