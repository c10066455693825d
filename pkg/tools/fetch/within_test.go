package fetch

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// manual is a long page of numbered chapters.
func manual() string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Manual</title><nav><a href=/>Imprint</a></nav><main><h1>Manual</h1>")
	for i := range 60 {
		fmt.Fprintf(&b, "<h2 id=c%d>Chapter %d</h2><p>The kettle of chapter %d boils water, and says so at some length, with a comma.</p><h3>Notes</h3><p>About valve%d and what it is good for, which is told here.</p>", i, i, i, i)
	}
	return b.String() + "</main>"
}

func TestWithin(t *testing.T) {
	w := newWorld(t, send(200, "text/html", manual()))
	all, err := w.fetch(func(a *Args) { a.MaxChars = 400_000 })
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.fetch(func(a *Args) { a.Find = "valve7" })
	if err != nil || len(r.Passages) != 1 || r.Passages[0].Heading != "Manual > Chapter 7 > Notes" || !strings.Contains(r.Content, "About valve7 and") || r.TotalChars != all.TotalChars || r.Truncated || len(w.warnings) > 0 {
		t.Errorf("%+v, %v, %v", r, w.warnings, err)
	}
	if read, err := w.fetch(func(a *Args) { a.Start = r.Passages[0].Start }); err != nil || !strings.HasPrefix(read.Content, "### Notes\n\nAbout valve7") {
		t.Errorf("read on: %.50q, %v", read.Content, err)
	}
	r, err = w.fetch(func(a *Args) { a.Section = "chapter 9" })
	if err != nil || r.Section == nil || !strings.HasPrefix(r.Content, "## Chapter 9\n") || !strings.HasSuffix(r.Content, "told here.\n\n") || r.Start != r.Section.Start || r.Truncated {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = w.fetch(func(a *Args) { a.Section, a.Find = "#c12", "kettle" })
	if err != nil || len(r.Passages) != 1 || !strings.Contains(r.Content, "of chapter 12") {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = w.fetch(func(a *Args) { a.Find = "kettle sparrow" }); err != nil || len(w.warnings) != 1 || !strings.Contains(w.warnings[0], "not in the text: sparrow") || r.NextStart == 0 && r.Truncated {
		t.Errorf("%+v, %v, %v", r, w.warnings, err)
	}
}

func TestWithinWhatIsNotThere(t *testing.T) {
	w := newWorld(t, send(200, "text/html", manual()))
	_, err := w.fetch(func(a *Args) { a.Find = "imprint" })
	if e := fault.As(err); e.Code != fault.TextNotFound || !strings.Contains(e.Hint.In(fault.English), "main=false") {
		t.Errorf("%v: %s", err, fault.As(err).Hint)
	}
	if r, err := w.fetch(func(a *Args) { a.Find, a.Main = "imprint", false }); err != nil || !strings.Contains(r.Content, "Imprint") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err = w.fetch(func(a *Args) { a.Section = "Notes" }); !fault.Is(err, fault.TextAmbiguous) {
		t.Errorf("%v", err)
	}
	if _, err = w.fetch(func(a *Args) { a.Section = "Weather" }); !fault.Is(err, fault.TextNotFound) {
		t.Errorf("%v", err)
	}
}

// The fragment of an address narrows nothing; a warning says where it leads.
func TestFragment(t *testing.T) {
	w := newWorld(t, send(200, "text/html", manual()))
	for fragment, warned := range map[string]bool{"c50": true, "c0": false, "nowhere": false, ":~:text=boils": false} {
		r, err := w.fetch(func(a *Args) { a.URL += "/#" + fragment; a.MaxChars = 1000 })
		if err != nil || r.Start != 0 || (len(w.warnings) > 0) != warned {
			t.Errorf("%s: %v, %v", fragment, w.warnings, err)
		}
	}
}

// Several pages that are searched share the budget by passages.
func TestSeveralWithin(t *testing.T) {
	w := newWorld(t, send(200, "text/html", manual()))
	for _, budget := range []int{150, 1000, 5000} {
		r, err := w.fetch(func(a *Args) {
			a.URL, a.URLs, a.Find, a.MaxChars = "", []string{w.url + "/a", w.url + "/b"}, "kettle", budget
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Pages {
			last := e.Passages[len(e.Passages)-1]
			if n := utf8.RuneCountInString(e.Content); n > max(budget/2, leastShare) || e.NextStart < last.End || !e.Truncated || !strings.Contains(e.Content, "…") {
				t.Errorf("%d of %d: %+v", n, budget, e.Page)
			}
		}
	}
}
