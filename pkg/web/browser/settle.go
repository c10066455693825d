package browser

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// A page is at rest after quietTime without requests, or after stillTime without a
	// change although it makes requests. One without a text is given emptyTime, since
	// scripts may wait.
	quietTime = 500 * time.Millisecond
	stillTime = 2 * time.Second
	emptyTime = 3 * time.Second
	// lookInterval is the time between two looks at the page.
	lookInterval = 100 * time.Millisecond
)

// look is the state of a page at one time.
type look struct {
	Elements int     `json:"elements"`
	Text     int     `json:"text"`   // characters
	Height   float64 `json:"height"` // pixels
}

// looking counts what the page shows. It runs in a world of its own, in which scripts of
// the page have changed nothing.
const looking = `(() => {
	const root = document.documentElement, body = document.body;
	return JSON.stringify({
		elements: document.getElementsByTagName("*").length, text: body ? body.innerText.trim().length : 0,
		height: root ? root.scrollHeight : 0,
	});
})()`

// scrolling goes to the end of the page.
const scrolling = `window.scrollTo(0, document.documentElement.scrollHeight)`

// settle waits until the page is loaded and at rest. settled is false if ctx ends before.
func (t *tab) settle(ctx context.Context) (settled bool, err error) {
	ticks := time.NewTicker(lookInterval)
	defer ticks.Stop()
	var last look
	changed, first := time.Now(), time.Time{}
	for {
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return false, t.state()
		case <-t.p.gone:
			return false, t.p.why()
		}
		if err := t.state(); err != nil {
			return false, err
		}
		loaded, quiet := t.quiet()
		if !loaded {
			continue
		}
		if first.IsZero() {
			first, changed = time.Now(), time.Now()
		}
		var now look
		if err := t.evaluate(ctx, looking, &now); err != nil {
			if ctx.Err() != nil {
				return false, t.state()
			}
			if t.p.why() != nil {
				return false, err
			}
			continue // it has been left for another page
		}
		if now != last {
			last, changed = now, time.Now()
		}
		still := time.Since(changed)
		switch {
		case now.Text == 0 && time.Since(first) < emptyTime:
		case quiet && still >= quietTime, still >= stillTime:
			return true, nil
		}
	}
}

// state returns why the page cannot be shown any more.
func (t *tab) state() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.crashed {
		return crashed(t.url)
	}
	return nil
}

// instead returns why the page cannot be shown any more, or else the error of a call.
func (t *tab) instead(err error) error {
	if why := t.state(); why != nil {
		return why
	}
	return err
}

// quiet reports whether the page is loaded, and has asked for nothing for quietTime.
func (t *tab) quiet() (loaded, quiet bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.loaded, len(t.open) == 0 && time.Since(t.active) >= quietTime
}

// scroll goes to the end of the page while more of it comes, and back.
func (t *tab) scroll(ctx context.Context) (settled bool, err error) {
	var before look
	if err := t.retry(ctx, looking, &before); err != nil {
		return false, t.lost(ctx, err)
	}
	for range maxScrolls {
		if before.Height <= height {
			break
		}
		if err := t.retry(ctx, scrolling, nil); err != nil {
			return false, t.lost(ctx, err)
		}
		t.mu.Lock()
		t.active = time.Now() // scripts may be about to ask
		t.mu.Unlock()
		if settled, err := t.settle(ctx); err != nil || !settled {
			return settled, err
		}
		var after look
		if err := t.retry(ctx, looking, &after); err != nil {
			return false, t.lost(ctx, err)
		}
		if after == before {
			break
		}
		before = after
	}
	return true, t.lost(ctx, t.retry(ctx, `window.scrollTo(0, 0)`, nil))
}

// lost returns an error of a call unless it only says that the time is up.
func (t *tab) lost(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return t.state()
	}
	return err
}

// retry evaluates a script until it succeeds: the page may be left for another meanwhile.
func (t *tab) retry(ctx context.Context, script string, result any) error {
	for {
		err := t.evaluate(ctx, script, result)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(lookInterval):
		case <-ctx.Done():
			return err
		case <-t.p.gone:
			return err
		}
	}
}

// evaluate runs a script of ours in a world of its own of the page, and decodes the JSON
// that it returns into result, unless that is nil.
func (t *tab) evaluate(ctx context.Context, script string, result any) error {
	var world struct {
		ID int `json:"executionContextId"`
	}
	t.mu.Lock()
	frame := t.frame
	t.mu.Unlock()
	if err := t.p.call(ctx, t.session, "Page.createIsolatedWorld", params{"frameId": frame, "worldName": "helve"}, &world); err != nil {
		return err
	}
	var value struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	err := t.p.call(ctx, t.session, "Runtime.evaluate", params{"expression": script, "contextId": world.ID, "returnByValue": true}, &value)
	switch {
	case err != nil:
		return err
	case value.Exception != nil:
		return errors.New("the page could not be looked at")
	case result == nil:
		return nil
	}
	var text string
	if err := json.Unmarshal(value.Result.Value, &text); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), result)
}

// snapshot takes what the page shows.
func (t *tab) snapshot(ctx context.Context, page *Page) error {
	var data json.RawMessage
	if err := t.p.call(ctx, t.session, "DOMSnapshot.captureSnapshot", params{"computedStyles": []string{}}, &data); err != nil {
		return t.instead(err)
	}
	s, err := parseSnapshot(data)
	if err != nil {
		return err
	}
	text, whole, foreign, err := s.html()
	if err != nil {
		return err
	}
	page.HTML = text
	page.FinalURL, page.Title = s.final()
	if !whole {
		page.Warnings = append(page.Warnings, fault.T("the page in the browser is larger than %d bytes; the rest was not read", maxHTML))
	}
	if foreign > 0 {
		page.Warnings = append(page.Warnings, fault.T("%d frames of other sites were left out", foreign))
	}
	return nil
}

// picture takes a picture of the page.
func (t *tab) picture(ctx context.Context, page *Page) error {
	var metrics struct {
		Content struct {
			Height float64 `json:"height"`
		} `json:"cssContentSize"`
	}
	if err := t.p.call(ctx, t.session, "Page.getLayoutMetrics", nil, &metrics); err != nil {
		return t.instead(err)
	}
	tall := metrics.Content.Height
	if tall > maxPicture {
		page.Warnings = append(page.Warnings, fault.T("the picture shows the first %d of %d pixels of the page", maxPicture, int(tall)))
	}
	var picture struct {
		Data string `json:"data"`
	}
	clip := params{"x": 0, "y": 0, "width": width, "height": min(max(tall, height), maxPicture), "scale": 1}
	if err := t.p.call(ctx, t.session, "Page.captureScreenshot", params{"format": "png", "clip": clip, "captureBeyondViewport": true}, &picture); err != nil {
		return t.instead(err)
	}
	var err error
	if page.Screenshot, err = base64.StdEncoding.DecodeString(picture.Data); err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	return nil
}
