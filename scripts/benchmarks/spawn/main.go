// Command spawn measures jobs of sub-agents that are all spawned at once, by one call of
// an agent, with a server that plays the model: how long they take, how many of them run at
// a time, and what processes they take. It fails, and prints no figure, if a job does not
// complete, if a message about its end is missing or comes twice, if more run at a time
// than may, or if a process is left.
//
// The baseline is a client in one process that makes the same requests, as many at a
// time: the difference is the cost of the processes, the store and the transcripts.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	var b bench
	flag.IntVar(&b.jobs, "jobs", 100, "how many jobs are spawned at once")
	flag.IntVar(&b.limit, "limit", 4, "how many of them may run at a time")
	flag.DurationVar(&b.latency, "latency", 100*time.Millisecond, "how long the server takes to answer")
	flag.DurationVar(&b.patience, "patience", 10*time.Minute, "fail if not all have ended after that time")
	flag.Parse()
	if err := b.run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "spawn:", err)
		os.Exit(1)
	}
}

type bench struct {
	jobs, limit       int
	latency, patience time.Duration

	dir, helve, root string
}

// figures are the measurements of one run of all jobs.
type figures struct {
	spawned, ended time.Duration // from the call on: until it had returned, and until the last message
	processes      peak
}

func (b *bench) run(ctx context.Context, out io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	if b.dir, err = os.MkdirTemp("", "helve-spawn-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	b.helve, b.root = filepath.Join(b.dir, "helve.exe"), filepath.Join(b.dir, "workspace")
	if err := build(ctx, b.helve, "."); err != nil {
		return err
	}
	model := newModel(b.latency)
	defer model.close()
	if err := b.prepare(model.base()); err != nil {
		return err
	}
	bare, err := b.bare(ctx, model.base())
	if err != nil {
		return err
	}
	if err := model.check(b.jobs, b.limit); err != nil {
		return fmt.Errorf("the bare client: %w", err)
	}
	model.reset()
	f, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	if err := model.check(b.jobs, b.limit); err != nil {
		return err
	}
	return b.print(out, bare, f, model.most())
}

// prepare writes the workspace and the settings.
func (b *bench) prepare(base string) error {
	settings, err := json.Marshal(map[string]any{"spawn": map[string]any{"base_url": base, "model": "scripted", "max_jobs": b.limit}})
	if err != nil {
		return err
	}
	home := filepath.Join(b.dir, "home")
	return errors.Join(
		os.MkdirAll(b.root, 0o700), os.WriteFile(filepath.Join(b.root, file), []byte("one\ntwo\n"), 0o600),
		os.MkdirAll(home, 0o700), os.WriteFile(filepath.Join(home, "config.json"), settings, 0o600))
}

// task returns the task of the job with a number.
func task(n int) string { return "job " + strconv.Itoa(n) + ": count the lines of " + file }

// spawn spawns all jobs and waits for the messages of their ends.
func (b *bench) spawn(ctx context.Context) (f figures, err error) {
	watch := watchProcesses(b.helve)
	defer func() {
		f.processes = watch.end()
		err = errors.Join(err, gone(ctx, b.helve))
	}()
	type call struct {
		ID        string         `json:"id"`
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	}
	calls := make([]call, b.jobs)
	for i := range calls {
		calls[i] = call{strconv.Itoa(i), "spawn", map[string]any{"task": task(i)}}
	}
	input, err := json.Marshal(calls)
	if err != nil {
		return f, err
	}
	began := time.Now()
	var answers []struct {
		OK      bool   `json:"ok"`
		Content string `json:"content"`
		Data    struct {
			ID string `json:"job_id"`
		} `json:"data"`
	}
	if err := b.call(ctx, input, &answers, "call", "--dialect", "canonical"); err != nil {
		return f, err
	}
	f.spawned = time.Since(began)
	want := map[string]bool{}
	for _, a := range answers {
		if !a.OK || a.Data.ID == "" || want[a.Data.ID] {
			return f, fmt.Errorf("a job was not spawned: %+v", a)
		}
		want[a.Data.ID] = true
	}
	if len(want) != b.jobs {
		return f, fmt.Errorf("%d of %d jobs were spawned", len(want), b.jobs)
	}
	if err := b.receive(ctx, want); err != nil {
		return f, err
	}
	f.ended = time.Since(began)
	return f, b.checkJobs(ctx, want)
}

// receive takes the messages of the ends of all jobs, and one more look for a message too
// many.
func (b *bench) receive(ctx context.Context, want map[string]bool) error {
	got := map[string]int{}
	for wait := "60s"; ; {
		var received struct {
			Data struct {
				Messages []struct {
					ID      string `json:"id"`
					Content string `json:"content"`
				} `json:"messages"`
			} `json:"data"`
		}
		if err := b.call(ctx, nil, &received, "messages", "recv", "--consumer", "bench", "--channel", "system", "--max", "100", "--wait", wait, "--ack"); err != nil {
			return fmt.Errorf("%d of %d ends came: %w", len(got), b.jobs, err)
		}
		for _, m := range received.Data.Messages {
			id := strings.TrimSuffix(strings.TrimPrefix(m.ID, "job:"), ":final")
			if got[id]++; got[id] > 1 || !want[id] {
				return fmt.Errorf("message %s came %d times, or is of no job", m.ID, got[id])
			}
			if !strings.Contains(m.Content, answer) {
				return fmt.Errorf("job %s did not end as it should: %s", id, m.Content)
			}
		}
		switch {
		case len(received.Data.Messages) == 0 && len(got) == b.jobs:
			return nil
		case len(got) == b.jobs:
			wait = "0s"
		}
	}
}

// checkJobs wants every job to be kept, and completed.
func (b *bench) checkJobs(ctx context.Context, want map[string]bool) error {
	var listed struct {
		Data struct {
			Jobs []struct {
				ID     string `json:"job_id"`
				Status string `json:"status"`
			} `json:"jobs"`
		} `json:"data"`
	}
	if err := b.call(ctx, nil, &listed, "spawn", "list"); err != nil {
		return err
	}
	var completed []string
	for _, j := range listed.Data.Jobs {
		if want[j.ID] && j.Status == "completed" && !slices.Contains(completed, j.ID) {
			completed = append(completed, j.ID)
		}
	}
	if len(completed) != b.jobs || len(listed.Data.Jobs) != b.jobs {
		return fmt.Errorf("of %d jobs %d are listed, and %d have completed", b.jobs, len(listed.Data.Jobs), len(completed))
	}
	return nil
}

// call runs helve and decodes what it prints.
func (b *bench) call(ctx context.Context, input []byte, output any, args ...string) error {
	c := exec.CommandContext(ctx, b.helve, args...)
	c.Dir = b.root
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "HELVE") || strings.HasPrefix(v, "OPENAI_") }),
		"HELVE_HOME="+filepath.Join(b.dir, "home"), "HELVE_SESSION=bench", "HELVE_ROOT="+b.root)
	var out, errw bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(input), &out, &errw
	if err := c.Run(); err != nil {
		return fmt.Errorf("helve %s: %w: %.500s%.500s", strings.Join(args, " "), err, out.String(), errw.String())
	}
	if err := json.Unmarshal(out.Bytes(), output); err != nil {
		return fmt.Errorf("helve %s printed %.500s: %w", strings.Join(args, " "), out.String(), err)
	}
	return nil
}

