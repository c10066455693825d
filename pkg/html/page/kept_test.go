package page

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestKept(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("<p>"+strings.Repeat("word ", 59)+"word.</p>", 3) // of 300 characters each
	menu := "<nav><a href=/a>" + strings.Repeat("m", 50) + "</a> <a href=/b>" + strings.Repeat("n", 50) + "</a></nav>"
	for _, test := range []struct {
		name string
		s    Source
		o    Options
		want float64
	}{
		{"a page with a menu", Source{Text: menu + "<main>" + content + "</main>", MIME: "text/html"}, Options{Format: Markdown}, 0.9},
		{"what is hidden", Source{Text: "<main>" + content + "</main><div hidden>" + content + "</div>", MIME: "text/html"}, Options{Format: Text}, 1},
		{"all of it", Source{Text: menu + "<main>" + content + "</main>", MIME: "text/html"}, Options{Format: Markdown, Whole: true}, 1},
		{"nothing", Source{Text: "<html></html>", MIME: "text/html"}, Options{Format: Markdown}, 1},
		{"raw", Source{Text: menu, MIME: "text/html"}, Options{Format: Raw}, 1},
		{"text", Source{Text: menu, MIME: "text/plain"}, Options{Format: Markdown}, 1},
		{"a feed", Source{Text: "<rss version=2.0><channel><title>a</title><item><title>b</title></item></channel></rss>", MIME: "application/rss+xml"}, Options{Format: Markdown}, 1},
		{"data", Source{Text: `<script type=application/ld+json>{"@type":"Article","articleBody":"` + strings.Repeat("Some text of the page. ", 20) + `"}</script>`, MIME: "text/html"}, Options{Format: Markdown}, 1},
	} {
		if d := read(t, test.s, test.o); d.Kept != test.want {
			t.Errorf("%s: %v is kept, want %v", test.name, d.Kept, test.want)
		}
	}
}

func TestPartialWarns(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("<p>"+strings.Repeat("word ", 59)+"word.</p>", 5)
	beside := strings.Repeat("<div class=newsletter>"+text[:len(text)*2/5]+"</div><h2>part</h2>", 2)
	s := Source{Text: "<main>" + text + "</main>" + beside, MIME: "text/html"}
	d := read(t, s, Options{Format: Markdown})
	if !d.Partial || len(d.Warnings) != 1 {
		t.Fatalf("partial is %v, the warnings are %v", d.Partial, d.Warnings)
	}
	const en = "45% of the text that the page shows is left out, and it may belong to the content; main=false shows all of it"
	const zh = "页面可见文本的 45% 未保留，其中可能包含正文；main=false 可显示全部"
	if w := d.Warnings[0]; w.In(fault.English) != en || w.In(fault.Chinese) != zh {
		t.Errorf("%q, %q", w.In(fault.English), w.In(fault.Chinese))
	}
	if d = read(t, s, Options{Format: Markdown, Whole: true}); d.Partial || len(d.Warnings) > 0 {
		t.Errorf("all of it is partial: %v", d.Warnings)
	}
}
