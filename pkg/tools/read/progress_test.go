package read

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/files/kind"
)

// A document says which of its pages or slides is read, and any other file how much of it
// was, up to its end.
func TestProgress(t *testing.T) {
	paged, plain := 0, 0
	samples(t, func(t *testing.T, name string, content []byte) {
		call, _ := world(t, map[string]string{name: string(content)})
		var told []string
		var last, of float64
		call.Env.Progress = func(done, total float64, message string) {
			if done < last || total < done || of != 0 && total != of {
				t.Errorf("%v of %v after %v of %v", done, total, last, of)
			}
			last, of = done, total
			told = append(told, message)
		}
		r, err := run(t.Context(), call, args(Args{Path: name, MaxBytes: 1 << 20, Limit: 100_000}))
		if err != nil {
			return // what cannot be read is the concern of others
		}
		all := strings.Join(told, "\n")
		if !open.Paged(r.MIME) {
			plain++
			if len(told) == 0 || of != float64(len(content)) {
				t.Errorf("%d of %v bytes: %s", len(content), of, all)
			}
			return
		}
		paged++
		unit, n := "page", r.Document.Pages
		if r.Document.Slides > 0 {
			unit, n = "slide", r.Document.Slides
		}
		if len(told) != n || last != float64(n-1) {
			t.Errorf("%d of %d pages: %s", len(told), n, all)
		}
		for i, message := range told {
			if want := fmt.Sprintf("%s %d of %d of %s", unit, i+1, n, name); message != want {
				t.Errorf("%q, want %q", message, want)
			}
		}
	})
	if paged < 10 || plain < 10 {
		t.Errorf("only %d documents with pages and %d others", paged, plain)
	}
}

// Files that are read together, texts and archives too, say how many are done, and a name
// does what it likes to no terminal.
func TestProgressOfFiles(t *testing.T) {
	const odd = "b\x1b[2J.txt"
	call, _ := world(t, map[string]string{"a.txt": strings.Repeat("a\n", 1000), odd: strings.Repeat("b\n", 3000)})
	var mu sync.Mutex
	var told []string
	call.Env.Progress = func(done, total float64, message string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprintf("%v/%v %s", done, total, message))
	}
	if _, err := run(t.Context(), call, args(Args{Paths: []string{"a.txt", odd}})); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(told, "\n")
	for _, want := range []string{"0/2 0 of 2 done; 2.0K of 2.0K of a.txt\n1/2 1 of 2 done\n", `1/2 1 of 2 done; 5.9K of 5.9K of "b\x1b[2J.txt"`, "2/2 2 of 2 done"} {
		if !strings.Contains(all, want) {
			t.Errorf("nothing with %q:\n%s", want, all)
		}
	}
}

// Of pages that are asked for, each counts as one of them.
func TestProgressOfPages(t *testing.T) {
	samples(t, func(t *testing.T, name string, content []byte) {
		k := kind.Of(content, name, strings.NewReader(string(content)), int64(len(content)))
		if !open.Paged(k.MIME) {
			return
		}
		call, _ := world(t, map[string]string{name: string(content)})
		var told []string
		call.Env.Progress = func(done, total float64, _ string) { told = append(told, fmt.Sprint(done, total)) }
		if _, err := run(t.Context(), call, args(Args{Path: name, MaxBytes: 1 << 20, Limit: 100_000, Pages: "-1"})); err == nil && fmt.Sprint(told) != "[0 1]" {
			t.Errorf("%q", told)
		}
	})
}
