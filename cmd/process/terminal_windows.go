package process

import (
	"errors"
	"os"
)

// OpenTerminal fails: a console has no single name for input and output.
func OpenTerminal() (*os.File, error) { return nil, errors.ErrUnsupported }
