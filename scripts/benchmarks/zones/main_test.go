package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSample asks the others a sample of the questions, which is the same each time.
func TestSample(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	names, err := os.ReadFile("pkg/schedule/zone/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	questions, err := ask(rand.New(rand.NewPCG(7, 20)), strings.Fields(string(names)), 1200)
	if err != nil {
		t.Fatal(err)
	}
	try := func(argv ...string) {
		t.Helper()
		theirs, err := asked(t.Context(), argv, questions)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		same := 0
		for i, q := range questions {
			if explain(q, theirs.Answers[i]) == "same" {
				same++
			}
		}
		if unexplained := compare(&out, argv[0], questions, theirs); unexplained > 0 || same < len(questions)*9/10 {
			t.Errorf("%s", out.String())
		}
	}
	t.Run("croner", func(t *testing.T) {
		node, err := exec.LookPath("node")
		if err != nil {
			t.Skip("no node")
		}
		modules := os.Getenv("HELVE_NODE_MODULES")
		if _, err := os.Stat(filepath.Join(modules, "croner")); modules == "" || err != nil {
			t.Skip("no croner")
		}
		try(node, "scripts/judges/zones.cjs")
	})
	t.Run("zoneinfo", func(t *testing.T) {
		python := os.Getenv("HELVE_PYTHON")
		if python == "" || exec.Command(python, "-c", "import tzdata").Run() != nil {
			t.Skip("no tzdata")
		}
		try(python, "-B", "scripts/judges/zones.py")
	})
}

// A difference is only explained by what is true.
func TestExplain(t *testing.T) {
	q := question{zone: "Europe/Berlin", text: "0 3 * * *", after: 1767225600, runs: []int64{1767232800, 1767319200}}
	for want, a := range map[string]answer{
		"same":       {runs: q.runs},
		"":           {runs: []int64{1767232860, 1767319200}, ahead: []int64{3600, 3600, 3600, 3600}},
		"other data": {runs: []int64{1767229200, 1767315600}, ahead: []int64{7200, 7200, 7200, 7200}},
	} {
		if got := explain(q, a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
