package line

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// unquotedJSON recognizes what cmd and PowerShell 5 make of an object: they take its quotes
// away, and what contained spaces comes in several words. The error has the call with flags,
// where the object can still be read.
func unquotedJSON(t *tool.Tool, args []string) error {
	text := strings.Trim(strings.TrimSpace(strings.Join(args, " ")), "'")
	inside, is := strings.CutPrefix(text, "{")
	name, rest, _ := strings.Cut(inside, ":")
	name = strings.TrimSpace(name)
	if !is || name == "" || rest == "" || strings.ContainsAny(text, `"`) || strings.ContainsAny(name, " \t\n'{},$") {
		return nil
	}
	call := "helve " + t.Command()
	if pairs, whole := strings.CutSuffix(inside, "}"); whole && !strings.ContainsAny(pairs, "{}[]") {
		for pair := range strings.SplitSeq(pairs, ",") {
			name, value, valued := strings.Cut(pair, ":")
			if name = strings.TrimSpace(name); !valued || !slices.Contains(t.Schema().Names(), name) {
				call = "" // a comma or a colon of a text
				break
			}
			call += flags([]given{{name, strings.TrimSpace(value)}})
		}
	} else {
		call = ""
	}
	if call == "" {
		call = "helve " + t.Command() + " --" + flagName(name) + " …"
	}
	return fault.New(fault.InvalidArguments, fault.T("the shell took the quotes out of the JSON: %s came", text)).
		WithHint(fault.T("give the arguments as flags: %s. Or write the JSON to standard input", call))
}
