package cmd_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
)

// inProcess runs the command line in this process and returns its document.
func inProcess(t *testing.T, args ...string) cmdtest.Answer {
	t.Helper()
	var out, errw bytes.Buffer
	cmd.Main(args, strings.NewReader(""), &out, &errw)
	var a cmdtest.Answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatalf("%q: %v\n%.300s", args, err, out.String())
	}
	if errw.Len() > 0 {
		t.Errorf("%q: stderr: %s", args, errw.String())
	}
	return a
}
