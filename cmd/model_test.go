package cmd_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/helve-dev/helve/pkg/testing/modeltest"
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

// The program says where it is, answers, and ends with its standard input.
func TestModelServer(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(script, []byte(`{"steps": [{"say": "from a process"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "modelserver", script)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	base, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.Post(strings.TrimSpace(base)+"/chat/completions", "application/json", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if body, err := io.ReadAll(r.Body); err != nil || !strings.Contains(string(body), "from a process") {
		t.Errorf("%s, %v", body, err)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}
