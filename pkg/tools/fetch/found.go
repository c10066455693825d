package fetch

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/reading"
)

// foundTime limits the time of reading all found pages, in seconds.
const foundTime = 40

// Found is the [reading.Reader] for pages that another tool has found. It reads them
// with the defaults of this one.
func Found(ctx context.Context, call *tool.Call, addresses []string, most reading.Budget) ([]reading.Page, error) {
	pages := make([]reading.Page, len(addresses))
	var allowed []string
	for i, address := range addresses {
		pages[i].URL = address
		if err := foundMay(call, address); err != nil {
			pages[i].Error = shortly(failureOf(fault.As(err), call.Env.Lang))
			continue
		}
		allowed = append(allowed, address)
	}
	if len(allowed) == 0 {
		return pages, nil
	}
	given := map[string]any{"urls": allowed, "max_chars": most.Chars, "timeout": foundTime}
	if most.Tokens > 0 {
		given["max_tokens"] = most.Tokens
	}
	input, err := schema.Marshal(given)
	if err != nil {
		return nil, err
	}
	var a Args
	if _, err := Tool.Decode(input, &a); err != nil {
		return nil, err
	}
	read, err := Several(ctx, call, a)
	if ctx.Err() != nil || read == nil {
		return nil, err
	}
	for i := range pages {
		if pages[i].Error == nil {
			pages[i], read = read[0].found(), read[1:]
		}
	}
	return pages, nil
}

// found returns what the tool that found a page shows of it.
func (e *Each) found() reading.Page {
	p := reading.Page{URL: e.URL, SameAs: e.SameAs, Error: shortly(e.Error)}
	if e.Page != nil {
		p.Title, p.Published, p.Untrusted = e.Title, e.Published, true
		p.Content, p.TotalChars, p.NextStart = e.Content, e.TotalChars, e.NextStart
	}
	return p
}

// shortly returns a failure without its details.
func shortly(f *Failure) *reading.Failure {
	if f == nil {
		return nil
	}
	return &reading.Failure{Code: f.Code, Message: f.Message, Hint: f.Hint}
}

// foundMay returns why the policy does not let a page be read that no argument
// names. Whoever allowed the call did not see the address: a rule that asks about it
// is not satisfied.
func foundMay(call *tool.Call, address string) error {
	if call.Env.Policy == nil {
		return nil
	}
	q := policy.Request{Tool: Tool.Name, Risk: policy.Read, Project: call.Project(), Web: true, Hosts: hosts(Args{URL: address})}
	switch d := call.Env.Policy.Decide(q); d.Verdict {
	case policy.Allow:
	case policy.Ask:
		return fault.New(fault.Denied, fault.T("the policy asks before this page is read")).
			WithHint(fault.T("fetch it by itself, so that the person is asked"))
	default:
		return d.Err()
	}
	q.Tool = call.Tool.Name
	if d := call.Env.Policy.Decide(q); d.Verdict == policy.Deny {
		return d.Err()
	}
	return nil
}
