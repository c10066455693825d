package extract

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Pages that their scripts fill are recognised, whatever framework made them and whatever
// small parts surround the place that is empty.
func TestShells(t *testing.T) {
	menu := `<header><nav>` + strings.Repeat(`<a href=/x>A section of the site</a> `, 30) + `</nav></header>`
	for name, page := range map[string]string{
		"React":                 `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/js/main.8f1.js"></script>`,
		"Vue":                   `<div id=app></div><script src=/js/chunk-vendors.js></script><script src=/js/app.js></script>`,
		"Vite":                  `<div id="root"></div><script type="module" crossorigin src="/assets/index-4f2a.js"></script>`,
		"a module without root": `<script type=module src=/main.js></script><div class=shell></div>`,
		"an inline module":      `<script type=module>import {start} from "/a.js"; start(document.body)</script>`,
		"Svelte":                `<body data-sveltekit-preload-data=hover><div style="display: contents"><script>{import("/_app/immutable/entry/start.js")}</script></div>`,
		"Angular":               `<app-root></app-root><script src=runtime.js type=module></script><script src=polyfills.js></script>`,
		"AngularJS":             `<body ng-app=shop><h1>{{title}}</h1><ul><li ng-repeat="i in items">{{i.name}} costs {{i.price}}</ul><script src=a.js></script>`,
		"a view of AngularJS":   `<body ng-app=shop><div ng-view></div><script src=a.js></script>`,
		"Next":                  `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script><script src=/_next/static/chunks/main.js></script>`,
		"Nuxt":                  `<div id=__nuxt><div id=__layout></div></div><script>window.__NUXT__={}</script><script src=/_nuxt/a.js></script>`,
		"a custom element":      `<title>Shop</title><shop-app></shop-app><script type=module src=/shop.js></script>`,
		"a spinner":             `<div id=app><div class=spinner><span>Loading…</span></div></div><script src=a.js></script>`,
		"a spinner in Chinese":  `<div id=app><p>正在加载，请稍候</p></div><script src=a.js></script>`,
		"a skeleton":            `<div id=root><div class=skeleton><i></i><i></i></div></div><script src=a.js></script>`,
		"a header":              menu + `<div id=root></div><footer><p>© 2026 Example</p></footer><script src=a.js></script>`,
		"a notice":              `<div class=banner><p>Our shop is closed on the first of January, and open again on the second as on every other day.</p></div><div id=app></div><script src=a.js></script>`,
		"a sentence":            `<p>Please enable JavaScript to continue.</p><script src=a.js></script>`,
		"a demand":              `<h1>Dashboard</h1><p>Figures of the day</p><noscript>This site requires JavaScript.</noscript><div class=x></div><script src=a.js></script>`,
		"a cookie first":        `<script>document.cookie="seen=1";location.reload()</script>`,
		"nothing but a script":  `<script src=a.js></script>`,
	} {
		if got := find(t, page, "https://example.org/").Wall; got != ScriptWall {
			t.Errorf("%s: %q", name, got)
		}
	}
	prose := "<p>The ferry leaves the north pier at seven, at noon and at five; the crossing takes forty minutes, and bicycles travel free. In winter the boat at noon does not run.</p>"
	for name, page := range map[string]string{
		"a short page":                `<p>The ferry leaves at noon.</p>`,
		"a short page with scripts":   prose + `<script src=a.js></script><script type=module src=b.js></script><script src=c.js></script>`,
		"rendered by its server":      `<div id=root>` + prose + `</div><script src=/static/js/main.js></script>`,
		"rendered by Next":            `<div id=__next><main>` + prose + prose + `</main></div><script src=/_next/static/chunks/main.js></script>`,
		"an empty basket":             prose + prose + `<shop-basket></shop-basket><div id=app></div><script src=a.js></script>`,
		"comments that need scripts":  prose + `<div id=disqus_thread></div><noscript>Please enable JavaScript to view the comments powered by Disqus.</noscript><script src=a.js></script>`,
		"a picture":                   `<img src=a.jpg alt=""><script src=a.js></script>`,
		"data that is no script":      `<p>The ferry leaves at noon.</p><script type="application/ld+json">{}</script><script type=text/template><p>x</script><script type=math/tex>x</script>`,
		"an article about templates":  `<p>Write {{name}} and {{price}}: ` + strings.Repeat("Each is replaced by its value when the page is made. ", 9) + `<script src=a.js></script>`,
		"a demand beside a long text": strings.Repeat(prose, 9) + `<noscript>This site requires JavaScript.</noscript><script src=a.js></script>`,
	} {
		if got := find(t, page, "https://example.org/").Wall; got != NoWall {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A page to log in is recognised by its title, its address and its password.
func TestLogins(t *testing.T) {
	form := `<form><label>Name</label><input><input type=password></form>`
	long := "<p>" + strings.Repeat("Members read all issues since the first one. ", 6)
	for _, c := range []struct {
		page, address string
		want          Wall
	}{
		{form, "https://example.org/", LoginWall},
		{"<title>Вход в систему</title>" + form + long, "https://example.org/", LoginWall},
		{"<title>Archive</title>" + form + long, "https://example.org/user/login?next=/a", LoginWall},
		{"<title>Archive</title>" + form + long, "https://example.org/sign-in.php", LoginWall},
		{"<title>Archive</title>" + form + long, "https://example.org/reader", NoWall},
		{"<title>Archive</title>" + long, "https://example.org/login", NoWall},
	} {
		if got := find(t, c.page, c.address).Wall; got != c.want {
			t.Errorf("%.60s at %s: %q", c.page, c.address, got)
		}
	}
}

// The address that a script leads to is found where it is one string.
func TestScriptTargets(t *testing.T) {
	for script, want := range map[string]string{
		`location.replace("/next")`:                                 "/next",
		`window.location.replace('https:\/\/example.org\/a')`:       "https://example.org/a",
		`window.location.href = "/next";`:                           "/next",
		`top.location="/next"`:                                      "/next",
		"if (1) { location.assign( '/next' ) }":                     "/next",
		"document.location.href='/next'\nfoo()":                     "/next",
		`location.href="\x2fa\u002fb"`:                              "/a/b",
		`location.href = "/item?id=" + id`:                          "",
		`location.replace("https://" + location.host)`:              "",
		`location.replace("/a".concat(b))`:                          "",
		`if (location.href == "/a") {}`:                             "",
		`if (location.href === "/a") {}`:                            "",
		`location.reload(); var allocation = 3`:                     "",
		`location == "x" ? 1 : 2; location = "/y";`:                 "/y",
		`location.href = url; location.hash="#x"; location.href=""`: "",
		`location.href = "/a` + "\n" + `"`:                          "",
		`location.href = "/a`:                                       "",
		`location.href = "\x2"`:                                     "",
		`location.href = "\`:                                        "",
		`location.href = "\u00zz"`:                                  "",
		`location.replace("` + strings.Repeat("x", 9000) + `")`:     "",
		"": "",
	} {
		if got := scriptTarget(script); got != want {
			t.Errorf("%.60s: %q, want %q", script, got, want)
		}
	}
}

// Only almost empty pages lead elsewhere by a script or by frames.
func TestWhereEmptyPagesLead(t *testing.T) {
	script := `<script>location.replace("/next")</script>`
	frames := `<iframe src="/inner"></iframe><iframe src="about:blank"></iframe><iframe src="https://www.googletagmanager.com/ns.html"></iframe><iframe src=/pixel width=1 height=1></iframe>`
	if c := find(t, script+frames, "https://example.org/"); c.Target != "/next" || strings.Join(c.Frames, " ") != "/inner" {
		t.Errorf("%q, %q", c.Target, c.Frames)
	}
	if c := find(t, script+frames+"<p>"+filler(900), "https://example.org/"); c.Target != "" || c.Frames != nil {
		t.Errorf("%q, %q", c.Target, c.Frames)
	}
	c := find(t, `<html><frameset cols="20%,80%"><frame src=menu.html><frame src=main.html><noframes>no</noframes></frameset></html>`, "https://example.org/")
	if strings.Join(c.Frames, " ") != "menu.html main.html" {
		t.Errorf("%q", c.Frames)
	}
}

// A text for browsers without scripts is shown if there is no other.
func TestOnlyNoscript(t *testing.T) {
	for page, want := range map[string]string{
		"<noscript><p>Read the plain version.</noscript>":           "Read the plain version.",
		"<p>Kettles</p><noscript><p>No scripts.</noscript>":         "Kettles",
		"<noscript></noscript>":                                     "",
		"<noscript><img src=https://example.org/pixel></noscript>x": "x",
	} {
		if got := dom.Text(find(t, page, "https://example.org/").Node); got != want {
			t.Errorf("%s: %q", page, got)
		}
	}
}

func FuzzScriptTarget(f *testing.F) {
	for _, s := range []string{`location.replace("/a")`, `location.href='\x2f\u002f\/'`, `location="`, "location.assign(\"a\n\")", `location = "\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		if got := scriptTarget(script); len(got) > maxTarget+4 || strings.ContainsAny(got, "\n\r") && !strings.Contains(script, `\`) {
			t.Errorf("%q gives %q", script, got)
		}
	})
}
