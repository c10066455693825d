package tool_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
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
		if got := call.WarningsAfter(c.err); len(got) != c.want || len(call.Warnings()) != 2 {
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
