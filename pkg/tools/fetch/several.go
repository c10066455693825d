package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
)

const (
	// maxAtOnce and maxAtHost limit the pages read at the same time, of all hosts and of
	// one.
	maxAtOnce = 4
	maxAtHost = 2
)

// several reads the pages of url and urls.
func several(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	for _, odd := range []struct {
		given   bool
		pointer string
	}{{a.Save != "", "/save"}, {a.Start > 0, "/start"}} {
		if odd.given {
			return Result{}, schema.Invalid(odd.pointer, fault.T("is for one page, not for several")).
				WithHint(fault.T("pass the page as url, in a call of its own"))
		}
	}
	pages, err := Several(ctx, call, a)
	if err != nil {
		return Result{}, err
	}
	return Result{Pages: pages}, nil
}

// Several reads the pages of URL and URLs under one budget: all pages share MaxChars and
// MaxTokens, and short pages leave more to the others. They share Timeout, too; a page
// that is not read by then has a fault of its own. The other arguments apply to each
// page; all come from [Tool.Decode]. An address that occurs again is not read again.
//
// Each is in the place of its address. If no page can be read, it returns the fault of
// the first, and the pages with their faults, too.
func Several(ctx context.Context, call *tool.Call, a Args) ([]Each, error) {
	addresses := a.URLs
	if a.URL != "" {
		addresses = slices.Concat([]string{a.URL}, a.URLs)
	}
	a.URLs = nil
	timed, cancel := context.WithTimeout(ctx, time.Duration(a.Timeout)*time.Second)
	defer cancel()
	tasks := make([]*task, len(addresses))
	first := map[string]*task{}
	hosts := map[string]chan struct{}{}
	slots := make(chan struct{}, maxAtOnce)
	parts := tool.NewParts(len(addresses))
	var reading sync.WaitGroup
	for i, address := range addresses {
		t := &task{address: address, at: web.At(address), call: parts.Of(call.Apart())}
		tasks[i] = t
		key, host := t.identity()
		if t.same = first[key]; t.same != nil {
			parts.Done(call)
			continue
		}
		first[key] = t
		if hosts[host] == nil {
			hosts[host] = make(chan struct{}, maxAtHost)
		}
		mine := hosts[host] // the map still grows
		reading.Go(func() {
			defer parts.Done(call)
			t.run(timed, a, mine, slots)
		})
	}
	reading.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return together(call, a, tasks)
}

// identity returns what addresses of the same page have in common, and its host.
func (t *task) identity() (key, host string) {
	if t.at.Err() != nil {
		return t.address, ""
	}
	return t.at.Page().String(), t.at.Hostname()
}

// task is one of several pages. It is written by one goroutine.
type task struct {
	address string
	at      web.Address
	same    *task // an earlier one with the same address
	call    *tool.Call
	page    Page
	err     error
	crash   string // what it panicked with, which goes on in the goroutine of the call
}

// run reads the page when both slots are free.
func (t *task) run(ctx context.Context, a Args, slots ...chan struct{}) {
	defer func() {
		if v := recover(); v != nil {
			t.crash = fmt.Sprintf("%v\n%s", v, debug.Stack())
		}
	}()
	for _, slot := range slots {
		select {
		case slot <- struct{}{}:
			defer func() { <-slot }()
		case <-ctx.Done():
			t.err = t.late()
			return
		}
	}
	a.URL = t.address
	t.page, t.err = readAt(ctx, t.call, a, t.at)
	if known := (*fault.Error)(nil); t.err != nil && ctx.Err() != nil && !errors.As(t.err, &known) {
		t.err = t.late()
	}
}

func (t *task) late() error {
	return fault.New(fault.Timeout, fault.T("there was no time left for %s", t.shown())).
		WithHint(fault.T("fetch it alone, or pass a larger timeout"))
}

func (t *task) shown() string {
	if t.at.Err() != nil {
		return label(t.address)
	}
	return web.Shown(t.at.URL())
}

// together returns what became of each page, all within the budget.
func together(call *tool.Call, a Args, tasks []*task) ([]Each, error) {
	var read []*Page
	all := make([]Each, len(tasks))
	var first error
	for i, t := range tasks {
		if t.crash != "" {
			panic(t.crash)
		}
		each := &all[i]
		each.URL = t.address
		switch {
		case t.same != nil:
			each.SameAs = t.same.address
			continue
		case t.err != nil:
			first = cmp.Or(first, t.err)
			each.Error = failureOf(fault.As(t.err), call.Env.Lang)
		default:
			each.Page = &t.page
			read = append(read, each.Page)
		}
		about := call.About(t.shown())
		for _, w := range t.call.Warnings() {
			about.Warn(w)
		}
	}
	if len(read) == 0 {
		return all, first
	}
	share(read, a.MaxChars, a.MaxTokens)
	return all, nil
}

// failureOf shows a fault as what became of one page.
func failureOf(e *fault.Error, lang fault.Lang) *Failure {
	return &Failure{Code: e.Code, Message: e.Message.In(lang), Hint: e.Hint.In(lang), Details: e.Details}
}
