package browser

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// briefly shows a page that would not end.
func (f *fixture) briefly(t *testing.T, url string, seconds int) (*Page, error) {
	t.Helper()
	return f.Open(t.Context(), Request{URL: web.At(url), Timeout: time.Duration(seconds) * time.Second})
}

// A page that goes on for good is returned as it is when its time is up, and the browser
// shows the next one.
func TestEndless(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{
		"/loop":    shell(`<p>text before</p><script>for (;;) {}</script>`),
		"/again":   shell(`<p>text before</p><script>setInterval(() => { const end = Date.now() + 1e9; while (Date.now() < end) {} }, 0)</script>`),
		"/changes": shell(`<p>text before</p><script>setInterval(() => { const p = document.createElement("p"); p.textContent = Math.random(); app.append(p) }, 20)</script>`),
		"/asks":    shell(`<p>text before</p><script>setInterval(() => { fetch("/asks?" + Math.random()); app.textContent = Math.random() }, 50)</script>`),
		"/reload":  shell(`<p>text before</p><script>setTimeout(() => location.reload(), 200)</script>`),
		"/drip": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><p>text before</p>"+strings.Repeat(" ", 2048))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
		"/rest": shell(`<script>app.textContent = "at rest"</script>`),
	})
	f := browse(t, nil)
	f.see(t, s.URL+"/rest")
	for _, path := range []string{"/loop", "/again", "/changes", "/asks", "/reload", "/drip"} {
		t.Run(path[1:], func(t *testing.T) {
			p, err := f.briefly(t, s.URL+path, 10)
			if err != nil {
				t.Fatal(err)
			}
			still := path == "/reload" // what it shows does not change
			if !strings.Contains(p.HTML, "text before") || len(p.Warnings) == 0 && !still {
				t.Errorf("%v %s", p.Warnings, p.HTML)
			}
			if next := f.see(t, s.URL+"/rest"); !strings.Contains(next.HTML, "at rest") || len(next.Warnings) > 0 {
				t.Errorf("%v %s", next.Warnings, next.HTML)
			}
		})
	}
}

// What a page does that nobody could look at is bounded.
func TestUnruly(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{
		"/windows":  shell(`<p>the page</p><script>for (let i = 0; i < 30; i++) window.open("/other?" + i)</script>`),
		"/links":    shell(`<p>the page</p><a id=a target=_blank href="/other">x</a><script>for (let i = 0; i < 30; i++) a.click()</script>`),
		"/alerts":   shell(`<p>the page</p><script>alert(1); app.textContent = confirm("sure?") + prompt("name?")</script>`),
		"/forever":  shell(`<p>the page</p><script>for (;;) alert(1)</script>`),
		"/leaving":  shell(`<p>the page</p><script>onbeforeunload = e => { e.preventDefault(); return "stay" }</script>`),
		"/download": shell(`<p>the page</p><a id=a download href="/file">x</a><script>for (let i = 0; i < 5; i++) a.click(); const f = document.createElement("iframe"); f.src = "/file"; app.append(f)</script>`),
		"/requests": shell(`<p>the page</p><script>for (let i = 0; i < 3000; i++) fetch("/nothing?" + i).catch(() => {})</script>`),
		"/print":    shell(`<p>the page</p><script>print(); document.documentElement.requestFullscreen().catch(() => {}); Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {}, () => {})</script>`),
		"/frames":   shell(`<p>the page</p><script>if (location.search.length < 40) for (let i = 0; i < 2; i++) { const f = document.createElement("iframe"); f.src = location.pathname + (location.search || "?") + "x"; if (location.search.length < 6 ) app.append(f) }</script>`),
		"/other":    says("text/html", "another"),
		"/file":     download0,
		"/nothing":  func(http.ResponseWriter, *http.Request) {},
		"/rest":     shell(`<script>app.textContent = "at rest"</script>`),
	})
	f := browse(t, nil)
	for _, path := range []string{"/windows", "/links", "/alerts", "/forever", "/leaving", "/download", "/requests", "/print", "/frames"} {
		t.Run(path[1:], func(t *testing.T) {
			p, err := f.briefly(t, s.URL+path, 120) // it comes to rest long before, but on a busy machine
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(p.HTML, "the page") {
				t.Errorf("%v %s", p.Warnings, p.HTML)
			}
			if path == "/forever" && (len(p.Warnings) != 1 || !strings.Contains(fmt.Sprint(p.Warnings), "its scripts were stopped")) {
				t.Errorf("%v", p.Warnings) // it was only waited for
			}
			if next := f.see(t, s.URL+"/rest"); !strings.Contains(next.HTML, "at rest") {
				t.Errorf("%v %s", next.Warnings, next.HTML)
			}
		})
	}
	if _, err := f.briefly(t, s.URL+"/file", 20); !fault.Is(err, fault.UnsupportedContent) {
		t.Errorf("%v", err)
	}
}

