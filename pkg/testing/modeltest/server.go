package modeltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// overloaded is the status of Anthropic's for a server that is too busy.
const overloaded = 529

// Server plays a model.
type Server struct {
	// URL is the address of the server; see also [Server.Base].
	URL string

	script *Script
	http   *httptest.Server
	closed chan struct{}

	mu       sync.Mutex
	requests []*Request
	failed   map[string]int      // how often, by conversation and step
	sent     map[string]struct{} // messages of the model, in canonical JSON
	now      int                 // requests that are being answered
	most     int
}

// Request is a request that the server got, and what became of it.
type Request struct {
	Path   string          `json:"path"`
	Header http.Header     `json:"header"`
	Body   json.RawMessage `json:"body"`
	Step   int             `json:"step"`   // that was due; -1 if the request was refused before
	Status int             `json:"status"` // of the answer; 0 if the connection broke
	// Problem says why the request was refused.
	Problem string `json:"problem,omitempty"`
}

// New starts a server on a loopback address.
func New(s *Script) *Server {
	v := &Server{script: s, closed: make(chan struct{}), failed: map[string]int{}, sent: map[string]struct{}{}}
	v.http = httptest.NewServer(v)
	v.URL = v.http.URL
	return v
}

// Start starts a server with this script, which ends with the test.
func Start(t testing.TB, script string) *Server {
	t.Helper()
	s, err := Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	v := New(s)
	t.Cleanup(v.Close)
	return v
}

// Close ends the server and the requests that hang.
func (v *Server) Close() {
	close(v.closed)
	v.http.CloseClientConnections()
	v.http.Close()
}

// Base returns the base URL as OpenAI's clients want it.
func (v *Server) Base() string { return v.URL + "/v1" }

// Requests returns what was requested so far.
func (v *Server) Requests() []Request {
	v.mu.Lock()
	defer v.mu.Unlock()
	var all []Request
	for _, r := range v.requests {
		all = append(all, *r)
	}
	return all
}

// Problems returns what was wrong with requests so far.
func (v *Server) Problems() []string {
	var all []string
	for _, r := range v.Requests() {
		if r.Problem != "" {
			all = append(all, r.Problem)
		}
	}
	return all
}

// Most returns how many requests there were at a time at most.
func (v *Server) Most() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.most
}

// refusal is why a request is refused.
type refusal struct {
	status  int
	kind    string // type or code of the provider's error; "" selects the one that fits the status
	param   string
	message string
}

func bad(format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, message: fmt.Sprintf(format, args...)}
}

// conversation is the content of a request, in the terms of both formats.
type conversation struct {
	first   string            // message of the user
	spoken  []json.RawMessage // messages of the model
	ids     []string          // of their calls
	offered bool              // tools
}

// format is one of the two.
type format interface {
	read(r *http.Request, body []byte, s *Script) (*conversation, *refusal)
	// reply returns the body of an answer, and the message of the model that is in it.
	reply(step *Step, n int, tokens int) (body []byte, message json.RawMessage)
	tooLong(tokens, most int) *refusal
	refuse(*refusal) []byte
	empty() string
	stream() string
}

func (v *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.URL.Path == "/requests" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(encode(v.Requests())) // the client may have gone
		return
	}
	v.mu.Lock()
	v.now++
	v.most = max(v.most, v.now)
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		v.now--
		v.mu.Unlock()
	}()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	q := &Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body, Step: -1}
	if !json.Valid(body) {
		q.Body = encode(string(body))
	}
	v.mu.Lock()
	v.requests = append(v.requests, q)
	v.mu.Unlock()
	var f format
	switch r.URL.Path {
	case "/v1/chat/completions", "/chat/completions":
		f = chat{}
	case "/v1/messages":
		f = messages{}
	default:
		v.answer(w, q, http.StatusNotFound, "404 page not found\n", "text/plain")
		return
	}
	v.converse(w, r, f, q, body)
}

