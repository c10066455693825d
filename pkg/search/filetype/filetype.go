package filetype

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/glob"
)

// Globs returns the globs for the files of a type. The error for an unknown type has
// the code invalid_arguments.
func Globs(name string) ([]*glob.Glob, error) {
	i, ok := slices.BinarySearchFunc(types[:], strings.ToLower(name), func(t struct{ name, globs string }, want string) int {
		return strings.Compare(t.name, want)
	})
	if !ok {
		return nil, unknown(name)
	}
	var globs []*glob.Glob
	for pattern := range strings.FieldsSeq(types[i].globs) {
		g, err := glob.Compile(pattern)
		if err != nil {
			return nil, err
		}
		globs = append(globs, g)
	}
	return globs, nil
}

// Names returns the names of all types in order.
func Names() []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.name
	}
	return names
}

// unknown returns the error for an unknown type. Its hint names the types that the
// caller may have meant: those that start like the name, and those whose files have
// the name as their extension.
func unknown(name string) error {
	var alike []string
	for _, t := range types {
		if name != "" && (strings.HasPrefix(t.name, name[:1]) && (strings.HasPrefix(t.name, name) || strings.HasPrefix(name, t.name)) ||
			slices.Contains(strings.Fields(t.globs), "*."+name)) {
			alike = append(alike, t.name)
		}
	}
	err := fault.New(fault.InvalidArguments, fault.T("type: unknown file type %q", name)).
		WithHint(fault.T(`use glob instead, such as "*.%s"`, name)).
		WithDetails(map[string]any{"pointer": "/type", "types": Names()})
	if len(alike) > 0 {
		err = err.WithHint(fault.T("did you mean %s?", strings.Join(alike, ", "))).
			WithDetails(map[string]any{"pointer": "/type", "types": alike})
	}
	return err
}
