package line

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// RunForeign runs the call of a tool by a name that other systems have for it, if words
// are the name and a JSON object or "-": a model wrote that. A person gets to know the
// name of the command; see [UnknownTool].
func RunForeign(c *cobra.Command, h *host.Host, p *out.Printer, words []string) (ran bool, err error) {
	if len(words) != 2 || words[1] != "-" && !strings.HasPrefix(strings.TrimSpace(words[1]), "{") {
		return false, nil
	}
	input := []byte(words[1])
	if words[1] == "-" {
		if input, err = AwaitText(c.Context(), c.InOrStdin(), nil); err != nil {
			return true, err
		}
	}
	env, catalog, err := h.Env()
	if err != nil {
		return true, err
	}
	t, err := catalog.For(words[0], input)
	if _, program := insteadOf(words[0], nil); program && fault.Is(err, fault.UnknownTool) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	p.Result(t, guard.Run(c.Context(), env, t, input))
	return true, nil
}
