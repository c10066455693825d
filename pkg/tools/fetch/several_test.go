package fetch

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// sized serves pages of so many characters as their path says, and counts requests.
func sized(requests *atomic.Int32) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); err != nil {
			http.NotFound(w, r)
			return
		}
		send(200, "text/plain; charset=utf-8", strings.Repeat("nine chr\n\n", n/10))(w, r)
	}
}

// What short pages leave is for the longer ones, and each is in the place of its address.
func TestSeveral(t *testing.T) {
	var requests atomic.Int32
	w := newWorld(t, sized(&requests))
	r, err := w.fetch(func(a *Args) {
		a.MaxChars = 3000
		a.URLs = []string{w.url + "/5000", w.url + "/100", w.url + "/missing", w.url + "/100#part", w.url + "/900"}
		a.URL = w.url + "/9000"
	})
	if err != nil {
		t.Fatal(err)
	}
	type brief struct {
		url, same   string
		chars, next int
		code        fault.Code
	}
	var got []brief
	for _, e := range r.Pages {
		b := brief{url: strings.TrimPrefix(e.URL, w.url), same: strings.TrimPrefix(e.SameAs, w.url)}
		if e.Page != nil {
			b.chars, b.next = utf8.RuneCountInString(e.Content), e.NextStart
		}
		if e.Error != nil {
			b.code = e.Error.Code
		}
		got = append(got, b)
	}
	want := []brief{
		{url: "/9000", chars: 1000, next: 1000},
		{url: "/5000", chars: 1000, next: 1000},
		{url: "/100", chars: 100},
		{url: "/missing", code: fault.HTTPStatus},
		{url: "/100#part", same: "/100"},
		{url: "/900", chars: 900},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(brief{})); diff != "" || requests.Load() != 5 {
		t.Errorf("%d requests, (- want, + got):\n%s", requests.Load(), diff)
	}
}

func TestSeveralThatCannotBe(t *testing.T) {
	var requests atomic.Int32
	w := newWorld(t, sized(&requests))
	for name, change := range map[string]func(*Args){
		"save":  func(a *Args) { a.Save = "page.txt" },
		"start": func(a *Args) { a.Start = 10 },
	} {
		if _, err := w.fetch(func(a *Args) { a.URLs = []string{w.url + "/100"}; change(a) }); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.fetch(func(a *Args) { a.URL, a.URLs = "", []string{w.url + "/x", "mailto:y"} }); !fault.Is(err, fault.HTTPStatus) {
		t.Errorf("the fault of the first page: %v", err)
	}
	if requests.Load() != 1 {
		t.Errorf("%d requests", requests.Load())
	}
}

// A few pages are read at the same time, and two of one host.
func TestSeveralAtOnce(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	both := make(chan struct{})
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now++
		if most = max(most, now); now == maxAtHost {
			select {
			case <-both:
			default:
				close(both)
			}
		}
		mu.Unlock()
		<-both // the first waits for the second
		mu.Lock()
		now--
		mu.Unlock()
		send(200, "text/plain", "nine chr\n")(w, r)
	})
	r, err := w.fetch(func(a *Args) {
		a.URL = ""
		for i := range 9 {
			a.URLs = append(a.URLs, fmt.Sprintf("%s/%d", w.url, i))
		}
	})
	if err != nil || len(r.Pages) != 9 || most != maxAtHost {
		t.Errorf("%d pages, %d at once, %v", len(r.Pages), most, err)
	}
}

// A page that never comes costs the others nothing, and each warning names its page.
func TestSeveralWithOneThatIsSilent(t *testing.T) {
	gone := make(chan struct{})
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/silent":
			<-gone
		case "/empty":
			send(200, "text/html", "")(w, r)
		default:
			send(200, "text/plain", "a page")(w, r)
		}
	})
	defer close(gone)
	r, err := w.fetch(func(a *Args) {
		a.Timeout, a.URL = 5, "" // enough for the others on a busy machine
		a.URLs = []string{w.url + "/silent", w.url + "/empty", w.url + "/page"}
	})
	if err != nil || r.Pages[0].Error == nil || r.Pages[0].Error.Code != fault.Timeout || r.Pages[2].Page == nil || r.Pages[2].Content != "a page" {
		t.Fatalf("%+v, %v", r.Pages, err)
	}
	if !slices.Contains(w.warnings, w.url+"/empty: the server sent an empty body; check the address, or use another source") {
		t.Errorf("%q", w.warnings)
	}
}

// When the call ends, nothing is returned.
func TestSeveralCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := newWorld(t, func(http.ResponseWriter, *http.Request) { cancel() })
	call := tool.NewCall(w.env, Tool, nil)
	if pages, err := Several(ctx, call, Args{URLs: []string{w.url}, Timeout: 20, MaxChars: 100, Format: "markdown"}); err == nil || ctx.Err() == nil {
		t.Errorf("%+v, %v", pages, err)
	}
}

func TestFill(t *testing.T) {
	for _, c := range []struct {
		wanted []int
		budget int
		want   []int
	}{
		{nil, 1000, []int{}},
		{[]int{5000}, 1000, []int{1000}},
		{[]int{5000, 300, 4000}, 1300, []int{500, 300, 500}},
		{[]int{100, 100}, 1000, []int{100, 100}},
		{[]int{5000, 5000, 5000}, 100, []int{100, 100, 100}},
		{[]int{0, 5000}, 1000, []int{100, 1000}},
		{[]int{0, 0}, 0, []int{0, 0}},
	} {
		if got := fill(c.wanted, c.budget); !slices.Equal(got, c.want) {
			t.Errorf("%v of %d: %v", c.wanted, c.budget, got)
		}
	}
}
