package patch

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

var seeds = []string{
	"--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ func f\n a\n-b\n+c\n\n",
	"diff --git \"a/\\303\" b/y\nrename from x\nrename to y\nnew mode 100755\n--- /dev/null\n+++ b/x\n@@\n+a\n\\ No newline at end of file\n",
	"*** Begin Patch\n*** Update File: x\n*** Move to: y\n@@ class A\n@@ f\n a\n-b\n*** End of File\n*** Add File: n\n+x\n*** End Patch\n",
	"x\n```\n<<<<<<< SEARCH\n:start_line:2\n-------\na\n=======\nb\n>>>>>>> REPLACE\n```\n",
	"```diff\n@@ @@\r\n-a\r\n+b\r\n```\r\n",
	"@@ -0,0 +1 @@\n+a\n@@ -5 +5,2 @@\n--- a\n+++ b\n-- \n2.39\n",
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "")
		f.Add(s, "p")
	}
	f.Fuzz(func(t *testing.T, patch, path string) {
		files, err := Parse(patch, path)
		if err != nil {
			if code := fault.As(err).Code; code == fault.Internal || files != nil {
				t.Fatalf("%v and %v", err, files)
			}
			return
		}
		if len(files) == 0 {
			t.Fatal("no files and no error")
		}
		rows := strings.Count(patch, "\n") + 1
		for _, file := range files {
			if file.Path == "" || file.Line < 1 || file.Line > rows || (file.Action == Move) && file.From == "" {
				t.Errorf("%+v", file)
			}
			if file.Action == Modify && len(file.Hunks) == 0 {
				t.Error("a modification without a hunk")
			}
			for _, h := range file.Hunks {
				for _, l := range h.Lines {
					if strings.Contains(l.Text, "\n") || l.Op != Context && l.Op != Remove && l.Op != Insert {
						t.Errorf("%+v", l)
					}
				}
			}
		}
	})
}

func FuzzApply(f *testing.F) {
	for _, s := range seeds {
		f.Add("a\nb\nc\n", s)
		f.Add("x\r\na\r\nb", s)
		f.Add("a\rb\r", s)
	}
	f.Fuzz(func(t *testing.T, src, patch string) {
		files, err := Parse(patch, "p")
		if err != nil {
			return
		}
		for _, file := range files {
			r, err := Apply(src, file)
			if err != nil {
				if fault.As(err).Code == fault.Internal || r.Text != src || r.Splices != nil || r.Hunks != nil {
					t.Fatalf("%v, but %+v", err, r)
				}
				continue
			}
			checkSplices(t, src, r)
			checkOutside(t, src, r)
		}
	})
}

// checkOutside verifies that the lines outside of the ranges that the hunks
// report are the same bytes, in the same order.
func checkOutside(t *testing.T, src string, r Result) {
	t.Helper()
	if len(r.Hunks) == 0 {
		return
	}
	cut := func(s string) []string {
		sep := "\n"
		if !strings.Contains(src, "\n") && strings.Contains(src, "\r") && !strings.Contains(r.Text, "\n") {
			sep = "\r"
		}
		all := strings.SplitAfter(s, sep)
		if all[len(all)-1] == "" {
			all = all[:len(all)-1]
		}
		return all
	}
	old, now := cut(src), cut(r.Text)
	oldIn, newIn := make([]bool, len(old)), make([]bool, len(now))
	for _, h := range r.Hunks {
		for i := h.Old.Start; i <= h.Old.End; i++ {
			oldIn[i-1] = true
		}
		for i := h.New.Start; i <= h.New.End; i++ {
			newIn[i-1] = true
		}
	}
	outside := func(lines []string, in []bool) string {
		var b strings.Builder
		for i, l := range lines {
			if !in[i] {
				b.WriteString(l)
			}
		}
		return b.String()
	}
	if a, b := outside(old, oldIn), outside(now, newIn); a != b {
		t.Errorf("outside of %+v\n%q became\n%q\nsrc %q\nnow %q", r.Hunks, a, b, src, r.Text)
	}
}
