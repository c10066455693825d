package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// guide is a document of several sections.
const guide = `# Guide

What it is for.

## Install

Download the archive and unpack it.

### Linux

Run ` + "`apt install kettle`" + ` as **root**, then see [the notes](https://example.org/notes).

### Windows

Run the installer.

## Configure

The file names a _timeout_ and a retry.

` + "```sh\n# not a heading\nkettle --max-retries 3\n```" + `

Nothing else is needed.

## Examples

Café in Zürich, and the Ｗｉｄｅ letters.

配置文件的位置取决于系统。

## Install

Another one of that name.
`

func searched(t *testing.T, d *Document, words string) string {
	t.Helper()
	s, err := d.Search(words, d.Whole())
	if err != nil {
		return fault.As(err).Error()
	}
	f, err := s.From(0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return f.Content
}

func TestFind(t *testing.T) {
	d := &Document{Content: guide, Format: Markdown}
	for words, want := range map[string][]string{
		"apt root":          {"apt install kettle", "Guide > Install > Linux"},
		"linux apt":         {"apt install kettle"},
		"the retry":         {"a retry"},
		"timeouts":          {"_timeout_"},
		"retries":           {"--max-retries"},
		"\"as root\"":       {"as **root**"},
		"“unpack it”":       {"unpack it"},
		"ZURICH cafe":       {"Café in Zürich"},
		"wide":              {"Ｗｉｄｅ"},
		"配置文件":              {"配置文件的位置", "Guide > Examples"},
		"文件配置的地方":           {"配置文件的位置"}, // by its parts
		"example.org/notes": {"the notes"},
		"archive needed":    {"Download the archive", "Nothing else is needed"}, // not together
		"nstaller":          {"Run the installer"},                              // inside a word
		"the":               {"Download the archive"},
	} {
		got := searched(t, d, words)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in\n%s", words, w, got)
			}
		}
	}
	const want = "[… start=111: Guide > Install > Linux]\n\n### Linux\n\nRun `apt install kettle` as **root**, then see [the notes](https://example.org/notes).\n\n[…]\n"
	if diff := cmp.Diff(strings.Replace(want, "111", fmt.Sprint(strings.Index(guide, "### Linux")), 1), searched(t, d, "kettle root")); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
}

func TestFindWhatIsNotThere(t *testing.T) {
	d := &Document{Content: guide, Format: Markdown}
	_, err := d.Search("archiev instal", d.Whole())
	if err != nil { // "instal" begins "install"
		t.Fatal(err)
	}
	_, err = d.Search("archvie", d.Whole())
	e := fault.As(err)
	details, _ := e.Details.(map[string]any)
	if e.Code != fault.TextNotFound || !slices.Equal(details["near"].([]string), []string{"archive"}) || len(details["headings"].([]candidate)) != 7 {
		t.Errorf("%v, %+v", err, details)
	}
	if _, err := d.Search(" \"\" ,", d.Whole()); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("no words: %v", err)
	}
	s, err := d.Search("archive sparrow", d.Whole())
	if err != nil || !slices.Equal(s.Missing, []string{"sparrow"}) {
		t.Errorf("%+v, %v", s, err)
	}
}

// A search goes on where it stopped, and what follows it can be read on.
func TestFindInParts(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "## Step %d\n\nThe kettle of step %d is wärm, and says so at some length.\n\nThe end of it.\n\n", i, i)
	}
	d := &Document{Content: b.String(), Format: Markdown}
	s, err := d.Search("kettle", d.Whole())
	if err != nil {
		t.Fatal(err)
	}
	seen, start := 0, 0
	for {
		f, err := s.From(start, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if n := utf8.RuneCountInString(f.Content); n > 1000 {
			t.Errorf("%d characters", n)
		}
		for _, p := range f.Passages {
			part, err := d.Part(p.Start, p.End-p.Start)
			if err != nil || !strings.Contains(f.Content, strings.TrimSpace(part.Content)) || p.Heading != fmt.Sprintf("Step %d", seen) {
				t.Fatalf("%+v: %q, %v", p, part.Content, err)
			}
			seen++
		}
		if f.Next == 0 {
			break
		}
		start = f.Next
	}
	if seen != 200 {
		t.Errorf("%d passages", seen)
	}
	if _, err := s.From(utf8.RuneCountInString(d.Content), 1000); !fault.Is(err, fault.OutOfRange) {
		t.Errorf("behind the last: %v", err)
	}
}

