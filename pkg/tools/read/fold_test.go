package read

import (
	"fmt"
	"strings"
	"testing"
)

// TestFold folds a log: what is like others is counted, what is rare or a failure stays, the
// numbers are those of the file, and no line counts as shown to the session.
func TestFold(t *testing.T) {
	var log strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&log, "10:%02d:%02d INFO handled item %d in %d ms\r\n", i/60%60, i%60, i, i%97)
		switch i {
		case 7000:
			log.WriteString("worker exited with code 137\r\n")
		case 9000:
			log.WriteString("cache warmed\r\n")
		}
	}
	call, shown := world(t, map[string]string{"app.log": log.String()})
	for _, c := range []struct {
		args Args
		want []string
	}{
		{Args{}, []string{"\nworker exited with code 137\n", "\ncache warmed\n", "item 0 in", "item 19999 in", " like: "}},
		{Args{Numbered: true}, []string{"\n7002|worker exited with code 137\n", "\n9003|cache warmed\n", "\n1|10:00:00", "\n20002|"}},
		{Args{Numbered: true, Range: "1-90,6950-7050"}, []string{"\n1|10:00:00", "\n--\n", "\n7002|worker exited with code 137\n"}},
		{Args{Numbered: true, Offset: -13000, Limit: 1000}, []string{"\n7003|", "\n9003|cache warmed\n"}},
		{Args{MaxTokens: 60}, []string{"\nworker exited with code 137\n"}},
	} {
		c.args.Path, c.args.Fold = "app.log", true
		r, err := run(t.Context(), call, args(c.args))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range c.want {
			if !strings.Contains("\n"+r.Content.Content, text) {
				t.Errorf("%+v: no %q in %s", c.args, text, r.Content.Content)
			}
		}
		if r.Folded == 0 || r.Truncated || len(r.Content.Content) > 1000 {
			t.Errorf("%+v: folded %d, truncated %t, %d bytes", c.args, r.Folded, r.Truncated, len(r.Content.Content))
		}
	}
	if got := shown("app.log"); got != nil {
		t.Errorf("shown: %v", got)
	}
	for _, a := range []Args{{Path: "app.log", Fold: true, Outline: true}, {Path: "app.log", Fold: true, Symbol: "x"}, {Path: ".", Fold: true}} {
		if _, err := run(t.Context(), call, args(a)); err == nil {
			t.Errorf("%+v: no error", a)
		}
	}
}

// TestFoldFits folds a log whose lines are all failures: it is cut to the budget in bytes and
// lines, and says so.
func TestFoldFits(t *testing.T) {
	var log strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&log, "error: %s failed\n", strings.Repeat(string(rune('a'+i%26)), 1+i%71))
	}
	call, _ := world(t, map[string]string{"app.log": log.String()})
	r, err := run(t.Context(), call, args(Args{Path: "app.log", Fold: true, MaxBytes: 4000, Limit: 40}))
	if err != nil {
		t.Fatal(err)
	}
	text := r.Content.Content
	if lines := strings.Count(text, "\n"); len(text) > 4000+200 || lines > 40 || lines < 10 || !r.Truncated || !strings.Contains(text, "left out") {
		t.Errorf("%d bytes, %d lines, truncated %t: %s", len(text), lines, r.Truncated, text)
	}
}
