package released

import (
	"flag"
	"fmt"
	"os"
)

// Main is a command that packs a release: it reads the flags, calls pack, and ends the
// process with a status.
func Main(command string, pack func(r Release, out string) error) {
	release := Flags()
	out := flag.String("out", "", "`directory` to write to")
	flag.Parse()
	r, err := release()
	if err == nil {
		err = pack(r, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, command+":", err)
		os.Exit(1)
	}
}