// A match in the middle of a line that never ends is shown, not its beginning.
func TestFindInALongLine(t *testing.T) {
	for _, format := range []Format{Raw, Text, HTML, Markdown} {
		d := &Document{Content: strings.Repeat("wörd ", 10_000) + "kettle " + strings.Repeat("wörd ", 10_000), Format: format}
		s, err := d.Search("kettle", d.Whole())
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.From(0, 4000)
		if err != nil || len(f.Passages) != 1 || !strings.Contains(f.Content, "kettle") || f.Next != 0 || f.Passages[0].Start < 40_000 {
			t.Errorf("%s: %+v, %v", format, f.Passages, err)
		}
	}
}

// The time of a search grows with the length of a document, however it is made: each of
// these took minutes while it grew with its square.
func TestFindInOddDocuments(t *testing.T) {
	times := 100_000
	if raceDetector {
		times /= 10
	}
	for name, content := range map[string]string{
		"ideographs":   strings.Repeat("配置文件的位置取决于系统。", times),
		"ends of tags": strings.Repeat(">", 20*times),
		"open links":   strings.Repeat("[a](b", 5*times),
	} {
		for _, format := range []Format{Markdown, Text, HTML} {
			d := &Document{Content: content, Format: format, Outline: []Heading{{Level: 1, Text: "sparrow"}}}
			if _, err := d.Search("sparrow", d.Whole()); !fault.Is(err, fault.TextNotFound) {
				t.Errorf("%s as %s: %v", name, format, err)
			}
			if _, err := d.Section("sparrow"); !fault.Is(err, fault.TextNotFound) {
				t.Errorf("%s as %s: %v", name, format, err)
			}
		}
	}
}

