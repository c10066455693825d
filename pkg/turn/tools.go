package turn

import (
	"context"
	"encoding/json"
	"sync"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// Tools are the tools of an engine as the conversation of a sub-agent wants them: see
// [loop.Tools].
type Tools struct {
	engine  Engine
	format  dialect.Format
	dialect *dialect.Dialect

	mu   sync.Mutex
	last json.RawMessage // the definitions, as they were offered last
}

var _ loop.Tools = (*Tools)(nil)

// NewTools returns the tools of an engine in the format of a model, of those of package
// model. All calls are answered here, as text. The fault is usage.
func NewTools(e Engine, format string) (*Tools, error) {
	e.JSON, e.Pass = false, nil
	t := &Tools{engine: e, format: dialect.OpenAI}
	if format == model.Anthropic {
		t.format = dialect.Anthropic
	}
	var err error
	t.dialect, err = dialect.Find(string(t.format))
	return t, err
}

// Definitions returns the tools that are worth offering by the present policy; nil if
// there are none. They are the same bytes while that does not change. If the policy
// cannot be read, the previous definitions stay: calls are refused then.
func (t *Tools) Definitions(context.Context) (json.RawMessage, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	env, catalog, err := t.engine.World()
	if err != nil && t.last != nil {
		return t.last, nil
	}
	if err != nil {
		return nil, err
	}
	var offered []*tool.Tool
	for _, one := range catalog.Tools() {
		if guard.Withheld(env, one) == nil {
			offered = append(offered, one)
		}
	}
	if len(offered) == 0 {
		return nil, nil
	}
	all, err := dialect.Definitions(t.format, dialect.Describe(offered, t.engine.Lang, false), dialect.Options{})
	if err != nil {
		return nil, err
	}
	t.last, err = schema.Marshal(all)
	return t.last, err
}

// Answer carries out the calls of a message. The fault is bad_document, for a message
// without any.
func (t *Tools) Answer(ctx context.Context, message json.RawMessage) (answers []json.RawMessage, made []loop.Made, err error) {
	turn, err := read(t.dialect, message)
	if err != nil || len(turn.Calls) == 0 {
		return nil, nil, fault.New(fault.BadDocument, fault.T("no calls can be read in what the model says")).
			WithHint(fault.T("try another model, or set spawn.format")).Because(err)
	}
	var all []dialect.Answer
	for _, one := range t.engine.Run(ctx, turn) {
		one.Answer.Content = t.bounded(one.Answer.Content)
		all = append(all, one.Answer)
		m := loop.Made{
			Name: one.Answer.Call.Name, Arguments: one.Answer.Call.Arguments, OK: one.Err == nil, Bytes: len(one.Answer.Content), Elapsed: one.Elapsed,
		}
		if one.Err != nil {
			m.Code = one.Err.Code
		}
		made = append(made, m)
	}
	for _, m := range turn.Messages(all) {
		text, err := schema.Marshal(m)
		if err != nil {
			return nil, nil, err
		}
		answers = append(answers, text)
	}
	return answers, made, nil
}

// maxAnswer is the largest text of an answer, in bytes. Tools have limits of their own;
// this one holds where a call asks for more than a conversation can take.
const maxAnswer = 256 << 10

func (t *Tools) bounded(content string) string {
	if len(content) <= maxAnswer {
		return content
	}
	end := maxAnswer
	for !utf8.RuneStart(content[end]) {
		end--
	}
	return content[:end] + "\n" + fault.T("[%d bytes are left out here: ask for less in one call]", len(content)-end).In(t.engine.Lang)
}