func download0(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="x.bin"`)
	_, _ = io.WriteString(w, strings.Repeat("x", 1<<16))
}

// A page that takes memory without end ends itself or the browser, and nothing else.
func TestMemory(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{
		"/heap":    shell(`<p>the page</p><script>const all = []; for (;;) all.push(new Array(1000).fill({}))</script>`),
		"/buffers": shell(`<p>the page</p><script>const all = []; setInterval(() => { for (let i = 0; i < 8; i++) all.push(new Uint8Array(1 << 26).fill(1)) }, 10)</script>`),
		"/workers": shell(`<p>the page</p><script>for (let i = 0; i < 8; i++) new Worker(URL.createObjectURL(new Blob(["const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1))"])))</script>`),
		"/text":    shell(`<p>the page</p><script>let s = "x".repeat(1 << 20); setInterval(() => app.append(s), 1)</script>`),
		"/nodes":   shell(`<p>the page</p><script>setInterval(() => { for (let i = 0; i < 1e5; i++) app.append(document.createElement("b")) }, 1)</script>`),
		"/rest":    shell(`<script>app.textContent = "at rest"</script>`),
	})
	f := browse(t, nil)
	for _, path := range []string{"/heap", "/buffers", "/workers", "/text", "/nodes"} {
		t.Run(path[1:], func(t *testing.T) {
			p, err := f.briefly(t, s.URL+path, 20)
			if err == nil && len(p.HTML) > maxHTML+64 || err != nil && !isFault(err) {
				t.Errorf("%v", err)
			}
			t.Log(err)
			if next := f.see(t, s.URL+"/rest"); !strings.Contains(next.HTML, "at rest") {
				t.Errorf("%v %s", next.Warnings, next.HTML)
			}
		})
	}
}

// A process that ends for what an earlier page did costs a new start, not the page.
func TestEndedByAnother(t *testing.T) {
	var f *fixture
	var asked atomic.Int64
	s := serve(t, map[string]http.HandlerFunc{
		"/first": shell(`<p>the page</p>`),
		"/next": func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) != 2 {
				f.mu.Lock()
				p := f.process
				f.mu.Unlock()
				p.kill()
				<-p.done
			}
			shell(`<script>app.textContent = "at rest"</script>`)(w, r)
		},
	})
	f = browse(t, nil)
	f.see(t, s.URL+"/first")
	if p := f.see(t, s.URL+"/next"); !strings.Contains(p.HTML, "at rest") || asked.Load() != 2 {
		t.Errorf("asked for %d times: %v %s", asked.Load(), p.Warnings, p.HTML)
	}
	f.end()
	if _, err := f.briefly(t, s.URL+"/next", 60); err == nil || asked.Load() != 3 {
		t.Errorf("one that ends every process was asked for %d times: %v", asked.Load(), err)
	}
}

// canary is what listens where no page may come.
type canary struct {
	heard    atomic.Int64
	tcp, udp string // ports
}

func newCanary(t *testing.T, host string) *canary {
	t.Helper()
	c := &canary{}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", host+":0")
	if err != nil {
		t.Skipf("this system has no address %s", host)
	}
	u, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", host+":0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close(); _ = u.Close() })
	_, c.tcp, _ = net.SplitHostPort(l.Addr().String())
	_, c.udp, _ = net.SplitHostPort(u.LocalAddr().String())
	go func() {
		for {
			conn, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			c.heard.Add(1)
			_ = conn.Close()
		}
	}()
	go func() {
		for {
			if _, _, err := u.ReadFrom(make([]byte, 1)); errors.Is(err, net.ErrClosed) {
				return
			}
			c.heard.Add(1)
		}
	}()
	return c
}

// Whatever a page tries, what is private hears nothing.
func TestPrivate(t *testing.T) {
	c := newCanary(t, private)
	at := private + ":" + c.tcp
	attempts := map[string]string{
		"fetch":        `await fetch("http://AT/").catch(say); await fetch("http://AT/", { mode: "no-cors" }).catch(say)`,
		"https":        `await fetch("https://AT/").catch(say)`,
		"post":         `await fetch("http://AT/", { method: "POST", body: "x", mode: "no-cors", keepalive: true }).catch(say)`,
		"xhr":          `await new Promise(done => { const x = new XMLHttpRequest(); x.onloadend = done; x.open("GET", "http://AT/"); x.send() })`,
		"image":        `await new Promise(done => { const i = new Image(); i.onload = i.onerror = done; i.src = "http://AT/x.png" })`,
		"script":       `await new Promise(done => { const s = document.createElement("script"); s.onload = s.onerror = done; s.src = "http://AT/x.js"; document.head.append(s) })`,
		"module":       `await import("http://AT/x.js").catch(say)`,
		"style":        `await new Promise(done => { const s = document.createElement("link"); s.rel = "stylesheet"; s.onload = s.onerror = done; s.href = "http://AT/x.css"; document.head.append(s) })`,
		"font":         `await new FontFace("x", "url(http://AT/x.woff2)").load().catch(say)`,
		"media":        `const v = document.createElement("video"); v.src = "http://AT/x.mp4"; await v.play().catch(say)`,
		"iframe":       `await frame("http://AT/")`,
		"object":       `const o = document.createElement("object"); o.data = "http://AT/"; document.body.append(o)`,
		"websocket":    `await new Promise(done => { const w = new WebSocket("ws://AT/"); w.onclose = w.onerror = done })`,
		"secure ws":    `await new Promise(done => { const w = new WebSocket("wss://AT/"); w.onclose = w.onerror = done })`,
		"eventsource":  `await new Promise(done => { const e = new EventSource("http://AT/"); e.onerror = done })`,
		"beacon":       `navigator.sendBeacon("http://AT/", "x")`,
		"ping":         `const a = document.createElement("a"); a.href = "#x"; a.ping = "http://AT/"; document.body.append(a); a.click()`,
		"prefetch":     `for (const rel of ["prefetch", "preconnect", "dns-prefetch", "preload", "modulepreload", "prerender", "icon", "manifest"]) { const l = document.createElement("link"); l.rel = rel; l.as = "script"; l.href = "http://AT/"; document.head.append(l) }`,
		"speculation":  `const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = JSON.stringify({ prerender: [{ urls: ["http://AT/"], eagerness: "immediate" }], prefetch: [{ urls: ["http://AT/x"], eagerness: "immediate" }] }); document.head.append(s)`,
		"redirect":     `await fetch("/to-private", { mode: "no-cors" }).catch(say); await frame("/to-private")`,
		"refresh":      `await frame("/refresh-private")`,
		"form":         `const f = document.createElement("form"); f.action = "http://AT/"; f.method = "POST"; f.target = "sink"; document.body.innerHTML += "<iframe name=sink></iframe>"; document.body.append(f); f.submit()`,
		"window":       `window.open("http://AT/"); window.open("http://AT/", "_blank", "noopener")`,
		"worker":       `for (const text of ["importScripts('http://AT/x.js')", "fetch('http://AT/')", "new WebSocket('ws://AT/')"]) new Worker(URL.createObjectURL(new Blob([text])))`,
		"shared":       `new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://AT/')"])))`,
		"service":      `await Promise.race([navigator.serviceWorker?.register("/service.js"), new Promise(done => setTimeout(done, 500))])`,
		"webrtc":       `const all = [globalThis, (await frame("/blank")).contentWindow]; for (const w of all) { if (!w.RTCPeerConnection) continue; const p = new w.RTCPeerConnection({ iceServers: [{ urls: "stun:HOST:UDP" }, { urls: "turn:HOST:UDP", username: "a", credential: "b" }, { urls: "turn:AT?transport=tcp", username: "a", credential: "b" }] }); p.createDataChannel("x"); await p.setLocalDescription(await p.createOffer()); await new Promise(done => setTimeout(done, 300)) }`,
		"webtransport": `for (const w of [globalThis, (await frame("/blank")).contentWindow]) if (w.WebTransport) await new w.WebTransport("https://HOST:UDP/").ready.catch(say)`,
		"spellings":    `for (const at of ["2136473858", "0x7f530102", "0177.0123.1.2", "127.5439746", "[::ffff:127.83.1.2]", "127.83.1.2.", "①②⑦.83.1.2", "user:pw@127.83.1.2"]) await fetch("http://" + at + ":PORT/", { mode: "no-cors" }).catch(say)`,
		"loopback":     `for (const at of ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]", "x.localhost"]) { await fetch("http://" + at + ":PORT/", { mode: "no-cors" }).catch(say); await fetch("http://" + at + ":3128/", { mode: "no-cors" }).catch(say) }`,
		"file":         `await fetch("file:///etc/passwd").catch(say); await frame("file:///etc/passwd"); try { location.assign("file:///etc/passwd") } catch (e) { say(e) }`,
		"chrome":       `await frame("chrome://version"); try { window.open("chrome://settings"); location.assign("chrome://version") } catch (e) { say(e) }`,
	}
	pages := map[string]http.HandlerFunc{
		"/blank":           says("text/html", "blank"),
		"/to-private":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://"+at+"/", http.StatusFound) },
		"/refresh-private": says("text/html", `<meta http-equiv=refresh content="0;url=http://`+at+`/">`),
		"/service.js":      says("text/javascript", `fetch("http://`+at+`/"); addEventListener("install", e => e.waitUntil(fetch("http://`+at+`/x")))`),
		"/favicon.ico":     func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://"+at+"/", http.StatusFound) },
	}
	fill := strings.NewReplacer("AT", at, "HOST", private, "UDP", c.udp, "PORT", c.tcp)
	for name, script := range attempts {
		pages["/"+strings.ReplaceAll(name, " ", "-")] = shell(`<p id=said></p><script type=module>
			const say = e => said.append(e + " ");
			const frame = src => new Promise(done => { const f = document.createElement("iframe"); f.onload = () => done(f); f.src = src; document.body.append(f); setTimeout(() => done(f), 300) });
			try { %s } catch (e) { say(e) }
			app.textContent = "it " + "tried";
		</script>`, fill.Replace(script))
	}
	s := serve(t, pages)
	f := browse(t, nil)
	for name := range attempts {
		t.Run(name, func(t *testing.T) {
			p := f.see(t, s.URL+"/"+strings.ReplaceAll(name, " ", "-"))
			if !strings.Contains(p.HTML, "it tried") || strings.Contains(p.HTML, "root:") {
				t.Errorf("%v %s", p.Warnings, p.HTML)
			}
			if n := c.heard.Swap(0); n > 0 {
				t.Errorf("it was heard %d times", n)
			}
		})
	}
	for _, path := range []string{"http://" + at + "/", s.URL + "/to-private", s.URL + "/refresh-private"} {
		if p, err := f.briefly(t, path, 60); !fault.Is(err, fault.BlockedAddress) {
			t.Errorf("%s: %v %+v", path, err, p)
		}
	}
	if n := c.heard.Load(); n > 0 {
		t.Errorf("it was heard %d times", n)
	}
}