func (v *Server) converse(w http.ResponseWriter, r *http.Request, f format, q *Request, body []byte) {
	c, refused := f.read(r, body, v.script)
	if refused == nil {
		refused = v.checkEcho(c)
	}
	if refused == nil && v.script.Context > 0 && len(body)/4 > v.script.Context {
		refused = f.tooLong(len(body)/4, v.script.Context)
	}
	if refused != nil {
		v.mu.Lock()
		q.Problem = refused.message
		v.mu.Unlock()
		v.answer(w, q, refused.status, string(f.refuse(refused)), "application/json")
		return
	}
	n := position(c)
	v.mu.Lock()
	q.Step = n
	v.mu.Unlock()
	step := at(v.script.steps(c.first), n)
	if step == nil {
		problem := fmt.Sprintf("the script has no step %d", n)
		v.mu.Lock()
		q.Problem = problem
		v.mu.Unlock()
		v.answer(w, q, http.StatusBadRequest, string(f.refuse(bad("%s", problem))), "application/json")
		return
	}
	if fail := v.failure(fmt.Sprintf("%d %s", n, c.first), step); fail != nil && !v.fail(w, r, f, q, fail) {
		return
	} else if fail != nil && fail.How == Half {
		v.say(w, f, q, step, c, body, true)
		return
	}
	v.say(w, f, q, step, c, body, false)
}

// say sends the answer of a step, or half of it.
func (v *Server) say(w http.ResponseWriter, f format, q *Request, step *Step, c *conversation, body []byte, half bool) {
	if len(step.Calls) > 0 && !c.offered {
		step = &Step{Say: step.Final, Extra: step.Extra, Reasoning: step.Reasoning}
		if step.Say == "" {
			step.Say = "done"
		}
	}
	text, message := f.reply(step, q.Step, len(body)/4)
	if step.Body != nil {
		text, message = step.Body, nil
	}
	if message != nil {
		v.mu.Lock()
		v.sent[canonical(message)] = struct{}{}
		v.mu.Unlock()
	}
	if half {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		_, _ = w.Write(text[:len(text)/2]) // and what a handler that panics has written is sent
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	v.answer(w, q, http.StatusOK, string(text), "application/json")
}

func (v *Server) answer(w http.ResponseWriter, q *Request, status int, body, kind string) {
	v.mu.Lock()
	q.Status = status
	v.mu.Unlock()
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // the client may have gone
}

// position returns which step is due: one for each message of the model. A conversation that was
// cut keeps its place by the ids of its calls.
func position(c *conversation) int {
	n := len(c.spoken)
	for _, id := range c.ids {
		var step, i int
		if _, err := fmt.Sscanf(id, idFormat, &step, &i); err == nil {
			n = max(n, step+1)
		}
	}
	return n
}

// idFormat formats the id of a call from the numbers of its step and of the call in it.
const idFormat = "call_%d_%d"

func (c *Call) id(step, i int) string {
	if c.ID != "" {
		return c.ID
	}
	return fmt.Sprintf(idFormat, step, i)
}

// checkEcho refuses a message of the model that the server has not sent.
func (v *Server) checkEcho(c *conversation) *refusal {
	if !v.script.Echo {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, m := range c.spoken {
		if _, ok := v.sent[canonical(m)]; !ok {
			return bad("The `reasoning_content` in the thinking mode must be passed back to the API: %s is not what was sent", m)
		}
	}
	return nil
}

// canonical returns a message without members that are null, in one order.
func canonical(m json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(m))
	d.UseNumber()
	var members map[string]any
	if d.Decode(&members) != nil {
		return string(m)
	}
	for name, value := range members {
		if value == nil {
			delete(members, name)
		}
	}
	text, err := json.Marshal(members)
	if err != nil {
		panic(err) // it was JSON before
	}
	return strings.TrimSpace(string(text))
}
