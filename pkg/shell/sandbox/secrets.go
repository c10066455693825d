package sandbox

import "github.com/helve-dev/helve/pkg/workspace/known"

// Secrets returns the files and directories that usually hold keys and tokens, for the
// home directory of a person and variables, "NAME=value", that move parts of it. A profile
// may name paths that do not exist.
func Secrets(home string, environ ...string) []string { return known.At(home, environ...).Secrets() }
