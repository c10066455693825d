package exec

import (
	"context"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// preview shows what a person decides by: the command, and what it changes.
func preview(ctx context.Context, call *tool.Call, r *request) (string, error) {
	text, err := outline(ctx, call, r)
	if err != nil {
		return "", err
	}
	if len(r.moves.asked) > 0 {
		diff, err := r.differences(ctx, call)
		return text + diff, err
	}
	changes, err := r.foresee(ctx, call)
	if err != nil {
		return "", err
	}
	cleaned, err := r.cleaned(ctx, call)
	return text + changes + cleaned, err
}

// outline shows the command as it is, then each simple command of it with its risk on
// a line.
func outline(_ context.Context, call *tool.Call, r *request) (string, error) {
	var b strings.Builder
	if r.args.Command != "" {
		b.WriteString("$ " + strings.ReplaceAll(strings.TrimSpace(r.args.Command), "\n", "\n  ") + "\n")
	}
	for _, c := range call.Judgement.Commands {
		fmt.Fprintf(&b, "%-12s%s", c.Risk, quoted(c.Argv))
		if c.Network && !c.Shared {
			b.WriteString("  (" + fault.T("network").In(call.Env.Lang) + ")")
		}
		b.WriteByte('\n')
	}
	if rest := call.Judgement.Rest; rest.Risk != policy.Read {
		fmt.Fprintf(&b, "%-12s%s\n", rest.Risk, fault.T("redirections and expansions").In(call.Env.Lang))
	}
	b.WriteString(fault.T("in %s, sandbox %s, network %s", r.args.Cwd, string(r.Kind), string(r.network)).In(call.Env.Lang) + "\n")
	if len(r.granted) > 0 {
		b.WriteString(fault.T("a yes lets it connect to %s, beside what exec.hosts lists", r.granted.String()).In(call.Env.Lang) + "\n")
	}
	return b.String(), nil
}

// quoted shows words so that it is clear where each begins and ends.
func quoted(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = w
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`;&|<>(){}*?[]#~") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
