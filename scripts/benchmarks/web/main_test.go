package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestMain is also a program that extracts pages, and never ends one with the text
// "endless".
func TestMain(m *testing.M) {
	if os.Getenv("BENCH_WEB_PEER") == "" {
		os.Exit(m.Run())
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var question struct{ HTML string }
		_ = json.Unmarshal(in.Bytes(), &question)
		if strings.Contains(question.HTML, "endless") {
			select {}
		}
		fmt.Printf(`{"content":"<p>found</p>","milliseconds":1}` + "\n")
	}
}

func samplesOf(texts ...string) []sample {
	var all []sample
	for _, text := range texts {
		all = append(all, sample{name: text, kind: "article", url: &url.URL{Scheme: "https", Host: "example.org"}, html: text, want: "found", words: tokens("found")})
	}
	return all
}

// A page on which a program hangs is a failure, and the page after it is none.
func TestHangingProgram(t *testing.T) {
	t.Setenv("BENCH_WEB_PEER", "1")
	start := func(ctx context.Context, name string) (extractor, error) { return begin(ctx, name, "", os.Args[0]) }
	r, err := runSystem(t.Context(), start, "peer", samplesOf("a", "endless", "b"), limits{page: 2 * time.Second, system: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.of) != 3 || r.of[0] != 1 || r.of[1] != 0 || r.of[2] != 1 || r.failed != 1 || r.times[1] < 2*time.Second {
		t.Errorf("scores %v, failed %d, times %v", r.of, r.failed, r.times)
	}
}

// slow is a system that takes a time for each page; one without a page is endless.
type slow struct {
	shown string
	took  map[string]time.Duration
}

func (s slow) name() string { return s.shown }

func (s slow) extract(_ context.Context, p *sample) (output, error) {
	<-time.After(s.took[p.name])
	if s.took[p.name] == 0 {
		panic("no such page")
	}
	return output{html: "<p>found</p>", took: s.took[p.name]}, nil
}

// The totals of a system are written before the next one starts. What does not start,
// or is not done in time, costs no other system its row.
func TestCompare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		start := func(ctx context.Context, name string) (extractor, error) {
			switch name {
			case "hangs":
				<-ctx.Done()
				return nil, ctx.Err()
			case "missing":
				return nil, errors.New("no such program")
			case "last":
				if !strings.Contains(out.String(), "first, 3 pages") {
					t.Errorf("before the last one starts:\n%s", out.String())
				}
			case "late":
				return inProcess{slow{name, map[string]time.Duration{"a": 40 * time.Second, "b": 40 * time.Second, "c": time.Second}}}, nil
			}
			return inProcess{slow{name, map[string]time.Duration{"a": time.Second, "b": 2 * time.Minute}}}, nil
		}
		results := compare(t.Context(), &out, start, []string{"first", "hangs", "missing", "late", "last"}, samplesOf("a", "b", "c"), limits{page: 50 * time.Second, system: time.Minute})
		want := `first, 3 pages in 51s: F1 0.333, recall below .8 0.667/3, dates -, authors -, median 1000.0 ms, failed 2
skipped hangs: it did not start within 1m0s
skipped missing: no such program
stopped late after 1m0s, with 1 of 3 pages: F1 1.000, recall below .8 0.000/1, dates -, authors -, median 40000.0 ms, failed 0
last, 3 pages in 51s: F1 0.333, recall below .8 0.667/3, dates -, authors -, median 1000.0 ms, failed 2
`
		if out.String() != want {
			t.Errorf("%s\nwant\n%s", out.String(), want)
		}
		if len(results) != 2 || results[0].name != "first" || results[1].name != "last" {
			t.Errorf("%d results", len(results))
		}
		<-time.After(time.Hour) // until the pages that were left to themselves end
	})
}