func TestSection(t *testing.T) {
	d := &Document{Content: guide, Format: Markdown}
	for name, want := range map[string]string{
		"Linux":             "Guide > Install > Linux",
		"windows":           "Guide > Install > Windows",
		"#configure":        "Guide > Configure",
		"## Configure":      "Guide > Configure",
		"config":            "Guide > Configure",
		"install > linux":   "Guide > Install > Linux",
		"Guide":             "Guide",
		"the configuration": "",
		"not a heading":     "",
		"sparrow":           "",
		"#":                 "",
		"":                  "",
	} {
		s, err := d.Section(name)
		if (want == "") != (err != nil) || s.Heading != want {
			t.Errorf("%q: %+v, %v", name, s, err)
		}
	}
	_, err := d.Section("Install")
	e := fault.As(err)
	details, _ := e.Details.(map[string]any)
	if e.Code != fault.TextAmbiguous || len(details["headings"].([]candidate)) != 2 {
		t.Errorf("%v, %v", err, details)
	}
	s, err := d.Section("Configure")
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.PartOf(s, 0, 10_000)
	if err != nil || !strings.HasPrefix(p.Content, "## Configure") || !strings.HasSuffix(p.Content, "needed.\n\n") || p.Start != s.Start || p.Next != 0 || p.Total != utf8.RuneCountInString(guide) {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := d.PartOf(s, 0, 60); err != nil || p.Next <= s.Start || p.Next >= s.End {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := d.PartOf(s, s.End, 60); !fault.Is(err, fault.OutOfRange) {
		t.Errorf("%v", err)
	}
	if _, err := d.Search("archive", s); !fault.Is(err, fault.TextNotFound) {
		t.Errorf("found outside the section: %v", err)
	}
}

const anchored = `<!doctype html><title>API</title><main><h1>Module kettle</h1><p>What it is about, in a sentence or two, with a comma.</p>
<section id=boil><h2>Boiling</h2><p>Water boils at a hundred degrees, more or less, as everybody knows.</p></section>
<a name=old></a><h2>Pouring <a href="#pour" id=pour>¶</a></h2><p>Pouring is done by hand, and with some care, so that nothing is spilt.</p>
<dl><dt id=kettle.fill>kettle.fill(litres)</dt><dd>Fills it with so many litres of water, unless it is full.</dd><dt id=kettle.empty>kettle.empty()</dt><dd>Empties it.</dd></dl>
<h2 id="%C3%BCber">Über</h2><p>The rest of it, which is about as long as the other paragraphs are.</p></main>`

// The ids of a page lead to its sections, in every format.
func TestAnchors(t *testing.T) {
	for _, format := range []Format{Markdown, Text} {
		d, err := Read(Source{Text: anchored, MIME: "text/html", URL: address}, Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		for id, begins := range map[string]string{"boil": "Boiling", "old": "Pouring", "pour": "Pouring", "kettle.fill": "kettle.fill(litres)", "Boiling": "Boiling", "uber": "Über"} {
			s, err := d.Section("#" + id)
			if err != nil {
				t.Errorf("%s as %s: %v", id, format, err)
				continue
			}
			p, err := d.PartOf(s, 0, 1000)
			if err != nil || !strings.HasPrefix(strings.TrimLeft(p.Content, "#* -"), begins) || strings.Contains(p.Content, "Empties") && id == "kettle.fill" {
				t.Errorf("%s as %s: %q, %v", id, format, p.Content, err)
			}
		}
	}
	d, err := Read(Source{Text: anchored, MIME: "text/html", URL: address}, Options{Format: HTML})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := d.Section("boiling"); err != nil || s.Start == 0 {
		t.Errorf("%+v, %v\n%s", s, err, d.Content)
	}
}

func TestSectionsOfText(t *testing.T) {
	d := &Document{Content: "Title\n=====\n\nAbout it.\n\n1. Scope\n\nThis is the scope.\n\n1.1 Details\n\nMore of it.\n\n2. Terms\n\nThese are terms.\n", Format: Text}
	s, err := d.Section("scope")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := d.PartOf(s, 0, 1000); err != nil || p.Content != "1. Scope\n\nThis is the scope.\n\n1.1 Details\n\nMore of it.\n\n" {
		t.Errorf("%q, %v", p.Content, err)
	}
}

// FuzzWithin checks that sections and passages are parts of the document at the offsets
// that they name, and that a search ends.
func FuzzWithin(f *testing.F) {
	f.Add(guide, "kettle root", "install", uint8(0), uint16(300))
	f.Add(anchored, "litres \"of water\"", "#pour", uint8(4), uint16(100))
	f.Add("a\n=\n\n1. b\n\n配置 [x](y", "配置文件 \"b", "1. b > a", uint8(1), uint16(1))
	f.Add("<h1 id=x>a<h2>b</h1>\xf0", "a b", "#x", uint8(2), uint16(50))
	formats := []Format{Markdown, Text, HTML, Raw}
	f.Fuzz(func(t *testing.T, text, words, name string, kind uint8, most uint16) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		d := &Document{Content: text, Format: formats[kind%4]}
		if kind >= 4 {
			var err error
			if d, err = Read(Source{Text: text, MIME: "text/html", URL: address}, Options{Format: d.Format, Whole: true}); err != nil {
				return
			}
		}
		chars, within := []rune(d.Content), d.Whole()
		if s, err := d.Section(name); err == nil {
			if within = s; s.Start < 0 || s.End <= s.Start || s.End > len(chars) {
				t.Fatalf("%+v of %d characters", s, len(chars))
			}
			if p, err := d.PartOf(s, 0, int(most)+1); err != nil || string(chars[p.Start:p.Start+utf8.RuneCountInString(p.Content)]) != p.Content || p.Next > s.End {
				t.Fatalf("%+v, %v", p, err)
			}
		}
		search, err := d.Search(words, within)
		if err != nil {
			return
		}
		for start, rounds := 0, 0; rounds < 50; rounds++ {
			f, err := search.From(start, int(most)+100)
			if err != nil {
				t.Fatalf("from %d: %v", start, err)
			}
			if n := utf8.RuneCountInString(f.Content); n > int(most)+100 {
				t.Fatalf("%d characters, at most %d", n, int(most)+100)
			}
			rest := f.Content
			for _, p := range f.Passages {
				piece := strings.TrimRight(string(chars[p.Start:p.End]), "\n")
				at := strings.Index(rest, piece)
				if p.Start < max(start, within.Start) || p.End > within.End || at < 0 {
					t.Fatalf("%+v within %+v: %q is not in %q", p, within, piece, rest)
				}
				rest = rest[at+len(piece):]
			}
			if f.Next == 0 {
				break
			}
			if f.Next <= start {
				t.Fatalf("%d after %d", f.Next, start)
			}
			start = f.Next
		}
	})
}

// What is not found on a page without headings lists none of them: the list is empty and
// not null.
func TestFindWithoutHeadings(t *testing.T) {
	d := &Document{Content: "a text\n", Format: Markdown}
	_, err := d.Search("zebra", d.Whole())
	details, _ := fault.As(err).Details.(map[string]any)
	if list, ok := details["headings"].([]candidate); !fault.Is(err, fault.TextNotFound) || !ok || list == nil {
		t.Errorf("%v: %#v", err, details)
	}
}
