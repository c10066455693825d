package patch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/patch"
	"github.com/helve-dev/helve/pkg/testing/gptpatch"
)

// Of patches as models write them none lands elsewhere than it was made for, and many land.
func TestDrawnByModels(t *testing.T) {
	t.Parallel()
	landed := map[string]int{}
	for seed := range uint64(2000) {
		d := gptpatch.Draw(seed)
		text, ok := made(d)
		switch {
		case ok && text != d.Want:
			t.Errorf("seed %d, %s:\n%s\n%s", seed, d.Kind, d.Patch, text)
		case ok:
			landed[d.Kind]++
		}
	}
	for _, kind := range gptpatch.Kinds {
		if landed[kind] == 0 {
			t.Errorf("%s: none landed", kind)
		}
	}
	t.Log(landed)
}

// made returns what a patch makes of its source.
func made(d gptpatch.Drawn) (text string, ok bool) {
	files, err := patch.Parse(d.Patch, d.Path)
	if err != nil {
		return "", false
	}
	text = d.Source
	for _, f := range files {
		r, err := patch.Apply(text, f)
		if err != nil {
			return "", false
		}
		text = r.Text
	}
	return text, true
}

// Of a patch that was made before one sentence says so, however many hunks it has.
func TestAllIsDone(t *testing.T) {
	t.Parallel()
	var b, src strings.Builder
	b.WriteString("*** Begin Patch\n*** Update File: a.go\n")
	for i := range 30 {
		fmt.Fprintf(&b, "@@\n-\told(%d)\n+\trenamed(%d)\n", i, i)
		fmt.Fprintf(&src, "\trenamed(%d)\n", i)
	}
	files, err := patch.Parse(b.String()+"*** End Patch\n", "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = patch.Apply(src.String(), files[0])
	if !fault.Is(err, fault.AlreadyApplied) || fault.As(err).Message.In(fault.English) != "a.go has the changes of all 30 hunks already" {
		t.Error(err)
	}
}
