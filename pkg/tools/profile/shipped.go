package profile

import (
	"embed"
	"path"
	"strings"
)

//go:embed shipped/*.json
var files embed.FS

// Shipped returns the names of the profiles that are part of the program.
func Shipped() (names []string) {
	entries, err := files.ReadDir("shipped")
	if err != nil {
		panic(err) // unreachable: they are embedded
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	return names
}

// Load returns the file of a profile that is part of the program.
func Load(name string) (data []byte, ok bool) {
	data, err := files.ReadFile(path.Join("shipped", name+".json"))
	return data, err == nil
}

// IsName reports whether a text can be the name of a profile or of a tool.
func IsName(name string) bool { return named(name, "-") }
