package desk

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/shell/job"
)

const (
	// look is the interval at which a stream looks for changes, which other processes make.
	look = 300 * time.Millisecond
	// lookAround counts the looks between two searches for new workspaces.
	lookAround = 10
	// sign is the interval at which a stream sends something, so that a page notices its end.
	sign = 15 * time.Second
)

// topics are the parts of a page about a workspace, with the files of the state directory
// that change with them.
var topics = [...]struct {
	name  string
	files []string
}{
	{"approvals", []string{"approvals"}},
	{"audit", []string{"audit.jsonl"}},
	{"history", []string{"journal.jsonl"}},
	{"jobs", []string{"jobs"}},
	{"schedule", []string{"store.bolt"}},
	{"agents", []string{"store.bolt"}},
}

// events streams which topics of which workspaces have changed, as server-sent events:
// "event: TOPIC" with the id of the workspace as data. The first event is "ready". A page
// then asks for what it shows. https://html.spec.whatwg.org/multipage/server-sent-events.html
func (d *Desk) events(w http.ResponseWriter, r *http.Request) {
	d.opened(1)
	defer d.opened(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	seen := map[string]string{}
	changed := func(key, now string) bool {
		before, known := seen[key]
		seen[key] = now
		return known && before != now
	}
	flush := http.NewResponseController(w)
	say := func(format string, args ...any) bool {
		if _, err := fmt.Fprintf(w, format, args...); err != nil {
			return false
		}
		return flush.Flush() == nil
	}
	tick, alive := time.NewTicker(look), time.NewTicker(sign)
	defer tick.Stop()
	defer alive.Stop()
	var all []*place
	for i := 0; ; i++ {
		if i%lookAround == 0 {
			var err error
			if all, err = d.all(); err != nil {
				return // the page comes again, and learns why
			}
		}
		if changed("", fmt.Sprint(len(all))) && !say("event: workspaces\ndata:\n\n") {
			return
		}
		for _, p := range all {
			for _, t := range topics {
				if changed(p.id+" "+t.name, p.stamp(t.name, t.files)) && !say("event: %s\ndata: %s\n\n", t.name, p.id) {
					return
				}
			}
		}
		if i == 0 && !say("event: ready\ndata:\n\n") {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-d.ending.Done():
			return
		case <-alive.C:
			if !say(":\n\n") {
				return
			}
		case <-tick.C:
		}
	}
}

// stamp returns what changes with a topic.
func (p *place) stamp(topic string, files []string) string {
	stamps := make([]string, len(files))
	for i, f := range files {
		stamps[i] = p.dir.Stamp(f)
	}
	stamp := strings.Join(stamps, ";")
	if topic != "jobs" || stamp == "" {
		return stamp
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if stamp == p.quiet { // nothing ran at the last look, and nothing has begun
		return stamp
	}
	all, err := p.jobs.List() // output grows in files that are there
	if err != nil {
		return stamp
	}
	var running strings.Builder
	for _, r := range all {
		if r.State == job.Running {
			fmt.Fprint(&running, r.ID, r.Bytes, ";")
		}
	}
	if p.quiet = ""; running.Len() == 0 {
		p.quiet = stamp
	}
	return stamp + running.String()
}
