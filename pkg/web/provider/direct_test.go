package provider

import (
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Corrections of the query and answers of the engine itself come with the results,
// also when there are none.
func TestDirect(t *testing.T) {
	axe := &Direct{Title: "Axe", Text: "A tool & its handle.", URL: "https://en.example.org/wiki/Axe"}
	for _, tt := range []struct {
		name, body, corrected string
		direct                *Direct
	}{
		{"brave", `{"type":"search","query":{"original":"helf","altered":"helve"},"infobox":{"type":"graph","results":[{"title":"Axe","url":"https://en.example.org/wiki/Axe","description":"tool","long_desc":"A <b>tool</b> &amp; its handle."}]}}`, "helve", axe},
		{"brave", `{"type":"search","infobox":{"results":{"title":"Axe","website_url":"https://en.example.org/wiki/Axe","description":"A tool &amp; its handle."}}}`, "", axe},
		{"brave", `{"type":"search","infobox":{"results":[7]},"query":{"altered":null}}`, "", nil},
		{"tavily", `{"results":[],"answer":"A tool."}`, "", &Direct{Text: "A tool."}},
		{"serper", `{"searchParameters":{},"searchInformation":{"showingResultsFor":"helve"},"answerBox":{"title":"Axe","snippet":"A tool &amp; its handle.","link":"https://en.example.org/wiki/Axe"},"knowledgeGraph":{"title":"x","description":"y"}}`, "helve", axe},
		{"serper", `{"searchParameters":{},"searchInformation":{"didYouMean":"helve"},"knowledgeGraph":{"title":"Axe","description":"A tool &amp; its handle.","descriptionLink":"https://en.example.org/wiki/Axe"}}`, "helve", axe},
		{"serper", `{"searchParameters":{},"answerBox":{"title":"2+2","answer":"4","link":"javascript:alert(1)"}}`, "", &Direct{Title: "2+2", Text: "4"}},
		{"google", `{"kind":"customsearch#search","spelling":{"correctedQuery":"helve","htmlCorrectedQuery":"<b>helve</b>"}}`, "helve", nil},
		{"searxng", `{"results":[],"answers":["A tool."],"corrections":["helve","helm"]}`, "helve", &Direct{Text: "A tool."}},
		{"searxng", `{"results":[],"answers":[{"url":"https://en.example.org/wiki/Axe","engine":"ddg","answer":"A tool &amp; its handle."}]}`, "", &Direct{Text: axe.Text, URL: axe.URL}},
		{"searxng", `{"results":[],"answers":[],"infoboxes":[{"infobox":"Axe","id":"https://en.example.org/wiki/Axe","content":"A tool &amp; its handle.","urls":[]}]}`, "", axe},
		{"searxng", `{"results":[],"answers":[7,null,{}],"corrections":[{}],"infoboxes":[{"infobox":"x"}],"unresponsive_engines":[]}`, "", nil},
		{"searxng", `{"results":[],"answers":["A tool."],"unresponsive_engines":[["bing","timeout"]]}`, "", &Direct{Text: "A tool."}},
		{"duckduckgo", `<div class="zci"><h1 class="zci__heading"><a href="x">Axe</a></h1><div class="zci__result" id="zero_click_abstract">A <b>tool</b> &amp; its handle. <a href="https://en.example.org/wiki/Axe">More</a></div></div><a class="result__a" href="https://example.org/">x</a>`, "", &Direct{Text: "A tool & its handle. More", URL: axe.URL}},
	} {
		s := recorded(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, tt.body) })
		got, err := engineOf(s.URL, tt.name).Search(t.Context(), Query{Text: "x", Limit: 5}, tt.name)
		if err != nil {
			t.Errorf("%s, %s: %v", tt.name, tt.body, err)
			continue
		}
		if d := cmp.Diff(tt.direct, got.Direct); d != "" || got.Corrected != tt.corrected {
			t.Errorf("%s, %s: %q %s", tt.name, tt.body, got.Corrected, d)
		}
	}
}
