package agent

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Whatever is done in whatever order, what must hold holds.
func TestRandom(t *testing.T) {
	engines(t, func(w *world) {
		steps := 300
		if testing.Short() {
			steps = 60
		}
		seed := rand.Uint64()
		w.Log("seed", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		dead := deadHere(w.T)
		var ids []string
		workers := 0
		const limit = 3
		for step := range steps {
			id, worker := "none", fmt.Sprint("w", random.IntN(workers+1))
			if len(ids) > 0 {
				id = ids[random.IntN(len(ids))]
			}
			if j, err := w.Get(w.Context(), id); err == nil && j.Worker != nil && random.IntN(3) > 0 {
				worker = j.Worker.ID
			}
			var err error
			op := random.IntN(12)
			switch op {
			case 0, 1, 2:
				j := task(fmt.Sprint(random.IntN(20), strings.Repeat(" long", random.IntN(2)*100)))
				j.OnLost = []string{LostFail, LostRerun}[random.IntN(2)]
				var added Job
				if added, _, err = w.Add(w.Context(), j); err == nil && !slices.Contains(ids, added.ID) {
					ids = append(ids, added.ID)
				}
			case 3, 4, 5:
				workers++
				self := []Worker{here(""), dead, elsewhere("")}[random.IntN(3)]
				self.ID = fmt.Sprint("w", workers)
				_, err = w.Claim(w.Context(), self, limit, nil)
			case 6:
				_, err = w.Note(w.Context(), id, worker, func(j *Job) { j.Status = Status([]string{"working", "input_required", "lost", ""}[random.IntN(4)]) })
			case 7:
				_, err = w.Ask(w.Context(), id, worker, fmt.Sprint("r", random.IntN(3)), "what")
			case 8:
				statuses := []Status{Completed, Incomplete, Failed, Canceled, Lost, Working, ""}
				_, _, err = w.Finish(w.Context(), id, worker, Outcome{Status: statuses[random.IntN(len(statuses))], Result: strings.Repeat("r", random.IntN(100))})
			case 9:
				_, err = w.Cancel(w.Context(), id)
			case 10:
				w.set(time.Duration(random.IntN(300)) * time.Second)
				_, err = w.Reap(w.Context())
			case 11:
				if random.IntN(10) == 0 {
					_, err = w.Collect(w.Context(), time.Minute)
				}
			}
			if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
				w.Fatalf("step %d, operation %d: %v", step, op, err)
			}
			w.holds(limit)
		}
	})
}

// holds checks what must hold of the keys and the messages at any moment.
func (w *world) holds(limit int) {
	w.Helper()
	all, err := w.List(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	told := w.finals()
	var queue, wantQueue, running, wantRunning []string
	for i := range all {
		j := &all[i]
		if j.Fault != nil && j.Fault.Code == fault.BadDocument {
			w.Fatalf("%+v", j)
		}
		want := 0
		switch {
		case j.Status.Final():
			want = 1
		case j.Queued:
			wantQueue = append(wantQueue, j.queueKey())
		default:
			wantRunning = append(wantRunning, j.Worker.place()+" "+j.ID)
		}
		if told[j.ID] != want || j.Status.Final() == j.EndedAt.IsZero() || j.Attempt > maxAttempts {
			w.Fatalf("%d messages of %+v", told[j.ID], j)
		}
	}
	for id, n := range told {
		if n != 1 {
			w.Fatalf("%s: %d messages", id, n)
		}
	}
	err = w.store.View(w.Context(), func(r store.Reader) error {
		waiting, err := r.List(queueKeys)
		if err != nil {
			return err
		}
		for _, e := range waiting {
			queue = append(queue, e.Key)
		}
		entries, err := r.List(machineKeys)
		for _, e := range entries {
			s, ok := decodeSlots(e)
			if !ok || len(s.Jobs) == 0 || len(s.Jobs) > limit {
				w.Fatalf("%s: %s", e.Key, e.Value)
			}
			for _, id := range s.Jobs {
				running = append(running, s.Place+" "+id)
			}
		}
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	for _, list := range [][]string{wantQueue, running, wantRunning} {
		slices.Sort(list)
	}
	if !slices.Equal(queue, wantQueue) || !slices.Equal(running, wantRunning) {
		w.Fatalf("the queue is %v, want %v; %v run, want %v", queue, wantQueue, running, wantRunning)
	}
}
