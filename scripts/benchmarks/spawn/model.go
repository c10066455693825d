package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/testing/modeltest"
)

// The script: a call of read, and the answer.
const (
	file    = "lines.txt"
	answer  = "it has two lines"
	answers = 2
)

// model is a server that plays the model, slowly, and counts the jobs that it serves.
type model struct {
	played  *modeltest.Server
	http    *httptest.Server
	latency time.Duration

	mu        sync.Mutex
	requests  map[string]int  // of each job
	running   map[string]bool // jobs between their first request and their last answer
	concurred int
}

func newModel(latency time.Duration) *model {
	m := &model{latency: latency, played: modeltest.New(&modeltest.Script{Steps: []modeltest.Step{
		{Calls: []modeltest.Call{{Name: "read", Arguments: json.RawMessage(`{"path":"` + file + `"}`)}}}, {Say: answer},
	}})}
	m.reset()
	m.http = httptest.NewServer(m)
	return m
}

func (m *model) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests, m.running, m.concurred = map[string]int{}, map[string]bool{}, 0
}

func (m *model) base() string { return m.http.URL + "/v1" }

func (m *model) close() {
	m.http.Close()
	m.played.Close()
}

// most returns how many jobs there were at a time.
func (m *model) most() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.concurred
}

// check wants every job to have made its requests, and no more.
func (m *model) check(jobs, limit int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if problems := m.played.Problems(); len(problems) > 0 {
		return fmt.Errorf("the server refused a request: %s", problems[0])
	}
	if len(m.requests) != jobs {
		return fmt.Errorf("the server saw %d of %d jobs", len(m.requests), jobs)
	}
	for name, n := range m.requests {
		if n != answers {
			return fmt.Errorf("%s made %d requests, not %d", name, n, answers)
		}
	}
	if m.concurred > limit {
		return fmt.Errorf("%d jobs ran at a time, more than %d", m.concurred, limit)
	}
	return nil
}

var jobName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`job \d+:`) })

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	name := string(jobName().Find(body))
	m.mu.Lock()
	m.requests[name]++
	last := m.requests[name] == answers
	m.running[name] = true
	m.concurred = max(m.concurred, len(m.running))
	m.mu.Unlock()
	select {
	case <-time.After(m.latency):
	case <-r.Context().Done():
	}
	if last { // the next job may begin as soon as this one has its answer
		m.mu.Lock()
		delete(m.running, name)
		m.mu.Unlock()
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	m.played.ServeHTTP(w, r)
}

// bare makes the requests of all jobs, and nothing else.
func (b *bench) bare(ctx context.Context, base string) (time.Duration, error) {
	work, errs := make(chan int), make([]error, b.limit)
	var clients sync.WaitGroup
	began := time.Now()
	for i := range b.limit {
		clients.Go(func() {
			for n := range work {
				errs[i] = errors.Join(errs[i], converse(ctx, base, task(n)))
			}
		})
	}
	for n := range b.jobs {
		work <- n
	}
	close(work)
	clients.Wait()
	return time.Since(began), errors.Join(errs...)
}

// converse plays the script as a client that knows it.
func converse(ctx context.Context, base, task string) error {
	messages := []any{map[string]string{"role": "user", "content": task}}
	tools := []any{map[string]any{"type": "function", "function": map[string]any{
		"name": "read", "parameters": map[string]any{"type": "object", "properties": map[string]any{"path": map[string]string{"type": "string"}}},
	}}}
	for {
		body, err := json.Marshal(map[string]any{"model": "scripted", "messages": messages, "tools": tools})
		if err != nil {
			return err
		}
		q, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/chat/completions", bytes.NewReader(body))
		if err != nil {
			return err
		}
		q.Header.Set("Content-Type", "application/json")
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			return err
		}
		var reply struct {
			Choices []struct {
				Message json.RawMessage `json:"message"`
			} `json:"choices"`
		}
		err = errors.Join(json.NewDecoder(r.Body).Decode(&reply), r.Body.Close())
		if err == nil && len(reply.Choices) != 1 {
			err = fmt.Errorf("status %d without one reply", r.StatusCode)
		}
		if err != nil {
			return err
		}
		messages = append(messages, reply.Choices[0].Message)
		var said struct {
			Calls []struct {
				ID string `json:"id"`
			} `json:"tool_calls"`
		}
		if err := json.Unmarshal(reply.Choices[0].Message, &said); err != nil {
			return err
		}
		if len(said.Calls) == 0 {
			return nil
		}
		for _, c := range said.Calls {
			messages = append(messages, map[string]string{"role": "tool", "tool_call_id": c.ID, "content": "one\ntwo\n"})
		}
	}
}
