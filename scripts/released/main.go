package released

import (
	"flag"
	"fmt"
	"os"
)

// Main is a command that packs programs: it reads the flags, calls pack, and ends the
// process with a status.
func Main(command string, pack func(root string, programs []Program, version, out string) error) {
	programs := Flags()
	out := flag.String("out", "", "`directory` to write to")
	flag.Parse()
	all, version, err := programs()
	if err == nil {
		err = pack(".", all, version, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, command+":", err)
		os.Exit(1)
	}
}
