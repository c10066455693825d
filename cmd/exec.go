package cmd

import (
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/schema"
)

// commandTool is the tool whose result can be a process's exit status.
const commandTool = "exec"

// execFlags are the flags of exec that are about this process, not the call.
func (a *app) execFlags(c *cobra.Command) {
	c.Flags().BoolVar(&a.streaming, "stream", false, "print output as it comes, a line of JSON each, and then the result")
	c.Flags().BoolVar(&a.mirror, "exit-status", false, "exit with the status of the command")
}

// status is the exit status that a result asks for, if the caller wants it.
func (a *app) statusOf(result any) int {
	if r, ok := result.(interface{ Status() int }); ok && a.mirror {
		return r.Status()
	}
	return 0
}

// piece is a line of a streamed answer: output as it came.
type piece struct {
	Kind string `json:"t"` // out or err
	Data string `json:"d"`
}

// stream prints a piece of output. A character that was cut in two waits for its
// rest.
func (a *app) stream(data []byte, stderr bool) {
	kind, at := "out", 0
	if stderr {
		kind, at = "err", 1
	}
	data = append(a.rest[at], data...)
	whole := len(data)
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		if last := data[len(data)-n]; utf8.RuneStart(last) {
			if !utf8.FullRune(data[len(data)-n:]) {
				whole = len(data) - n
			}
			break
		}
	}
	a.rest[at] = append([]byte(nil), data[whole:]...)
	line, err := schema.Marshal(piece{kind, string(data[:whole])})
	if err != nil || whole == 0 {
		return // every text encodes, and nothing is nothing
	}
	a.write(line)
	a.answered = false // the answer is still to come
}
