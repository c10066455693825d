package schema

import "slices"

// Renamed returns o with other names for some of its arguments, for the same struct.
// The names that they had are accepted as aliases.
func (o *Object) Renamed(names map[string]string) *Object {
	renamed := o.like(slices.Clone(o.Fields))
	for i := range renamed.Fields {
		f := &renamed.Fields[i]
		if name, ok := names[f.Unless]; ok {
			f.Unless = name
		}
		name, ok := names[f.Name]
		if !ok {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(f.Aliases), func(alias string) bool { return alias == name })
		f.Name, f.Aliases = name, append(others, f.Name)
	}
	return renamed
}
