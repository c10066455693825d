package line

import (
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/pkg/schema"
)

// ValueOf names the value of a flag in help and manual pages; it is empty for a flag that
// needs none.
func ValueOf(f *pflag.Flag) string {
	if a, ok := f.Value.(*Argument); ok && a.Field.Path != schema.NoPath {
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
