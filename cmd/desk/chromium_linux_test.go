package desk_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// chromium is a browser that a test drives over the DevTools protocol, by pipes.
// https://chromedevtools.github.io/devtools-protocol/
type chromium struct {
	t    *testing.T
	to   *os.File
	mu   sync.Mutex
	last int
	wait map[int]chan reply
	// trouble is what went wrong in pages.
	trouble []string
}

// reply is an answer of the browser.
type reply struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Method string          `json:"method"` // of an event
	Params json.RawMessage `json:"params"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// browse starts a browser, which ends with the test.
func browse(t *testing.T) *chromium {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && program == "" {
			program = found
		}
	}
	if program == "" {
		t.Skip("no chromium")
	}
	theirs, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, theirsOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile := t.TempDir()
	c := exec.Command(program, "--headless=new", "--remote-debugging-pipe", "--user-data-dir="+profile, "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
		"--host-resolver-rules=MAP rebound.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", "--window-size=1360,860")
	c.Env = append(os.Environ(), "HOME="+profile)
	c.ExtraFiles = []*os.File{theirs, theirsOut}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	theirsOut.Close()
	b := &chromium{t: t, to: to, wait: map[int]chan reply{}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		in := bufio.NewReaderSize(from, 1<<20)
		for {
			message, err := in.ReadBytes(0)
			if err != nil {
				return
			}
			var r reply
			if json.Unmarshal(message[:len(message)-1], &r) != nil {
				continue
			}
			if r.Method == "Runtime.exceptionThrown" || r.Method == "Log.entryAdded" { // such as what the policy of the page refused
				b.mu.Lock()
				b.trouble = append(b.trouble, string(r.Params))
				b.mu.Unlock()
			}
			if r.ID == 0 {
				continue
			}
			b.mu.Lock()
			b.wait[r.ID] <- r
			b.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		b.say("", "Browser.close", nil)
		<-ended
		to.Close()
		from.Close()
		_ = c.Wait()
	})
	return b
}

// say sends a message, and returns where its answer comes.
func (b *chromium) say(session, method string, params any) chan reply {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	answer := make(chan reply, 1)
	b.wait[b.last] = answer
	text, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params})
	if session != "" {
		text, err = json.Marshal(map[string]any{"id": b.last, "method": method, "params": params, "sessionId": session})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	_, _ = b.to.Write(append(text, 0)) // a browser that has gone does not answer
	return answer
}

// call sends a message and waits for its answer.
func (b *chromium) call(session, method string, params, result any) {
	b.t.Helper()
	select {
	case r := <-b.say(session, method, params):
		if r.Error != nil {
			b.t.Fatalf("%s: %s", method, r.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(r.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
	case <-time.After(2 * time.Minute):
		b.t.Fatalf("%s: no answer", method)
	}
}

// tab is a page of the browser.
type tab struct {
	*chromium
	session string
}

// open opens an address in a tab of its own.
func (b *chromium) open(address string) *tab {
	b.t.Helper()
	var target struct {
		ID string `json:"targetId"`
	}
	b.call("", "Target.createTarget", map[string]any{"url": "about:blank", "newWindow": true}, &target)
	var attached struct {
		ID string `json:"sessionId"`
	}
	b.call("", "Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &attached)
	p := &tab{b, attached.ID}
	p.size(1360, 860)
	p.call(p.session, "Runtime.enable", map[string]any{}, nil)
	p.call(p.session, "Log.enable", map[string]any{}, nil)
	p.call(p.session, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	p.visit(address)
	return p
}

func (p *tab) size(width, height int) {
	p.call(p.session, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

func (p *tab) visit(address string) {
	p.t.Helper()
	p.call(p.session, "Page.navigate", map[string]any{"url": address}, nil)
}

// scheme chooses light or dark.
func (p *tab) scheme(name string) {
	p.call(p.session, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": name}}}, nil)
}

// eval runs an expression in the page and stores its value, or that of its promise.
func (p *tab) eval(expression string, value any) {
	p.t.Helper()
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	p.call(p.session, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &r)
	if r.Exception != nil {
		p.t.Fatalf("%.300s: %s %s", expression, r.Exception.Text, r.Exception.Exception.Description)
	}
	if value != nil {
		if err := json.Unmarshal(r.Result.Value, value); err != nil {
			p.t.Fatalf("%.300s: %v: %s", expression, err, r.Result.Value)
		}
	}
}

// until waits until an expression is true in the page.
func (p *tab) until(condition string) {
	p.t.Helper()
	var done bool
	p.eval(`new Promise((done) => { const end = Date.now() + 20_000; (function look() {
		let is; try { is = !!(`+condition+`) } catch { is = false }
		if (is || Date.now() > end) done(is); else setTimeout(look, 20);
	})() })`, &done)
	if !done {
		var text string
		p.eval("location.href + '\\n' + document.body.innerText", &text)
		p.shot("failed")
		p.mu.Lock()
		defer p.mu.Unlock()
		p.t.Fatalf("never: %s\n%s\n%s", condition, text, strings.Join(p.trouble, "\n"))
	}
}

// click clicks what a selector finds, once it is there.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.until("document.querySelector(" + strconv.Quote(selector) + ")?.disabled === false || document.querySelector(" + strconv.Quote(selector) + ")?.href")
	p.eval("document.querySelector("+strconv.Quote(selector)+").click()", nil)
}

// press presses a key.
func (p *tab) press(key string) {
	p.t.Helper()
	text := key
	if len(key) > 1 {
		text = map[string]string{"Enter": "\r"}[key]
	}
	p.call(p.session, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": key, "text": text}, nil)
	p.call(p.session, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
}

// text types a text where the focus is.
func (p *tab) text(words string) {
	p.t.Helper()
	p.call(p.session, "Input.insertText", map[string]any{"text": words}, nil)
}

// shot keeps a picture of the page among the artifacts of the test: go test -artifacts.
func (p *tab) shot(name string) {
	p.t.Helper()
	if testFlag("test.artifacts") != "true" {
		return
	}
	var picture struct {
		Data string `json:"data"`
	}
	p.call(p.session, "Page.captureScreenshot", map[string]any{"format": "png"}, &picture)
	raw, err := base64.StdEncoding.DecodeString(picture.Data)
	if err != nil {
		p.t.Fatal(err)
	}
	file := filepath.Join(p.t.ArtifactDir(), name+".png")
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
