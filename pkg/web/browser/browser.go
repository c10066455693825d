package browser

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/web"
)

// idleTime is the time that an unused browser is kept.
const idleTime = time.Minute

// Options configure a [Browser].
type Options struct {
	// Program is the path of a Chromium or Chrome, Auto for the first one installed, or ""
	// for none.
	Program string
	// Client decides what pages may reach.
	Client *web.Client
	// State is the directory that profiles are made in.
	State func() (*state.Dir, error)
	// Support returns the sandboxes that the machine has.
	Support func() sandbox.Support
	// Environ is the environment of this process, "NAME=value". The browser gets what
	// programs need and no secret.
	Environ []string
	// Hidden are further files and directories that the browser must not read.
	Hidden []string
	// Now is the clock; nil is the real one.
	Now func() time.Time
}

// Browser shows pages, one at a time. It keeps a process between them for a while.
type Browser struct {
	opt  Options
	turn chan struct{} // holds a token; whoever has it uses the process

	mu      sync.Mutex
	process *process // nil if there is none
	idle    *time.Timer
	life    context.Context // ends with Close
	stop    context.CancelFunc
}

// New returns a browser. It starts nothing before the first page.
func New(o Options) *Browser {
	if o.Now == nil {
		o.Now = time.Now
	}
	b := &Browser{opt: o, turn: make(chan struct{}, 1)}
	b.life, b.stop = context.WithCancel(context.Background())
	b.turn <- struct{}{}
	return b
}

// Allowed reports whether the settings allow a browser.
func (b *Browser) Allowed() bool { return b.opt.Program != "" }

// Request is a page to be shown.
type Request struct {
	URL        web.Address
	Timeout    time.Duration // of everything, a start of the browser included; 0 is 20 s
	Screenshot bool
}

// Page is a page as the browser shows it.
type Page struct {
	HTML       string // what is shown, without scripts' hands in how it is read
	Title      string
	FinalURL   string // after redirects, and where scripts led on to
	Status     int    // of the document; 0 if it is unknown
	MIME       string
	Screenshot []byte // PNG; of the upper part of a page that is very long
	Warnings   []fault.Text
}

// Open shows a page and returns what it has become.
//
// The faults are those of [web.Parse], not_configured (no browser is allowed or there is
// none), sandbox_unavailable, blocked_address and denied (for the page itself), timeout,
// canceled, too_large (memory), unsupported_content (a download) and unavailable.
func (b *Browser) Open(ctx context.Context, r Request) (*Page, error) {
	if !b.Allowed() {
		return nil, NotConfigured()
	}
	if err := r.URL.Err(); err != nil {
		return nil, err
	}
	address := r.URL.String()
	if r.Timeout <= 0 {
		r.Timeout = 20 * time.Second
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	defer context.AfterFunc(b.life, cancel)()
	select {
	case <-b.turn:
		defer func() { b.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, b.late(ctx, address, began)
	}
	defer b.rest()
	for {
		p, err := b.warm(ctx)
		if err != nil {
			if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
				err = b.late(ctx, address, began)
			}
			return nil, err
		}
		used := p.used
		p.used = true
		page, err := b.visit(ctx, p, r, address, began)
		if err == nil || !used || p.lives() || ctx.Err() != nil {
			return page, err
		}
		// Another page may have ended the process: one that still took memory, for example.
	}
}

// visit shows a page in a process.
func (b *Browser) visit(ctx context.Context, p *process, r Request, address string, began time.Time) (*Page, error) {
	gateway := b.opt.Client.Gateway(r.URL, p.switchboard().connect())
	defer func() { _ = gateway.Close() }()
	t := newTab(p, address, began, r)
	page, err := t.show(ctx)
	t.close()
	if err != nil {
		switch {
		case !p.lives():
			err = p.lost(address)
		case ctx.Err() != nil && !isFault(err):
			err = b.late(ctx, address, began)
		case !isFault(err):
			err = unreachable(address, err.Error())
		}
	}
	host := r.URL.Hostname()
	if page != nil {
		if final, err := web.Parse(page.FinalURL); err == nil {
			host = final.Hostname()
		}
	}
	return answer(host, gateway.Refused(), page, err)
}

// answer adds what the gateway has refused to what the browser made of it. Where that was
// the page itself, at host, it is why there is none.
func answer(host string, refused []web.Refusal, page *Page, err error) (*Page, error) {
	for _, r := range refused {
		switch {
		case r.Host == "update.googleapis.com" || r.Host == "clients2.google.com": // asked by Chromium itself
		case r.Host == host && (err != nil || page.Status == http.StatusForbidden):
			return nil, r.Err
		case page != nil:
			page.Warnings = append(page.Warnings, fault.T("the page was kept from reaching %s: %s", r.Host, fault.As(r.Err).Message))
		}
	}
	return page, err
}

func isFault(err error) bool {
	var f *fault.Error
	return errors.As(err, &f)
}

// late returns why a call that waited too long ended.
func (b *Browser) late(ctx context.Context, url string, since time.Time) error {
	if b.life.Err() != nil {
		return closed()
	}
	return late(ctx, url, since)
}

// warm returns the process, which it starts if there is none. The caller has the turn.
func (b *Browser) warm(ctx context.Context) (*process, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.idle != nil {
		b.idle.Stop()
		b.idle = nil
	}
	if b.process != nil && b.process.lives() {
		return b.process, nil
	}
	if b.process != nil {
		b.process.close()
		b.process = nil
	}
	if b.life.Err() != nil {
		return nil, closed()
	}
	p, err := start(ctx, &b.opt)
	if err != nil {
		return nil, err
	}
	b.process = p
	return p, nil
}

// rest ends the process when nobody uses it for a while.
func (b *Browser) rest() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.idle = time.AfterFunc(idleTime, func() {
		select {
		case <-b.turn:
			b.end()
			b.turn <- struct{}{}
		default: // somebody uses it
		}
	})
}

// end ends the process. The caller has the turn.
func (b *Browser) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.process != nil {
		b.process.close()
		b.process = nil
	}
}

// Close ends the process, and a call that is under way. It returns when nothing is left.
func (b *Browser) Close() error {
	b.stop()
	<-b.turn
	defer func() { b.turn <- struct{}{} }()
	b.mu.Lock()
	if b.idle != nil {
		b.idle.Stop()
	}
	b.mu.Unlock()
	b.end()
	return nil
}
