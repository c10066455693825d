package cmd

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/pkg/schema"
)

// ValueOf names the value of a flag in help and manual pages; it is empty for a flag that
// needs none.
func ValueOf(f *pflag.Flag) string {
	if a, ok := f.Value.(*argument); ok && a.field.Path != schema.NoPath {
		return "PATH"
	}
	switch f.Value.Type() {
	case "bool":
		return ""
	case "int", "uint64", string(schema.Integer), string(schema.Number):
		return "N"
	case "duration", "age":
		return "TIME"
	case "stringSlice", string(schema.Array):
		return "LIST"
	case string(schema.Map):
		return "JSON"
	}
	return "TEXT"
}

// flagRows returns the flags that help shows, each with what it is for.
func (p *Printer) flagRows(flags *pflag.FlagSet) [][2]string {
	var rows [][2]string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		if value := ValueOf(f); value != "" {
			name += " " + value
		}
		usage := f.Usage
		switch f.DefValue {
		case "", "false", "0", "0s", "[]":
		default:
			usage += p.Text(" (default %s)", strings.Trim(f.DefValue, `"`))
		}
		rows = append(rows, [2]string{name, usage})
	})
	return rows
}
