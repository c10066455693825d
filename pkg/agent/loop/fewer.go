package loop

import (
	"encoding/json"
	"slices"

	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/schema"
)

// fewestTools lists the tools that a model with a small context is offered: most tasks can
// be done with them.
func fewestTools() []string { return []string{"read", "write", "edit", "exec", "grep"} }

// fitting returns the definitions of tools that a conversation of so many tokens has room
// for: all of them, or the fewest where all would take more than a third of it.
func fitting(definitions json.RawMessage, context int) json.RawMessage {
	if tokens.EstimateDefinitions(string(definitions)) <= context/3 {
		return definitions
	}
	var all, kept []json.RawMessage
	if json.Unmarshal(definitions, &all) != nil {
		return definitions
	}
	for _, one := range all {
		var tool struct {
			Name     string // in Anthropic's format
			Function struct{ Name string }
		}
		if json.Unmarshal(one, &tool) == nil && slices.Contains(fewestTools(), tool.Name+tool.Function.Name) {
			kept = append(kept, one)
		}
	}
	if len(kept) == 0 {
		return definitions
	}
	fewer, err := schema.Marshal(kept)
	if err != nil {
		return definitions
	}
	return fewer
}
