package exec

import (
	"context"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// preview is what a person decides by: the command as it is, and each simple
// command of it on a line of its own with its risk.
func preview(ctx context.Context, call *tool.Call, r *request) (string, error) {
	var b strings.Builder
	if r.args.Command != "" {
		b.WriteString("$ " + strings.ReplaceAll(strings.TrimSpace(r.args.Command), "\n", "\n  ") + "\n")
	}
	for _, c := range call.Judgement.Commands {
		fmt.Fprintf(&b, "%-12s%s", c.Risk, quoted(c.Argv))
		if c.Network {
			b.WriteString("  (network)")
		}
		b.WriteByte('\n')
	}
	if rest := call.Judgement.Rest; rest.Risk != policy.Read {
		fmt.Fprintf(&b, "%-12s%s\n", rest.Risk, "redirections and what is computed")
	}
	fmt.Fprintf(&b, "in %s, sandbox %s, network %s\n", r.args.Cwd, r.tier, r.network)
	effect, err := r.foresee(ctx, call)
	return b.String() + effect, err
}

// quoted shows words so that it is plain where each begins and ends.
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
