package browser

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/web"
)

// Twelve pages that show nothing without their scripts, each in another way.
func TestPages(t *testing.T) {
	content := map[string]string{
		// A tiny virtual tree, as React has one: elements as data, and one render.
		"/react": `<script>
			const h = (type, props, ...children) => ({ type, props: props || {}, children: children.flat() });
			const mount = (node, to) => {
				if (typeof node === "string") return to.append(node);
				if (typeof node.type === "function") return mount(node.type(node.props), to);
				const e = document.createElement(node.type);
				for (const [k, v] of Object.entries(node.props)) e.setAttribute(k, v);
				node.children.forEach(c => mount(c, e));
				to.append(e);
			};
			const Item = ({ n }) => h("li", { class: "item" }, "Entry " + n);
			queueMicrotask(() => mount(h("main", null, h("h1", null, "Virtual " + "tree"), h("ul", null, [1, 2, 3].map(n => h(Item, { n })))), app));
		</script>`,
		// A template with holes over an object that tells of its changes, as Vue has one.
		"/vue": `<script>
			const state = new Proxy({ title: "…", rows: [] }, { set(o, k, v) { o[k] = v; requestAnimationFrame(draw); return true } });
			const draw = () => { app.innerHTML = "<h1>" + state.title + "</h1><table>" + state.rows.map(r => "<tr><td>" + r.join("</td><td>") + "</td></tr>").join("") + "</table>" };
			draw();
			setTimeout(() => { state.title = "Reactive " + "state"; state.rows = [["red", "1"], ["green", "2"]] }, 30);
		</script>`,
		"/module":  `<script type="module">import { words } from "./words.js"; const { more } = await import("./more.js"); app.textContent = words + more</script>`,
		"/fetched": `<script>addEventListener("load", async () => { const r = await fetch("/api/article", { method: "POST", body: "{}" }); const { title, body } = await r.json(); app.innerHTML = "<h1></h1><p></p>"; app.firstChild.textContent = title; app.lastChild.textContent = body })</script>`,
		"/endless": `<script>
			let n = 0;
			const more = async () => { const r = await fetch("/api/rows?from=" + n); for (const row of await r.json()) { const p = document.createElement("p"); p.style.height = "200px"; p.textContent = row; app.append(p); n++ } busy = false };
			let busy = true;
			more();
			addEventListener("scroll", () => { if (!busy && innerHeight + scrollY >= document.documentElement.scrollHeight - 50 && n < 60) { busy = true; more() } });
		</script>`,
		"/login": `<script>
			(async () => {
				if (!document.cookie.includes("session=")) await fetch("/api/login", { method: "POST", credentials: "include" });
				app.innerHTML = (await (await fetch("/api/me")).text()) + "<form><label>Password <input type=password></label><button>Sign in</button></form>";
			})();
		</script>`,
		"/elements": `<script>
			customElements.define("x-card", class extends HTMLElement {
				connectedCallback() {
					const root = this.attachShadow({ mode: this.getAttribute("mode") });
					root.innerHTML = "<style>b{color:red}</style><h2>In the " + this.getAttribute("mode") + " shadow</h2><p>before <slot name=who></slot> after <slot></slot></p>";
				}
			});
			app.innerHTML = "<x-card mode=open><b slot=who>named</b>unnamed</x-card><x-card mode=closed><b slot=who>second</b>rest</x-card>";
		</script>`,
		"/framed":   `<script>const f = document.createElement("iframe"); f.src = "/inner"; app.append(f); const g = document.createElement("iframe"); g.srcdoc = "<p>From a " + "srcdoc</p>"; app.append(g)</script>`,
		"/worker":   `<script>const w = new Worker("/worker.js"); w.onmessage = e => app.textContent = e.data; w.postMessage(6)</script>`,
		"/lazy":     `<script>for (let i = 0; i < 12; i++) { const d = document.createElement("div"); d.style.height = "600px"; d.dataset.n = i; app.append(d) } const o = new IntersectionObserver(es => es.forEach(e => { if (e.isIntersecting && !e.target.textContent) e.target.textContent = "Seen " + e.target.dataset.n + "." })); document.querySelectorAll("[data-n]").forEach(d => o.observe(d))</script>`,
		"/routed":   `<script>if (location.pathname !== "/routed/here") { history.pushState({}, "", "/routed/here"); setTimeout(() => { document.title = "Routed"; app.textContent = "At " + location.pathname }, 700) }</script>`,
		"/replaced": `<script>location.replace("/module?from=replaced")</script>`,
		"/streamed": `<script>(async () => { const r = await fetch("/api/stream"); const rd = r.body.pipeThrough(new TextDecoderStream()).getReader(); for (;;) { const { done, value } = await rd.read(); if (done) break; app.append(value) } })(); new EventSource("/api/events").onmessage = e => { const p = document.createElement("p"); p.textContent = e.data; document.body.append(p) }</script>`,
		"/tampered": `<script>
			for (const k of ["innerHTML", "outerHTML", "textContent", "shadowRoot", "childNodes"]) for (const p of [Element.prototype, Node.prototype]) try { Object.defineProperty(p, k, { get: () => "lies", set() {} }) } catch {}
			JSON.stringify = () => "lies"; document.getElementsByTagName = () => []; Document.prototype.getElementsByTagName = () => [];
			app.append("The " + "truth");
		</script>`,
	}
	pages := map[string]http.HandlerFunc{
		"/words.js":    says("text/javascript", `export const words = "A module " + "imported"`),
		"/more.js":     says("text/javascript", `export const more = ", and another " + "later"`),
		"/api/article": says("application/json", `{"title":"Asked for after the load","body":"The article came as data."}`),
		"/inner":       shell(`<script>app.textContent = "From a " + "frame"</script>`),
		"/worker.js":   says("text/javascript", `onmessage = e => postMessage("A worker says " + e.data * 7)`),
		"/api/login": func(w http.ResponseWriter, _ *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "1", Path: "/"})
		},
		"/api/me": func(w http.ResponseWriter, r *http.Request) {
			if _, err := r.Cookie("session"); err != nil {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = io.WriteString(w, "<p>Welcome back</p>")
		},
		"/api/rows": func(w http.ResponseWriter, r *http.Request) {
			var from int
			_, _ = fmt.Sscan(r.FormValue("from"), &from)
			var rows []string
			for n := from; n < from+12; n++ {
				rows = append(rows, fmt.Sprintf(`"Row %d."`, n))
			}
			_, _ = io.WriteString(w, "["+strings.Join(rows, ",")+"]")
		},
		"/api/stream": func(w http.ResponseWriter, _ *http.Request) {
			for _, word := range []string{"It ", "came ", "in ", "pieces."} {
				_, _ = io.WriteString(w, word)
				_ = http.NewResponseController(w).Flush()
			}
		},
		"/api/events": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: an event\n\n")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done() // it is open for good
		},
	}
	for path, text := range content {
		pages[path] = shell("%s", text)
	}
	s := serve(t, pages)
	f := browse(t, nil)
	for path, want := range map[string][]string{
		"/react":    {"<h1>Virtual tree</h1>", `<li class="item">Entry 3</li>`},
		"/vue":      {"<h1>Reactive state</h1>", "<td>green</td><td>2</td>"},
		"/module":   {"A module imported, and another later"},
		"/fetched":  {"<h1>Asked for after the load</h1>", "The article came as data."},
		"/endless":  {"Row 0.", "Row 59."},
		"/login":    {"<p>Welcome back</p>", "Password"},
		"/elements": {"In the open shadow", "In the closed shadow", "named", "unnamed", "second", "rest"},
		"/framed":   {"From a frame", "From a srcdoc"},
		"/worker":   {"A worker says 42"},
		"/lazy":     {"Seen 0.", "Seen 11."},
		"/routed":   {"At /routed/here", "<title>Routed</title>"},
		"/replaced": {"A module imported"},
		"/streamed": {"It came in pieces.", "an event"},
		"/tampered": {"The truth"},
	} {
		t.Run(path[1:], func(t *testing.T) {
			p := f.see(t, s.URL+path)
			for _, text := range want {
				if !strings.Contains(p.HTML, text) {
					t.Errorf("%q is not in %s", text, p.HTML)
				}
			}
			if len(p.Warnings) > 0 || p.Status != http.StatusOK {
				t.Errorf("%d, %v", p.Status, p.Warnings)
			}
			final := map[string]string{"/routed": "/routed/here", "/replaced": "/module?from=replaced"}[path]
			if final != "" && p.FinalURL != s.URL+final {
				t.Errorf("at %s", p.FinalURL)
			}
		})
	}
}

// Pages share nothing, and the status and the type are those of the last document.
func TestPagesApart(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{
		"/": shell(`<script>app.textContent = "had " + document.cookie + localStorage.getItem("a"); document.cookie = "a=1"; localStorage.setItem("a", "2")</script>`),
		"/gone": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusGone)
			_, _ = io.WriteString(w, "<p>gone")
		},
		"/to": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/gone", http.StatusFound) },
	})
	f := browse(t, nil)
	for range 2 {
		if p := f.see(t, s.URL+"/"); !strings.Contains(p.HTML, "had null<") {
			t.Errorf("%s", p.HTML)
		}
	}
	if p := f.see(t, s.URL+"/to"); p.Status != http.StatusGone || p.MIME != "text/html" || p.FinalURL != s.URL+"/gone" {
		t.Errorf("%+v", p)
	}
	if p, err := f.Open(t.Context(), Request{URL: web.At(s.URL), Timeout: 2 * time.Minute, Screenshot: true}); err != nil || !strings.HasPrefix(string(p.Screenshot), "\x89PNG\r\n") {
		t.Errorf("%v", err)
	}
}
