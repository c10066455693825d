package guard_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// deciding returns an approver with rules, and its store of approvals.
func deciding(t *testing.T, env *tool.Env, rules ...policy.Rule) (*guard.Approver, *approval.Store) {
	t.Helper()
	var given []policy.Given
	for _, r := range rules {
		given = append(given, policy.Given{Rule: r, From: "test"})
	}
	p, err := policy.New(given, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := env.State()
	if err != nil {
		t.Fatal(err)
	}
	store := approval.NewStore(dir)
	return &guard.Approver{Policy: p, Approvals: func() (*approval.Store, error) { return store, nil }}, store
}

// What a call has done later is decided like the call itself: the strictest counts.
func TestFurtherRequests(t *testing.T) {
	for _, c := range []struct {
		later policy.Request
		want  fault.Code
	}{
		{policy.Request{Tool: "harmless", Risk: policy.Write}, ""},
		{policy.Request{Tool: "risky", Risk: policy.Destructive}, fault.ApprovalRequired},
		{policy.Request{Tool: "forbidden", Risk: policy.Read}, fault.Denied},
	} {
		env, _ := world(t)
		a, _ := deciding(t, env, policy.Rule{Tool: "forbidden", Decision: policy.Deny})
		env.Decide = a.Decide
		planner := tool.NewJudged(tool.Def[args, map[string]string]{Name: "planner", Risk: policy.Destructive, Doc: "Plans."}, tool.Judged[args, args, map[string]string]{
			Judge: func(_ context.Context, _ *tool.Call, in args) (*tool.Judgement, args, error) {
				return &tool.Judgement{Risk: policy.Write, Further: []policy.Request{c.later}}, in, nil
			},
			Run: fine,
		})
		o := guard.Run(t.Context(), env, planner, []byte(`{"text":"x"}`))
		if c.want == "" && o.Err != nil || c.want != "" && (o.Err == nil || o.Err.Code != c.want) {
			t.Errorf("%s: %v", c.later.Tool, o.Err)
		}
	}
}

// A call that the policy asks about runs if its owner has an approval that covers it,
// whatever is in the files that it works on; what the policy denies does not.
func TestOwner(t *testing.T) {
	env, _ := world(t)
	ran := 0
	probe := doing(policy.Destructive, func(context.Context, *tool.Call, args) (map[string]string, error) {
		ran++
		return map[string]string{}, nil
	})
	input := []byte(`{"path":"a.txt","text":"x"}`)
	later, err := guard.Foresee(t.Context(), env, probe, input)
	if err != nil {
		t.Fatal(err)
	}
	if len(later.Requests) != 1 || later.Risk != policy.Destructive || later.Tool != "probe" || cmp.Diff(string(later.Arguments), string(input)) != "" || later.Outline == "" || ran != 0 {
		t.Errorf("%+v, ran %d times", later, ran)
	}
	owner := guard.Owner{Name: "cron:a", Terms: "every day"}
	run := func(o guard.Owner, input string, rules ...policy.Rule) fault.Code {
		t.Helper()
		a, _ := deciding(t, env, rules...)
		a.Owner = o
		env.Decide = a.Decide
		if o := guard.Run(t.Context(), env, probe, []byte(input)); o.Err != nil {
			return o.Err.Code
		}
		return ""
	}
	if got := run(owner, string(input)); got != fault.ApprovalRequired {
		t.Errorf("without an approval: %q", got)
	}
	_, store := deciding(t, env)
	if err := store.Stand(t.Context(), owner.Name, later.Under(owner), "R", "ann"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what  string
		owner guard.Owner
		input string
		rules []policy.Rule
		want  fault.Code
	}{
		{"the call", owner, string(input), nil, ""},
		{"again", owner, string(input), nil, ""},
		{"under another rule that asks", owner, string(input), []policy.Rule{{Tool: "probe", Decision: policy.Ask}}, ""},
		{"other arguments", owner, `{"path":"b.txt","text":"x"}`, nil, fault.ApprovalStale},
		{"other terms", guard.Owner{Name: owner.Name, Terms: "every second"}, string(input), nil, fault.ApprovalStale},
		{"another owner", guard.Owner{Name: "cron:b", Terms: owner.Terms}, string(input), nil, fault.ApprovalRequired},
		{"nobody", guard.Owner{}, string(input), nil, fault.ApprovalRequired},
		{"denied by now", owner, string(input), []policy.Rule{{Tool: "probe", Decision: policy.Deny}}, fault.Denied},
	} {
		if got := run(c.owner, c.input, c.rules...); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	if ran != 3 {
		t.Errorf("ran %d times", ran)
	}
	if _, err := guard.Foresee(t.Context(), env, probe, []byte(`{"nothing":1}`)); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("wrong arguments: %v", err)
	}
}
