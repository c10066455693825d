package syntax

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
)

// checkGo parses a Go file, bodies included.
func checkGo(text string) Verdict {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	var list scanner.ErrorList
	switch {
	case err == nil:
		return passed()
	case errors.As(err, &list) && len(list) > 0:
		return failed(list[0].Pos.Line, list[0].Msg)
	}
	return failed(0, err.Error())
}
