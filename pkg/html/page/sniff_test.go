package page

import (
	"net/url"
	"strings"
	"testing"
)

// A text is read as what it is where its type lies.
func TestSniffing(t *testing.T) {
	program := "package main\n\nimport \"fmt\"\n\n// main prints <b>bold</b> text.\nfunc main() {\n" + strings.Repeat("\tif a < b && c > d {\n\t\tfmt.Println(a)\n\t}\n", 20) + "}\n"
	long := "[" + strings.Repeat(`{"name":"kettle","price":3},`, 6000)
	for name, c := range map[string]struct {
		text, mime string
		literal    bool
		want       class
	}{
		"JSON":                            {`{"a":1}`, "text/html", false, jsonData},
		"a list in JSON":                  {" \ufeff\r\n[1,2,\"<p>\"]\n", "text/html", false, jsonData},
		"JSON with markup":                {`{"html":"<div><p>x</p></div>"}`, "text/html", false, jsonData},
		"JSON cut short":                  {long, "text/html", false, jsonData},
		"JSON as text":                    {`{"a":1}`, "text/plain", false, jsonData},
		"JSON as text that is meant":      {`{"a":1}`, "text/plain", true, plainText},
		"JSON without a type":             {`[1]`, "", false, jsonData},
		"a word in brackets":              {"[note] this is no JSON\nat all", "text/html", false, plainText},
		"a text in braces":                {`{not json}`, "text/html", false, plainText},
		"a feed":                          {`<?xml version="1.0"?><rss version="2.0"><channel></channel></rss>`, "text/html", false, xmlFeed},
		"a feed after comments":           {"<?xml version='1.0'?>\n<!-- made by hand --><!DOCTYPE rss [\n]><rss></rss>", "text/html", false, xmlFeed},
		"a feed without declaration":      {`<feed xmlns="http://www.w3.org/2005/Atom"></feed>`, "text/html", false, xmlFeed},
		"a feed as text":                  {`<rss></rss>`, "text/plain", false, xmlFeed},
		"a map of a site":                 {`<?xml version="1.0"?><urlset></urlset>`, "text/html", false, xmlFeed},
		"XML":                             {`<?xml version="1.0"?><order><id>1</id></order>`, "text/html", false, xmlFeed},
		"XML as text":                     {`<?xml version="1.0"?><order><id>1</id></order>`, "text/plain", false, xmlFeed},
		"XHTML":                           {`<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html><body>x`, "text/html", false, htmlPage},
		"XHTML as XML":                    {`<?xml version="1.0"?>` + "\n" + `<html xmlns="http://www.w3.org/1999/xhtml"><body>x`, "application/xml", false, htmlPage},
		"rules for robots":                {"User-agent: *\nDisallow: /private/\n", "text/html", false, plainText},
		"a log":                           {strings.Repeat("12:00 <info> GET /a?b=1&c=2 200\n", 9), "text/html", false, plainText},
		"a program":                       {program, "text/html", false, plainText},
		"a word":                          {"pong", "text/html", false, plainText},
		"a word with a reference":         {"fish &amp; chips", "text/html", false, htmlPage},
		"a piece of HTML":                 {"Hello <b>world</b>, again", "text/html", false, htmlPage},
		"lines of HTML":                   {strings.Repeat("a line<br>\n", 9), "text/html", false, htmlPage},
		"a page after a message":          {"Warning: no such file in x.php on line 3\n\n\n\n\n\n<!DOCTYPE html><html><p>x", "text/html", false, htmlPage},
		"a page after lines of text":      {strings.Repeat("notice\n", 99) + "<html><p>x", "text/html", false, htmlPage},
		"nothing":                         {"", "text/html", false, htmlPage},
		"HTML as text":                    {"<!DOCTYPE html><html><p>x", "text/plain", false, htmlPage},
		"HTML as text after a comment":    {" <!-- x -->\n<HTML lang=en><p>x", "text/plain", false, htmlPage},
		"HTML as text that is meant":      {"<!DOCTYPE html><html><p>x", "text/plain", true, plainText},
		"a piece of HTML as text":         {"<p>x</p>", "text/plain", false, plainText},
		"a text with a bracket":           {"<b is less than a", "text/plain", false, plainText},
		"HTML without a type":             {"<!-- x --><h1>x</h1>", "", false, htmlPage},
		"HTML as bytes":                   {"<DIV>x", "application/octet-stream", false, htmlPage},
		"a comment as bytes":              {"<!-- x", "application/octet-stream", false, plainText},
		"XML without a type":              {"<?xml version='1.0'?><x/>", "", false, xmlFeed},
		"text without a type":             {"plain <text>", "", false, plainText},
		"a program of its own type":       {"<!DOCTYPE html>", "text/javascript", false, plainText},
		"a type that cannot be":           {"{}", "application/ld+json", false, jsonData},
		"a picture in XML":                {"<?xml version='1.0'?><svg/>", "image/svg+xml", false, plainText},
		"an element that does not end":    {"<html", "text/plain", false, plainText},
		"a declaration that does not end": {"<!DOCTYPE", "text/html", false, plainText},
	} {
		if got := classify(Source{Text: c.text, MIME: c.mime, Literal: c.literal}); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// The source of a program is text although a server calls it HTML, if its address says so
// and no page begins in it.
func TestPrograms(t *testing.T) {
	program := "import html\n\ndef row(name):\n    return '<tr><td>' + name + '<br></td></tr>'\n"
	for name, c := range map[string]struct {
		address, text string
		literal       bool
		want          class
	}{
		"Python":                       {"/raw/report.py", program, false, plainText},
		"Go":                           {"/main.go", "package main\n\nconst page = `<html><body>x<br></body></html>`\n", false, htmlPage}, // not sure
		"a page in a later string":     {"/main.go", "package main\n" + strings.Repeat("// A comment about it.\n", 30) + "const page = `<html><body>x<br></body></html>`\n", false, plainText},
		"JavaScript":                   {"/a/x.min.js", "el.innerHTML='<br>'+x", false, plainText},
		"a name without an extension":  {"/Makefile", "all:\n\techo '<b>all</b><br>'\n", false, plainText},
		"HTML at such an address":      {"/x.py", "<b>Hello</b>", false, htmlPage},
		"a page at such an address":    {"/x.js", "<!DOCTYPE html><p>no such file", false, htmlPage},
		"a page after a message":       {"/x.py", "Warning: slow\n<HTML><p>x", false, htmlPage},
		"a program that a server runs": {"/x.py?id=3", program, false, htmlPage},
		"PHP":                          {"/x.php", "Hello<br>world", false, htmlPage},
		"another address":              {"/report", program, false, htmlPage},
		"a type that is meant":         {"/x.py", program, true, htmlPage},
		"nothing":                      {"/x.py", "", false, htmlPage},
	} {
		u, err := url.Parse("https://example.org" + c.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := classify(Source{Text: c.text, MIME: "text/html", URL: u, Literal: c.literal}); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	u := &url.URL{Scheme: "https", Host: "example.org", Path: "/raw/report.py"}
	if d := read(t, Source{Text: program, MIME: "text/html", URL: u}, Options{Format: Markdown}); d.Content != program || d.Format != Text {
		t.Errorf("%+v", d)
	}
}

// What is shown is the text itself, unchanged but for the layout of JSON.
func TestSniffedIsShown(t *testing.T) {
	robots := "User-agent: *\nDisallow: /a  b\n\n# <none>\n"
	if d := read(t, Source{Text: robots, MIME: "text/html"}, Options{Format: Markdown}); d.Content != robots || d.Format != Text || d.Extractor != AsSent {
		t.Errorf("%+v", d)
	}
	if d := read(t, Source{Text: `{"a":1.0,"b":"<p>"}`, MIME: "text/html"}, Options{Format: Markdown}); d.Content != "{\n  \"a\": 1.0,\n  \"b\": \"<p>\"\n}\n" || d.Format != Text {
		t.Errorf("%+v", d)
	}
	page := "<html><title>Kettles</title><p>Copper boils water quickly.</p></html>"
	if d := read(t, Source{Text: page, MIME: "text/plain"}, Options{Format: Markdown}); d.Title != "Kettles" || strings.TrimSpace(d.Content) != "Copper boils water quickly." {
		t.Errorf("%+v", d)
	}
	if d := read(t, Source{Text: page, MIME: "text/plain", Literal: true}, Options{Format: Markdown}); d.Content != page {
		t.Errorf("%+v", d)
	}
}

func FuzzSniff(f *testing.F) {
	for _, s := range []string{"", "<", "<!", "<!--", "<?xml", "<!DOCTYPE html>", "<rss/>", `{"a":[1`, "[", "a<b>c", "&amp;", "\ufeff <html>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		mime := Sniff(text)
		if got := classify(Source{Text: text}); (got == plainText) && mime != "text/plain" && mime != "text/html" {
			t.Errorf("%q is %s, and read as %d", text, mime, got)
		}
		for _, said := range []string{"text/html", "text/plain", "application/xml"} {
			_ = classify(Source{Text: text, MIME: said})
		}
		if root, _ := opening(text); len(root) > sniffBytes {
			t.Errorf("%d bytes", len(root))
		}
	})
}
