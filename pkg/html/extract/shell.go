package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// What a page shows, in characters, that its scripts have still to fill.
const (
	shellChars   = 200 // besides an element that waits for them
	shellProse   = 300 // the same, where links are not counted: a header may hold many
	moduleChars  = 100 // with scripts that are modules or the bundle of a framework
	silentChars  = 80  // with any script, and nothing else to see
	spinnerChars = 40  // of the longest text that only says that the page is loading
	spinnerNodes = 200 // nodes that such an element has at most
)

// isShell reports whether the page is empty until its scripts run, if it shows a text of n
// characters, so many of them outside links.
func (s *signs) isShell(low string, n, prose int) bool {
	switch {
	case s.mount && (n < shellChars || s.count > 0 && prose < shellProse):
		return true
	case s.count == 0:
		return false
	case n < shellChars && strings.Contains(low, "javascript"), prose < shellChars && s.demand:
		return true
	case strings.Count(low, "{{") >= 2 && strings.Count(low, "}}") >= 2 && prose < shellProse: // a template
		return true
	case n < moduleChars && !s.media && (s.module || s.part || s.isBundle()):
		return true
	}
	return n < silentChars && (s.count >= 3 || !s.media)
}

// isBundle reports whether the scripts are those that frameworks and their tools build.
func (s *signs) isBundle() bool {
	return dom.ContainsAny(s.scripts, "/_next/", "__next_f", "__next_data__", "/_nuxt/", "__nuxt__", "/_app/immutable/", "webpackchunk", "webpackjsonp", "chunk-vendors",
		"/static/js/main.", "/assets/index-", "runtime.", "polyfills", "bundle.js", "react-dom", "angular", "vue.", "svelte", "ember", "createroot(", "createapp(", "reactdom.render")
}

// look notes what an element says about a page that its scripts fill.
func (s *signs) look(n *html.Node) {
	switch {
	case isMount(n):
		s.mount = s.mount || waits(n)
	case strings.Contains(n.Data, "-") && n.Namespace == "":
		s.part = s.part || waits(n)
	}
	switch n.DataAtom {
	case atom.Img, atom.Video, atom.Audio, atom.Iframe, atom.Object, atom.Embed, atom.Form, atom.Picture:
		s.media = true
	case atom.Noscript:
		s.demand = s.demand || demandsScripts(n)
	case atom.Link:
		s.module = s.module || strings.EqualFold(dom.Attr(n, "rel"), "modulepreload")
	}
}

// isMount reports whether n is an element that the application of a framework fills.
func isMount(n *html.Node) bool {
	switch n.Data {
	case "app-root", "my-app", "ng-view", "ui-view", "router-outlet", "router-view":
		return true
	case "div", "main", "section", "body", "article":
	default:
		return false
	}
	switch strings.ToLower(dom.Attr(n, "id")) {
	case "root", "app", "__next", "__nuxt", "__layout", "app-root", "react-root", "reactroot", "react-app", "vue-app", "svelte", "svelte-app", "ember-application", "___gatsby",
		"gatsby-focus-wrapper", "main-app", "q-app", "application", "mount", "app-mount", "approot", "app-container", "spa-root":
		return true
	}
	for _, key := range [...]string{"data-reactroot", "data-v-app", "v-cloak", "ng-app", "data-ng-app", "ng-view", "data-ng-view", "ui-view", "ng-version", "data-sveltekit-hydrate"} {
		if dom.Has(n, key) {
			return true
		}
	}
	return false
}

// waits reports whether n shows nothing yet, or only that it is loading. It reads few
// nodes: elements that wait are small.
func waits(n *html.Node) bool {
	var text strings.Builder
	nodes := 0
	for d := range n.Descendants() {
		if nodes++; nodes > spinnerNodes || dom.Is(d, atom.Img, atom.Video, atom.Iframe, atom.Form) {
			return false
		}
		if d.Type != html.TextNode || dom.Silent(d.Parent) || dom.Is(d.Parent, atom.Noscript) {
			continue
		}
		if text.WriteString(strings.TrimSpace(d.Data)); text.Len() > 4*spinnerChars {
			return false
		}
	}
	said := strings.ToLower(text.String())
	return said == "" || dom.Length(said) <= spinnerChars && dom.ContainsAny(said, "loading", "please wait", "one moment", "just a second", "initializing", "starting",
		"wird geladen", "lädt", "laden", "bitte warten", "chargement", "patientez", "cargando", "carregando", "caricamento", "загрузка", "ładowanie", "yükleniyor",
		"加载中", "正在加载", "載入中", "读取中", "読み込み", "ロード中", "로딩", "불러오는", "جار التحميل")
}

// demandsScripts reports whether a noscript element says that the page does not work
// without scripts, and not only a part of it, such as its comments.
func demandsScripts(n *html.Node) bool {
	nodes := 0
	var text strings.Builder
	for d := range n.Descendants() {
		if nodes++; nodes > spinnerNodes || text.Len() > noscriptChars {
			break
		}
		if d.Type == html.TextNode {
			text.WriteString(d.Data + " ")
		}
	}
	said := strings.ToLower(text.String())
	return strings.Contains(said, "javascript") && !dom.ContainsAny(said, "comment", "disqus", "video", "map")
}
