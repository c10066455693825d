package turn

import (
	"encoding/json"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/turn/dialect"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// answer returns a call with its outcome as the content of a message. t is nil for a
// call that no tool has carried out.
func (e *Engine) answer(d *dialect.Dialect, c dialect.Call, t *tool.Tool, o guard.Outcome) Done {
	a := dialect.Answer{Call: c, Data: o.JSON}
	if long, ok := o.Result.(schema.Streamer); ok && d.Structured {
		var err error
		if a.Data, err = schema.Marshal(long); err != nil {
			o = guard.Outcome{Err: fault.As(err), Warnings: o.Warnings, Known: o.Known}
		}
	}
	if o.Said != nil {
		a.Data = o.Said.Data(e.Lang)
	}
	if o.Err != nil && (o.Said == nil || !o.Said.AsResult) {
		a.Failure = envelope.Of(o, e.Lang).Error
	} else if p, ok := o.Result.(tool.Pictured); ok {
		a.Pictures = p.Pictures()
	}
	if t != nil && t.Contents && !e.JSON && o.Said == nil {
		a.Contents = e.contents(a, o)
	}
	if !e.JSON {
		a.Content = envelope.Text(t, o, screen.View{Lang: e.Lang})
		return Done{Answer: a, Err: o.Err}
	}
	content, err := schema.Marshal(envelope.Of(o, e.Lang))
	if err != nil {
		return e.fail(d, c, err)
	}
	a.Content = string(content)
	return Done{Answer: a, Err: o.Err}
}

// contents returns the content blocks of an outcome, nil if it has none: some faults do
// not.
func (e *Engine) contents(a dialect.Answer, o guard.Outcome) *tool.Contents {
	data := a.Data
	if o.Err != nil {
		var err error
		if data, err = schema.Marshal(envelope.FailureOf(o.Err, e.Lang).Details); err != nil {
			return nil
		}
	}
	var c tool.Contents
	if json.Unmarshal(data, &c) != nil || c.Blocks == nil {
		return nil
	}
	if c.Structured != nil && !slices.ContainsFunc(c.Blocks, isText) { // most models are only given texts
		block, err := textBlock(string(c.Structured))
		if err != nil {
			return nil
		}
		c.Blocks = append(c.Blocks, block)
	}
	if said := envelope.Text(nil, guard.Outcome{Warnings: o.Warnings}, screen.View{Lang: e.Lang}); said != "" {
		block, err := textBlock(said)
		if err != nil {
			return nil
		}
		c.Blocks = slices.Insert(c.Blocks, 0, block)
	}
	return &c
}

// textBlock returns a text as a content block.
func textBlock(text string) (json.RawMessage, error) {
	return schema.Marshal(map[string]any{"type": "text", "text": text})
}

// isText reports whether a content block is a text.
func isText(block json.RawMessage) bool {
	var b struct {
		Type string `json:"type"`
	}
	return json.Unmarshal(block, &b) == nil && b.Type == "text"
}

// fail returns a call that could not be carried out, with the reason as its answer.
func (e *Engine) fail(d *dialect.Dialect, c dialect.Call, err error) Done {
	return e.answer(d, c, nil, guard.Outcome{Err: fault.As(err)})
}
