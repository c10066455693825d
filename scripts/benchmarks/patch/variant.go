package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// variant makes of a change the text to patch, the patch and what must come
// out; ok is false when it does not fit. Where want is "", nothing may.
type variant struct {
	name string
	make func(ctx context.Context, dir string, c change, r *rand.Rand) (src, diff, want string, ok bool)
}

var variants = []variant{
	{"as is", damaged(3, nil)},
	{"-U1", damaged(1, nil)},
	{"-U0", damaged(0, nil)},
	{"20 lines before it", shifted},
	{"headers off by 20", damaged(3, headers(func(h header) string {
		return fmt.Sprintf("@@ -%d,%d +%d,%d @@%s", h.old+20, h.oldCount, h.new+20, h.newCount, h.section)
	}))},
	{"@@ @@", damaged(3, headers(func(header) string { return "@@ @@" }))},
	{"@@ and the function", damaged(3, headers(func(h header) string { return "@@" + h.section }))},
	{"wrong counts", damaged(3, headers(func(h header) string {
		return fmt.Sprintf("@@ -%d,%d +%d,%d @@%s", h.old, h.oldCount+2, h.new, max(1, h.newCount-1), h.section)
	}))},
	{"blank context stripped", damaged(3, func(diff string) string { return strings.ReplaceAll(diff, "\n \n", "\n\n") })},
	{"context without its space", damaged(3, unmarked)},
	{"CRLF target", func(ctx context.Context, dir string, c change, _ *rand.Rand) (string, string, string, bool) {
		diff := gitDiff(ctx, dir, c, 3)
		if strings.Contains(c.old+c.new, "\r") {
			return "", "", "", false
		}
		return crlf(c.old), diff, crlf(c.new), diff != ""
	}},
	{"CRLF patch", damaged(3, crlf)},
	{"one removed line drifted", drifted(3)},
	{"one removed line drifted, -U1", drifted(1)},
	{"one removed line drifted, -U0", drifted(0)},
}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// gitDiff returns git's diff of the change, "" if it fails.
func gitDiff(ctx context.Context, dir string, c change, around int) string {
	for side, text := range map[string]string{"a": c.old, "b": c.new} {
		if os.MkdirAll(filepath.Join(dir, side), 0o700) != nil ||
			os.WriteFile(filepath.Join(dir, side, c.file), []byte(text), 0o600) != nil {
			return ""
		}
	}
	cmd := exec.CommandContext(ctx, "git", "-c", "core.autocrlf=false", "diff", "--no-index", "--no-prefix", "--no-color",
		"-U"+strconv.Itoa(around), "a/"+c.file, "b/"+c.file)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return ""
	}
	return string(out)
}

// damaged does something to the patch alone.
func damaged(around int, do func(string) string) func(context.Context, string, change, *rand.Rand) (string, string, string, bool) {
	return func(ctx context.Context, dir string, c change, _ *rand.Rand) (string, string, string, bool) {
		diff := gitDiff(ctx, dir, c, around)
		if do != nil && diff != "" {
			diff = do(diff)
		}
		return c.old, diff, c.new, diff != ""
	}
}

// shifted has twenty more lines at the beginning of the text.
func shifted(ctx context.Context, dir string, c change, _ *rand.Rand) (string, string, string, bool) {
	var head strings.Builder
	for i := range 20 {
		fmt.Fprintf(&head, "// line %d was not here when the patch was made\n", i+1)
	}
	diff := gitDiff(ctx, dir, c, 3)
	return head.String() + c.old, diff, head.String() + c.new, diff != ""
}

// drifted changes one of the removed lines in the text: no engine may apply the
// patch.
func drifted(around int) func(context.Context, string, change, *rand.Rand) (string, string, string, bool) {
	return func(ctx context.Context, dir string, c change, r *rand.Rand) (string, string, string, bool) {
		diff := gitDiff(ctx, dir, c, around)
		var removed []int // from 0
		at, left := 0, 0
		for l := range strings.Lines(diff) {
			if h, ok := parse(strings.TrimSuffix(l, "\n")); ok {
				at, left = h.old-1, h.oldCount
			} else if left > 0 && (l[0] == '-' || l[0] == ' ') {
				if l[0] == '-' && strings.TrimSpace(l[1:]) != "" {
					removed = append(removed, at)
				}
				at, left = at+1, left-1
			}
		}
		if len(removed) == 0 {
			return "", "", "", false
		}
		lines := strings.SplitAfter(c.old, "\n")
		k := removed[r.IntN(len(removed))]
		body := strings.TrimRight(lines[k], "\r\n")
		lines[k] = body + " // changed" + lines[k][len(body):]
		return strings.Join(lines, ""), diff, "", true
	}
}

// unmarked takes the space off that context begins with. Lines that would then
// read as another kind are left.
func unmarked(diff string) string {
	var b strings.Builder
	inside := false
	for l := range strings.Lines(diff) {
		inside = inside || strings.HasPrefix(l, "@@")
		if inside && l[0] == ' ' && !strings.ContainsAny(l[1:2], `+-@\`) {
			l = l[1:]
		}
		b.WriteString(l)
	}
	return b.String()
}

// header is the line of a hunk.
type header struct {
	old, oldCount, new, newCount int
	section                      string
}

func parse(line string) (h header, ok bool) {
	m := form().FindStringSubmatch(line)
	if m == nil {
		return h, false
	}
	number := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s) // digits, says the form
		return n
	}
	return header{number(m[1]), number(m[2]), number(m[3]), number(m[4]), m[5]}, true
}

var form = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$`)
})

// headers rewrites the lines of hunks.
func headers(to func(header) string) func(string) string {
	return func(diff string) string {
		var b strings.Builder
		for l := range strings.Lines(diff) {
			body := strings.TrimSuffix(l, "\n")
			if h, ok := parse(body); ok {
				body = to(h)
			}
			b.WriteString(body + l[len(strings.TrimSuffix(l, "\n")):])
		}
		return b.String()
	}
}
