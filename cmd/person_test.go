package cmd_test

import (
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// asPerson is the script command person: it runs helve as a person does, for what
// helve refuses to a process that it started; see program. An argument id:FILE is
// the id of the request in the document that FILE holds.
func asPerson(ts *testscript.TestScript, neg bool, args []string) {
	file := os.Getenv("HELVE_BINARY")
	if file != "" {
		file = "helve" // found by the script's PATH
	} else {
		var err error
		file, err = cmdtest.Program()
		ts.Check(err)
	}
	args = slices.Clone(args)
	for i, arg := range args {
		answer, ok := strings.CutPrefix(arg, "id:")
		if !ok {
			continue
		}
		_, rest, _ := strings.Cut(ts.ReadFile(answer), `"approval":{"id":"`)
		args[i], _, _ = strings.Cut(rest, `"`)
	}
	switch err := ts.Exec(file, args...); {
	case err != nil && !neg:
		ts.Fatalf("helve %v: %v\n%s", args, err, ts.ReadFile("stdout"))
	case err == nil && neg:
		ts.Fatalf("helve %v: unexpected success\n%s", args, ts.ReadFile("stdout"))
	}
}
