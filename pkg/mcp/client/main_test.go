package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// behaviour names what this binary is when a test starts it as a server.
const behaviour = "HELVE_TEST_SERVER"

func TestMain(m *testing.M) {
	if name := os.Getenv(behaviour); name != "" {
		s := &script{in: bufio.NewReader(os.Stdin)}
		behaviours()[name](s)
		return
	}
	os.Exit(m.Run())
}

// script is a server that does what a test wants of it, message by message.
type script struct {
	in               *bufio.Reader
	called, canceled bool
}

// message is one of JSON-RPC, as a script reads it.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name   string `json:"name"`
		Cursor string `json:"cursor"`
		Meta   struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
}

// next returns the next message; the script ends with its input.
func (s *script) next() *message {
	line, err := s.in.ReadBytes('\n')
	if err != nil {
		os.Exit(0)
	}
	m := &message{}
	if err := json.Unmarshal(line, m); err != nil {
		panic(err)
	}
	return m
}

func (s *script) say(format string, args ...any) { _, _ = fmt.Fprintf(os.Stdout, format+"\n", args...) }

func (s *script) result(m *message, result string) {
	s.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (s *script) text(m *message, text string) {
	s.result(m, `{"content":[{"type":"text","text":`+strconv.Quote(text)+`}]}`)
}

// shake answers until the hands are shaken, and then returns the first further request.
func (s *script) shake() *message {
	for {
		switch m := s.next(); m.Method {
		case "server/discover":
			s.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`, m.ID)
		case "initialize":
			s.result(m, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}`)
		case "notifications/initialized":
		default:
			return m
		}
	}
}

// stay does nothing until the process is killed. A select without cases would end it, since
// Go takes that for a deadlock.
func stay() { <-time.After(time.Hour) }

