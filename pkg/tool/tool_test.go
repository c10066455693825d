package tool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

func TestService(t *testing.T) {
	var env tool.Env
	if _, err := tool.Service[fmt.Stringer](&env); !fault.Is(err, fault.Unsupported) {
		t.Errorf("%v", err)
	}
	tool.Provide(&env, func() (fault.Text, error) { return fault.T("a"), nil })
	if s, err := tool.Service[fault.Text](&env); err != nil || s.In(fault.English) != "a" {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := tool.Service[*fault.Text](&env); !fault.Is(err, fault.Unsupported) {
		t.Errorf("another type: %v", err)
	}
}

type noArgs struct{}

// What Judge finds out reaches Run of the same call, and of no other.
func TestFinding(t *testing.T) {
	probe := tool.NewJudged(tool.Def[noArgs, int]{Name: "probe", Doc: "Probes."}, tool.Judged[noArgs, int, int]{
		Judge: func(context.Context, *tool.Call, noArgs) (*tool.Judgement, int, error) {
			return &tool.Judgement{Risk: policy.Read}, 7, nil
		},
		Run: func(_ context.Context, _ *tool.Call, found int) (int, error) { return found + 1, nil },
	})
	call := tool.NewCall(&tool.Env{}, probe, nil)
	call.Args = probe.NewArgs()
	run := probe.Through(nil)
	if _, err := run(t.Context(), call); !fault.Is(err, fault.Internal) {
		t.Errorf("ran without having been judged: %v", err)
	}
	if err := probe.Judge(t.Context(), call); err != nil || call.Risk() != policy.Read {
		t.Fatalf("%v, %v", call.Judgement, err)
	}
	if got, err := run(t.Context(), call); err != nil || got != 8 {
		t.Errorf("%v, %v", got, err)
	}
}

// A silent copy warns nobody.
func TestWarn(t *testing.T) {
	call := tool.NewCall(&tool.Env{Notices: []fault.Text{fault.T("first")}}, nil, nil)
	call.Silent().Warn(fault.T("unheard"))
	call.Warn(fault.T("second"))
	if w := call.Warnings(); len(w) != 2 || w[0].In(fault.English) != "first" || w[1].In(fault.English) != "second" {
		t.Errorf("%v", w)
	}
}

// TestWarnDone: what a call did is not said of one that failed, and not of one that
// only showed what it would do.
func TestWarnDone(t *testing.T) {
	type args struct {
		Dry bool `json:"dry,omitzero" doc:"Only show it."`
	}
	def := tool.New(tool.Def[args, struct{}]{Name: "x", Doc: "X.", Trial: func(a args) bool { return a.Dry }})
	for _, c := range []struct {
		args any
		err  error
		want int
	}{
		{&args{}, nil, 2},
		{&args{Dry: true}, nil, 1},
		{&args{}, errors.New("failed"), 1},
		{nil, errors.New("not decoded"), 1},
	} {
		call := tool.NewCall(&tool.Env{}, def, nil)
		call.Args = c.args
		call.Warn(fault.T("a file is odd"))
		call.WarnDone(fault.T("a file was changed"))
		if got, _ := call.WarningsAfter(c.err); len(got) != c.want || len(call.Warnings()) != 2 {
			t.Errorf("%+v, %v: %v", c.args, c.err, got)
		}
	}
}

// A preset that fixes one of the arguments that stand for each other has none of them.
func TestPresetOfOne(t *testing.T) {
	type args struct {
		Path  string   `json:"path,omitzero" doc:"One."`
		Paths []string `json:"paths,omitzero" doc:"Several."`
		Limit int      `json:"limit,omitzero" doc:"Limit."`
	}
	def := tool.New(tool.Def[args, struct{}]{Name: "x", Doc: "X.", OneOf: []string{"path", "paths"}})
	for fixed, want := range map[string]string{`{"path":"a"}`: "[limit] []", `{"limit":1}`: "[path paths] [path paths]"} {
		p, err := tool.NewPreset(def, "y", "", []byte(fixed))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.Schema().Names(), p.OneOf); got != want {
			t.Errorf("%s: %s, want %s", fixed, got, want)
		}
		if err := p.Schema().Decode([]byte(`{"paths":["b"]}`), p.NewArgs()); (err != nil) != (want == "[limit] []") {
			t.Errorf("%s: %v", fixed, err)
		}
	}
}

