package syntax

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// checkTOML decodes a document, which also finds keys that are set twice.
func checkTOML(text string) (v Verdict) {
	defer func() {
		if recover() != nil { // a fault of the library must not stop an edit
			v = Verdict{}
		}
	}()
	var document map[string]any
	err := toml.Unmarshal([]byte(text), &document)
	var at *toml.DecodeError
	switch {
	case err == nil:
		return passed()
	case errors.As(err, &at):
		line, _ := at.Position()
		return failed(line, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return failed(0, strings.TrimPrefix(err.Error(), "toml: "))
}
