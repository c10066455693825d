package calls_test

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestMCPAsks asks the client of "helve mcp" what a person must decide, but not a client
// that helve may have started itself, and not where the person keeps decisions to helve.
func TestMCPAsks(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	before, err := os.ReadFile(soul)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		args  []string
		under bool
		asks  bool
	}{
		{"started by helve", nil, true, false},
		{"queue", []string{"--approvals", "queue"}, false, false},
		{"client", nil, false, true},
	} {
		p := cmdtest.Person(t, dir, append([]string{"mcp"}, c.args...)...)
		p.Env = p.Environ()
		if c.under {
			p.Env = append(p.Env, "HELVE=1")
		}
		in, err := p.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		asks, result := speak(t, in, out)
		_ = in.Close()
		if err := p.Wait(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		after, err := os.ReadFile(soul)
		if err != nil {
			t.Fatal(err)
		}
		if changed := string(after) != string(before); asks != c.asks || changed != c.asks || strings.Contains(result, "approval_required") == c.asks {
			t.Errorf("%s: asked %v, changed %v: %s", c.name, asks, changed, result)
		}
	}
	wrong := cmdtest.Person(t, dir, "mcp", "--approvals", "nobody")
	var said strings.Builder
	wrong.Stderr = &said // the client reads nothing but the protocol
	if out, err := wrong.Output(); err == nil || len(out) > 0 || wrong.ProcessState.ExitCode() != 2 || !strings.Contains(said.String(), `"code":"usage"`) {
		t.Errorf("%v: %q, %q", err, out, said.String())
	}
}

// speak has the server write SOUL.md, allows that if it is asked, and returns the line
// with the result.
func speak(t *testing.T, in io.Writer, out io.Reader) (asks bool, result string) {
	t.Helper()
	say := func(line string) {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		switch line := lines.Text(); {
		case strings.Contains(line, `"protocolVersion"`):
			say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write","arguments":{"path":"SOUL.md","content":"new\n"}}}`)
		case strings.Contains(line, `"elicitation/create"`):
			asks = true
			_, id, _ := strings.Cut(line, `"id":`)
			id, _, _ = strings.Cut(id, ",")
			say(`{"jsonrpc":"2.0","id":` + strings.TrimSuffix(id, "}") + `,"result":{"action":"accept","content":{"decision":"allow"}}}`)
		case strings.Contains(line, `"id":2`):
			return asks, line
		}
	}
	t.Errorf("no result: %v", lines.Err())
	return asks, ""
}
