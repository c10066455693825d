package cmd_test

import (
	"fmt"
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/helve-dev/helve/pkg/agent/model/modeltest"
)

// modelServer is a program that plays a model by a script, for processes that are not of this one.
func modelServer() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: modelserver SCRIPT")
		os.Exit(2)
	}
	script, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(modeltest.Main(script, os.Stdin, os.Stdout))
}

// asModel is the command of scripts that plays a model: MODEL_URL is then its base URL.
func asModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: model SCRIPT")
	}
	s, err := modeltest.Parse([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	v := modeltest.New(s)
	ts.Defer(v.Close)
	ts.Setenv("MODEL_URL", v.Base())
}
