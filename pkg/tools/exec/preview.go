package exec

import (
	"context"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// preview is what a person decides by: the command as it is, and each simple
// command of it on a line of its own with its risk.
func preview(ctx context.Context, env *tool.Env, a Args) (string, error) {
	r, ok := requestOf(env)
	if !ok {
		return "", fault.New(fault.Internal, fault.T("the command was not judged", "该命令未经判断"))
	}
	var b strings.Builder
	if a.Command != "" {
		b.WriteString("$ " + strings.ReplaceAll(strings.TrimSpace(a.Command), "\n", "\n  ") + "\n")
	}
	for _, c := range env.Judged.Commands {
		fmt.Fprintf(&b, "%-12s%s", c.Risk, quoted(c.Argv))
		if c.Network {
			b.WriteString("  (network)")
		}
		b.WriteByte('\n')
	}
	if rest := env.Judged.Rest; rest.Risk != tool.Read {
		fmt.Fprintf(&b, "%-12s%s\n", rest.Risk, "redirections and what is computed")
	}
	fmt.Fprintf(&b, "in %s, sandbox %s, network %s\n", a.Cwd, r.tier, r.network)
	effect, err := r.foresee(ctx, env)
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
