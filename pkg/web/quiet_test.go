package web

import (
	"io"
	"log"
)

// quiet keeps the complaints of servers that are abused out of the output.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
