package calls_test

import (
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// hangs lists the ways in which a server lets its clients wait: what it says once it has
// read a request. After that it goes on with the same byte, one by one, or is silent.
var hangs = map[string]struct {
	begins string
	drips  bool
}{
	"silent":        {},
	"drip of lines": {"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n", true},
	"drip of text":  {"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nbegins", true},
	"half a page":   {"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9000\r\n\r\nbegins", false},
}

// hanging returns the address of a server that hangs so.
func hanging(t *testing.T, begins string, drips bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				one := make([]byte, 1)
				for end := ""; end != "\r\n\r\n"; {
					if _, err := c.Read(one); err != nil {
						return
					}
					end = (end + string(one))[max(0, len(end)-3):]
				}
				_, err := io.WriteString(c, begins)
				for pace := time.Tick(100 * time.Millisecond); drips && err == nil; <-pace {
					_, err = c.Write([]byte("x"))
				}
				_, _ = c.Read(one) // until the client has gone
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

// hangingTool is a server of the Model Context Protocol with a tool that never answers.
const hangingTool = `
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    result = {"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "hangs", "version": "1"}},
        "tools/list": {"tools": [{"name": "ask", "description": "Ask.", "inputSchema": {"type": "object"}}]}}.get(r["method"])
    if result and "id" in r:
        print(json.dumps({"jsonrpc": "2.0", "id": r["id"], "result": result}), flush=True)
`

// TestMCPAnswersWhateverHangs: a server that never answers, another's tool or a page, leaves
// no call without its answer, nor any call behind it; the same call waits for it again, and
// the server of helve ends with its client.
func TestMCPAnswersWhateverHangs(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"*","decision":"allow"}],"web":{"allow_private":true},"exec":{"sandbox":"off"}}`)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "tools", "import", "hangs", "--unconfined", "--", python, cmdtest.Put(t, dir, "hangs.py", hangingTool))); !a.OK {
		t.Fatalf("%+v", a)
	}
	c := converse(t, dir, "--answer-within", "1s")
	calls := map[string][2]string{"imported": {"hangs_ask", `{}`}}
	for kind, h := range hangs {
		calls[kind] = [2]string{"fetch", fmt.Sprintf(`{"url":%q}`, hanging(t, h.begins, h.drips))}
	}
	for kind, call := range calls {
		for range 2 {
			if said, failed := c.call(call[0], call[1]); failed || !strings.Contains(said, "make the same call again") {
				t.Errorf("%s: %v, %s", kind, failed, said)
			}
		}
		if said, failed := c.call("write", `{"path":"a.txt","content":"x"}`); failed || strings.Contains(said, "goes on") {
			t.Errorf("after %s: %v, %s", kind, failed, said)
		}
	}
	c.end()
}
