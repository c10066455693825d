package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxRequests limits the requests of a page before it is taken off the network.
	maxRequests = 1500
	// maxDialogs limits the dialogs of a page before its scripts are stopped.
	maxDialogs = 20
	// maxPicture is the largest height of a picture, in pixels.
	maxPicture = 4096
	// maxScrolls limits the times that a page is scrolled to its end for more.
	maxScrolls = 10
)

// tab shows one page.
type tab struct {
	p       *process
	url     string
	began   time.Time
	request Request

	context, target, session string

	mu       sync.Mutex
	frame    string              // the main one
	loader   string              // of its document
	open     map[string]struct{} // requests that are under way
	active   time.Time           // when a request last began or ended
	requests int
	loaded   bool
	crashed  bool
	offline  bool
	status   int
	mime     string
	windows  int
	dialogs  int
	attached chan string // the session of the page
	abort    context.CancelFunc
}

func newTab(p *process, url string, began time.Time, r Request) *tab {
	return &tab{p: p, url: url, began: began, request: r, open: map[string]struct{}{}, attached: make(chan string, 1), abort: func() {}}
}

// params are those of a call of the protocol.
type params map[string]any

// show opens the page and returns what it has become.
func (t *tab) show(ctx context.Context) (*Page, error) {
	ctx, t.abort = context.WithCancel(ctx)
	defer t.abort()
	if err := t.prepare(ctx); err != nil {
		return nil, err
	}
	if err := t.navigate(ctx); err != nil {
		return nil, t.instead(err)
	}
	whole := t.request.Timeout - time.Since(t.began)
	settling, cancel := context.WithTimeout(ctx, whole*7/10)
	defer cancel()
	var page Page
	settled, err := t.settle(settling)
	if err == nil && settled {
		settled, err = t.scroll(settling)
	}
	if err != nil {
		return nil, err
	}
	if !settled {
		t.halt()
		page.Warnings = append(page.Warnings, fault.T("the page did not come to rest in a browser; this is what it was after %d s", int(time.Since(t.began).Seconds())))
	}
	if err := t.snapshot(ctx, &page); err != nil {
		return nil, err
	}
	if t.request.Screenshot {
		if err := t.picture(ctx, &page); err != nil {
			return nil, err
		}
	}
	if !strings.HasPrefix(page.FinalURL, "http://") && !strings.HasPrefix(page.FinalURL, "https://") {
		return nil, elsewhere(t.url, page.FinalURL)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	page.Status, page.MIME = t.status, t.mime
	t.warn(&page)
	return &page, nil
}

// warn adds what the page was kept from. t.mu is held.
func (t *tab) warn(page *Page) {
	if t.offline {
		page.Warnings = append(page.Warnings, fault.T("the page made more than %d requests; the rest was refused", maxRequests))
	}
	if t.dialogs > maxDialogs {
		page.Warnings = append(page.Warnings, fault.T("the page opened more than %d dialogs; its scripts were stopped", maxDialogs))
	}
	if t.windows > 0 {
		page.Warnings = append(page.Warnings, fault.T("the page tried to open other windows, which were closed"))
	}
}

// prepare makes the context and the page in it, with nothing in it.
func (t *tab) prepare(ctx context.Context) error {
	var made struct {
		Context string `json:"browserContextId"`
		Target  string `json:"targetId"`
	}
	if err := t.p.call(ctx, "", "Target.createBrowserContext", params{"disposeOnDetach": true}, &made); err != nil {
		return err
	}
	t.context = made.Context
	t.p.on("", t.outside)
	for _, c := range []struct {
		method string
		params params
	}{
		{"Browser.setDownloadBehavior", params{"behavior": "deny", "browserContextId": t.context}},
		// Whatever else is opened waits for a debugger that never comes.
		{"Target.setAutoAttach", params{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}},
	} {
		if err := t.p.call(ctx, "", c.method, c.params, nil); err != nil {
			return err
		}
	}
	if err := t.p.call(ctx, "", "Target.createTarget", params{"url": "about:blank", "browserContextId": t.context, "width": width, "height": height}, &made); err != nil {
		return err
	}
	t.mu.Lock()
	t.target = made.Target
	t.mu.Unlock()
	select {
	case t.session = <-t.attached:
	case <-t.p.gone:
		return t.p.why()
	case <-ctx.Done():
		return ctx.Err()
	}
	t.p.on(t.session, t.inside)
	for _, c := range []struct {
		method string
		params params
	}{
		{"Page.enable", nil},
		{"Network.enable", params{"maxTotalBufferSize": 1 << 20, "maxResourceBufferSize": 1 << 20}},
		{"Network.setBypassServiceWorker", params{"bypass": true}},
		{"Network.setCacheDisabled", params{"cacheDisabled": true}},
		{"Emulation.setDeviceMetricsOverride", params{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}},
		{"Page.addScriptToEvaluateOnNewDocument", params{"source": withoutPeers}},
		{"Runtime.runIfWaitingForDebugger", nil},
	} {
		if err := t.p.call(ctx, t.session, c.method, c.params, nil); err != nil {
			return err
		}
	}
	return nil
}

// withoutPeers takes from a page what reaches others beside the proxy. The network of the
// sandbox does so, too, where there is one.
const withoutPeers = `for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) delete globalThis[name];`

// navigate has the page loaded. It returns when the document begins.
func (t *tab) navigate(ctx context.Context) error {
	var begun struct {
		Frame    string `json:"frameId"`
		Loader   string `json:"loaderId"`
		Error    string `json:"errorText"`
		Download bool   `json:"isDownload"`
	}
	if err := t.p.call(ctx, t.session, "Page.navigate", params{"url": t.url}, &begun); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.frame = begun.Frame
	t.loader = cmp.Or(t.loader, begun.Loader)
	switch {
	case begun.Download:
		return download(t.url)
	case begun.Error != "":
		return unreachable(t.url, strings.TrimPrefix(begun.Error, "net::"))
	}
	return nil
}

// outside takes what happens outside of the page: a new window, or the page itself.
func (t *tab) outside(m message) {
	if m.Method != "Target.attachedToTarget" {
		return
	}
	var e struct {
		Session string `json:"sessionId"`
		Info    struct {
			ID      string `json:"targetId"`
			Type    string `json:"type"`
			Opener  string `json:"openerId"`
			Context string `json:"browserContextId"`
		} `json:"targetInfo"`
	}
	if json.Unmarshal(m.Params, &e) != nil || e.Info.Context != t.context || e.Info.Type != "page" {
		return
	}
	t.mu.Lock()
	own := e.Info.Opener == "" && (t.target == "" || t.target == e.Info.ID)
	if !own {
		t.windows++
	}
	t.mu.Unlock()
	if !own {
		t.p.tell("", "Target.closeTarget", params{"targetId": e.Info.ID})
		return
	}
	select {
	case t.attached <- e.Session:
	default:
	}
}

// inside takes what happens in the page.
func (t *tab) inside(m message) {
	var e struct {
		Request  string `json:"requestId"`
		Loader   string `json:"loaderId"`
		Frame    string `json:"frameId"`
		Type     string `json:"type"`
		Response struct {
			Status int    `json:"status"`
			MIME   string `json:"mimeType"`
		} `json:"response"`
	}
	switch m.Method {
	case "Inspector.targetCrashed":
		t.mu.Lock()
		t.crashed = true
		t.mu.Unlock()
		t.abort() // it answers no call any more
	case "Page.loadEventFired":
		t.mu.Lock()
		t.loaded = true
		t.active = time.Now()
		t.mu.Unlock()
	case "Page.javascriptDialogOpening":
		t.dialog(m)
	case "Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFinished", "Network.loadingFailed":
		if json.Unmarshal(m.Params, &e) != nil {
			return
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.active = time.Now()
		switch m.Method {
		case "Network.requestWillBeSent":
			t.begun(e.Request, e.Type)
			if e.Type == "Document" && e.Request == e.Loader && (t.frame == "" || e.Frame == t.frame) {
				t.loader, t.loaded = e.Loader, false // another page, or the same again
			}
		case "Network.responseReceived":
			if e.Type == "Document" && e.Request == t.loader {
				t.status, t.mime = e.Response.Status, e.Response.MIME
			}
		default:
			delete(t.open, e.Request)
		}
	}
}

// begun counts a request. One that is open for good is not waited for. t.mu is held.
func (t *tab) begun(request, kind string) {
	if t.requests++; t.requests > maxRequests && !t.offline {
		t.offline = true
		t.p.tell(t.session, "Network.emulateNetworkConditions", params{"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
	}
	switch kind {
	case "EventSource", "WebSocket", "Ping", "Media", "Prefetch":
	default:
		if len(t.open) < maxRequests {
			t.open[request] = struct{}{}
		}
	}
}

// dialog answers a dialog as somebody would who is not there, and lets a page be left.
func (t *tab) dialog(m message) {
	var e struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(m.Params, &e) // then it is dismissed
	t.mu.Lock()
	t.dialogs++
	many := t.dialogs > maxDialogs
	t.mu.Unlock()
	t.p.tell(t.session, "Page.handleJavaScriptDialog", params{"accept": e.Type == "beforeunload"})
	if many { // it may go on for good
		t.halt()
	}
}

// halt stops the scripts of the page for good, so that it can be looked at.
func (t *tab) halt() {
	t.p.tell(t.session, "Emulation.setScriptExecutionDisabled", params{"value": true})
	t.p.tell(t.session, "Runtime.terminateExecution", nil)
	t.p.tell(t.session, "Page.stopLoading", nil)
	t.mu.Lock()
	t.loaded, t.active = true, time.Now() // it may never say so itself
	t.mu.Unlock()
}

// close ends the page with all that it opened.
func (t *tab) close() {
	if t.context == "" {
		return
	}
	t.p.on(t.session, nil)
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	if t.p.call(ctx, "", "Target.disposeBrowserContext", params{"browserContextId": t.context}, nil) != nil {
		t.p.end(errGone) // another page would share it
	}
	t.p.on("", nil)
}