func (b *bench) print(out io.Writer, bare time.Duration, f figures, most int) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	per := func(d time.Duration) float64 { // of a job, in the time that its place was taken
		return float64(d*time.Duration(b.limit)/time.Duration(b.jobs)) / float64(time.Millisecond)
	}
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	rows := fmt.Sprintf("%d jobs, %d at a time\tall\teach\tspawning all\tat a time\tprocesses\tRSS\tlargest\t\n", b.jobs, b.limit) +
		fmt.Sprintf("a client in one process\t%.0f\t%.1f\t-\t%d\t1\t-\t-\t\n", ms(bare), per(bare), b.limit) +
		fmt.Sprintf("sub-agents of helve\t%.0f\t%.1f\t%.0f\t%d\t%s\t\n", ms(f.ended), per(f.ended), ms(f.spawned), most, f.processes)
	_, err := io.WriteString(table, rows)
	if err := errors.Join(err, table.Flush()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "times in ms; the server takes %v for each of %d answers of a job; a job takes %.1f ms more than its requests. Processes are keepers and workers, "+
		"at their peak; RSS counts what they share once for each. All jobs have completed, and each end came once\n", b.latency, answers, per(f.ended-bare))
	return err
}

// build compiles a package of the module as a release does.
func build(ctx context.Context, to, pkg string) error {
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", to, pkg)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return nil
}
