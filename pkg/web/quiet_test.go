package web

import (
	"io"
	"log"
)

// quiet discards the log of a server.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