// behaviours are the servers that there are.
func behaviours() map[string]func(*script) {
	all := map[string]func(*script){
		"whole": func(*script) { // the library's own server
			s := mcp.NewServer(&mcp.Implementation{Name: "whole", Version: "1"}, nil)
			type words struct {
				Text string `json:"text"`
			}
			mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: "Say it again."}, func(ctx context.Context, r *mcp.CallToolRequest, w words) (*mcp.CallToolResult, any, error) {
				if token := r.Params.GetProgressToken(); token != nil {
					_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Total: 2, Message: "half"})
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: w.Text}}}, nil, nil
			})
			_ = s.Run(context.Background(), &mcp.StdioTransport{})
		},
		"mute": func(s *script) { // also where it ignores that its input ends
			signal.Ignore(syscall.SIGTERM)
			fmt.Fprintln(os.Stderr, "waiting for a licence")
			_, _ = io.Copy(io.Discard, s.in)
			stay()
		},
		"exits": func(*script) {
			fmt.Fprintln(os.Stderr, "no such module: \x1b[31mleft-pad\x1b[0m")
			os.Exit(3)
		},
		"noisy": func(s *script) {
			s.say("npm warn deprecated\n\n\x00\xff\x1b[2J binary\n[1,2]\n{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{}}")
			for m := s.shake(); ; m = s.next() {
				fmt.Print("half a line, ")
				s.say("and its end")
				for range 1000 {
					s.say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
				}
				s.say(`{"jsonrpc":"2.0","id":987654,"result":{}}`) // of no request
				s.text(m, "done")
				s.text(m, "again") // twice
			}
		},
		"dies": func(s *script) {
			s.shake()
			fmt.Fprintln(os.Stderr, "panic: out of cheese")
			os.Exit(7)
		},
		"endless": func(s *script) { // one line
			s.shake()
			block := []byte(strings.Repeat("x", 1<<20))
			for range 100 {
				_, _ = os.Stdout.Write(block)
			}
		},
		"stays": func(s *script) { // whatever happens
			signal.Ignore(syscall.SIGTERM, syscall.SIGPIPE)
			for m := s.shake(); ; {
				s.text(m, strconv.Itoa(os.Getpid()))
				stay()
			}
		},
		"holder": func(s *script) { // has a server of its own, and tells its process
			_ = os.Unsetenv(behaviour)
			p := New(Options{Command: func(_ context.Context, s *upstream.Server) (run.Command, error) {
				return run.Command{Argv: s.Command, Dir: "/", Env: append(os.Environ(), behaviour+"="+s.Name)}, nil
			}})
			a, err := p.Call(context.Background(), &upstream.Server{Name: "stays", Command: []string{os.Args[0]}}, "any", nil, nil)
			if err != nil {
				panic(err)
			}
			s.say("%s", a.Content[0])
			stay()
		},
		"closes": func(s *script) { // its output, and lives
			s.shake()
			os.Stdout.Close()
			_, _ = io.Copy(io.Discard, s.in)
			stay()
		},
		"hangs": func(s *script) { // in a call, until it is cancelled
			for m := s.shake(); ; m = s.next() {
				switch {
				case m.Method == "notifications/cancelled":
					s.canceled = true
				case m.Params.Name == "status":
					s.text(m, fmt.Sprint("called ", s.called, ", canceled ", s.canceled))
				default:
					s.called = true
				}
			}
		},
		"older": func(s *script) { // drops what it does not know
			for {
				switch m := s.next(); m.Method {
				case "ping":
					s.result(m, `{}`)
				case "initialize":
					s.result(m, `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"older","version":"1"}}`)
				case "tools/call":
					s.text(m, "old")
				}
			}
		},
		"late": func(s *script) { // knows the question, but starts slowly
			question, ping := s.next(), s.next()
			if question.Method != "server/discover" || ping.Method != "ping" {
				panic("asked for " + ping.Method + " before it has answered " + question.Method)
			}
			s.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`, question.ID)
			s.result(ping, `{}`)
			s.text(s.shake(), "late")
			s.next()
		},
		"asks": func(s *script) {
			m := s.shake()
			for i, method := range []string{"sampling/createMessage", "elicitation/create"} {
				s.say(`{"jsonrpc":"2.0","id":"own-%d","method":%q,"params":{"message":"who?","requestedSchema":{"type":"object","properties":{}},"messages":[],"maxTokens":1}}`, i, method)
				line, _ := s.in.ReadString('\n')
				if !strings.Contains(line, `"error"`) {
					s.text(m, "it said "+line)
					return
				}
			}
			s.text(m, "refused")
			s.next()
		},
		"odd": func(s *script) { // results that a decoder of types spoils
			m := s.shake()
			s.result(m, `{"content":[{"type":"hologram","z":1,"a":2}],"structuredContent":{"z":12345678901234567890,"a":null},"isError":true}`)
			s.next()
		},
		"tools": func(s *script) {
			for m := s.shake(); ; m = s.next() {
				n, _ := strconv.Atoi(m.Params.Cursor)
				pages := slices.Sorted(maps.Keys(oddTools()))
				s.result(m, fmt.Sprintf(`{"tools":[%s],"nextCursor":"%d"}`, oddTools()[pages[n]], (n+1)%len(pages)))
			}
		},
	}
	return all
}

// oddTools are pages of definitions.
func oddTools() map[string]string {
	return map[string]string{
		"1": `{"name":"good","description":"line\nline\u001b[2J\u202e","inputSchema":{"type":"object","properties":{"z":{"type":"integer","maximum":12345678901234567890},"a":{}}},"annotations":{"readOnlyHint":true}}`,
		"2": `{"name":7,"inputSchema":{"type":"object"}},{"name":"array","inputSchema":[]},{"name":"text","inputSchema":{"type":"object","properties":3}},null,{"name":"good","inputSchema":{"type":"object"}}`,
		"3": `{"name":"a b","inputSchema":{"type":"object"}},{"name":"","inputSchema":{"type":"object"}},{"name":"none"},{"name":"last","inputSchema":{"type":"object"},"outputSchema":7}`,
	}
}

// server returns the record of a server of this binary.
func server(t *testing.T, name string) *upstream.Server {
	t.Helper()
	if _, ok := behaviours()[name]; !ok {
		t.Fatalf("no behaviour %s", name)
	}
	return &upstream.Server{Name: name, Command: []string{os.Args[0]}}
}

// ends keeps how the commands of a pool ended.
type ends chan *run.Result

// pool returns a pool that starts servers of this binary.
func pool(t *testing.T) (*Pool, ends) {
	t.Helper()
	over := make(ends, 16)
	dir := t.TempDir()
	p := New(Options{
		Version: "test",
		Command: func(_ context.Context, s *upstream.Server) (run.Command, error) {
			return run.Command{Argv: s.Command, Dir: dir, Env: append(os.Environ(), behaviour+"="+s.Name, "GORACE=atexit_sleep_ms=0")}, nil
		},
		Ended: func(_ *upstream.Server, r *run.Result) { over <- r },
	})
	t.Cleanup(p.Close)
	return p, over
}