// Tools that wrap each other decode as one: each adds its part, and leaves the tool that it
// wraps as it was.
func TestWrapped(t *testing.T) {
	type args struct {
		Path string `json:"path" doc:"File."`
		Text string `json:"text" doc:"Text."`
	}
	def := tool.New(tool.Def[args, struct{}]{Name: "note_add", Doc: "Adds.", Input: "text"})
	preset, err := tool.NewPreset(def, "notes", "", []byte(`{"path":"notes.md"}`))
	if err != nil {
		t.Fatal(err)
	}
	published, err := preset.Published(tool.Publication{Name: "remember", Arguments: map[string]string{"text": "what"}})
	if err != nil {
		t.Fatal(err)
	}
	translated := published.Translated(func(*schema.Given) ([]fault.Text, error) { return []fault.Text{fault.T("translated")}, nil })
	inside := translated.Inside(func(input []byte) ([]byte, error) { return bytes.TrimPrefix(input, []byte("call: ")), nil })
	for _, c := range []struct {
		tool                   *tool.Tool
		own                    *tool.Tool
		called, command, input string
		repairs                int
	}{
		{def, def, "note_add", "note add", `{"path":"notes.md","text":"x"}`, 0},
		{preset, preset, "notes", "notes", `{"text":"x"}`, 0},
		{preset, preset, "notes", "notes", `x`, 1},
		{published, preset, "remember", "remember", `{"what":"x"}`, 0},
		{published, preset, "remember", "remember", `x`, 1},
		{translated, preset, "remember", "remember", `{"what":"x"}`, 1},
		{inside, preset, "remember", "remember", `call: {"what":"x"}`, 1},
	} {
		into := c.tool.NewArgs()
		repairs, err := c.tool.Decode([]byte(c.input), into)
		if err != nil || len(repairs) != c.repairs || *into.(*args) != (args{"notes.md", "x"}) {
			t.Errorf("%s %s: %+v, repairs %q, %v", c.called, c.input, into, repairs, err)
		}
		if c.tool.Own() != c.own || c.tool.Called() != c.called || c.tool.Command() != c.command {
			t.Errorf("%s is called %s, its command is %s", c.called, c.tool.Called(), c.tool.Command())
		}
	}
}

// The faults of a published tool name its arguments as callers know them, whichever part
// of the call fails.
func TestPublishedFaults(t *testing.T) {
	type args struct {
		Path string `json:"path,omitzero" doc:"File."`
	}
	wrong := schema.Invalid("/path", fault.T("path is wrong"))
	def := tool.NewJudged(tool.Def[args, struct{}]{
		Name: "x", Doc: "X.",
		Paths: func(context.Context, *tool.Call, args) ([]tool.Target, error) { return nil, wrong },
	}, tool.Judged[args, int, struct{}]{
		Judge: func(_ context.Context, _ *tool.Call, a args) (*tool.Judgement, int, error) {
			if a.Path != "" {
				return nil, 0, wrong
			}
			return &tool.Judgement{}, 1, nil
		},
		Preview: func(context.Context, *tool.Call, int) (string, error) { return "", wrong },
		Outline: func(context.Context, *tool.Call, int) (string, error) { return "", wrong },
		Run:     func(context.Context, *tool.Call, int) (struct{}, error) { return struct{}{}, wrong },
	})
	published, err := def.Published(tool.Publication{Name: "y", Arguments: map[string]string{"path": "file"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, call := t.Context(), tool.NewCall(&tool.Env{}, published, nil)
	call.Args = &args{}
	if err := published.Judge(ctx, call); err != nil {
		t.Fatal(err)
	}
	refused := tool.NewCall(&tool.Env{}, published, nil)
	refused.Args = &args{Path: "a"}
	_, paths := published.Paths(ctx, call)
	_, preview := published.Preview(ctx, call)
	_, outline := published.Outline(ctx, call)
	_, run := published.Through(nil)(ctx, call)
	for part, err := range map[string]error{"judge": published.Judge(ctx, refused), "paths": paths, "preview": preview, "outline": outline, "run": run} {
		if !fault.Is(err, fault.InvalidArguments) || !strings.Contains(err.Error(), "file is wrong") || strings.Contains(err.Error(), "path") {
			t.Errorf("%s: %v", part, err)
		}
	}
}
