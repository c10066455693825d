package browser

import (
	"context"
	"errors"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// howToAllow says what the person does to allow a browser.
func howToAllow() fault.Text {
	return fault.T("only the person can allow one: helve config set web.browser auto")
}

// NotConfigured is the fault where the person has allowed no browser.
func NotConfigured() *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("no browser is allowed to run the scripts of pages")).WithHint(howToAllow())
}

func notInstalled() error {
	return fault.New(fault.NotConfigured, fault.T("web.browser is auto, but no Chromium or Chrome is installed")).
		WithHint(fault.T("the person must install one, or set web.browser to its path"))
}

func noProgram(path string) error {
	return fault.New(fault.NotConfigured, fault.T("web.browser is %s, which is no program", path)).
		WithHint(fault.T("the person must set it to auto or to the path of a Chromium or Chrome"))
}

func notAbsolute(program string) error {
	return fault.New(fault.NotConfigured, fault.T("web.browser is %q, which is no absolute path", program)).
		WithHint(fault.T("the person must set it to auto or to the path of a Chromium or Chrome"))
}

func unsupported() error {
	return fault.New(fault.Unsupported, fault.T("pages cannot be shown in a browser on this system")).
		WithHint(fault.T("read the page with render=never"))
}

func noSandbox(reason string) error {
	return fault.New(fault.SandboxUnavailable, fault.T("the browser would run as root without any sandbox, which is refused: %s", reason)).
		WithHint(fault.T("run helve as an ordinary user, or where user namespaces are allowed"))
}

func closed() error {
	return fault.New(fault.Canceled, fault.T("the browser is being closed")).
		WithHint(fault.T("call again"))
}

// renderNever is the hint for a page that a browser cannot show.
func renderNever() fault.Text {
	return fault.T("read it with render=never, or call again")
}

func notStarted(program string, said string, err error) error {
	f := fault.New(fault.Unavailable, fault.T("the browser %s did not start: %s", program, said)).
		WithHint(fault.T("check that it runs by itself, or set web.browser to another one"))
	return f.Because(err)
}

func noOwnSandbox(program string) error {
	return fault.New(fault.SandboxUnavailable, fault.T("the browser %s has no sandbox here: neither user namespaces nor its own helper are available", program)).
		WithHint(fault.T("the person must allow user namespaces, or install the browser with its sandbox"))
}

// ended returns why a page was lost with the browser.
func ended(url string, r *run.Result, err error) error {
	switch {
	case r != nil && r.Ended == run.TooLarge:
		return tooMuchMemory(url)
	case r != nil && r.Ended == run.TooMany:
		return fault.New(fault.TooLarge, fault.T("the browser was ended because %s made it start too many processes", url)).WithHint(renderNever())
	}
	return fault.New(fault.Unavailable, fault.T("the browser ended while it showed %s", url)).WithHint(renderNever()).Because(err)
}

func tooMuchMemory(url string) error {
	return fault.New(fault.TooLarge, fault.T("%s needs more memory in a browser than it may have", url)).WithHint(renderNever())
}

func crashed(url string) error {
	return fault.New(fault.Unavailable, fault.T("the browser cannot show %s: the page has crashed", url)).WithHint(renderNever())
}

func download(url string) error {
	return fault.New(fault.UnsupportedContent, fault.T("%s is a download and no page", url)).
		WithHint(fault.T("read it with render=never"))
}

func unreachable(url, reason string) error {
	return fault.New(fault.Unavailable, fault.T("the browser did not get %s: %s", url, reason)).WithHint(renderNever())
}

func elsewhere(url, to string) error {
	return fault.New(fault.UnsupportedScheme, fault.T("%s led the browser to %s, which is no page of the web", url, to)).WithHint(renderNever())
}

// late returns the fault of a call whose context has ended.
func late(ctx context.Context, url string, since time.Time) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fault.New(fault.Canceled, fault.T("the call was canceled while the browser showed %s", url)).
			WithHint(fault.T("call again"))
	}
	return fault.New(fault.Timeout, fault.T("the browser did not show %s within %s", url, time.Since(since).Round(time.Second))).
		WithHint(fault.T("raise timeout, or read it with render=never"))
}
