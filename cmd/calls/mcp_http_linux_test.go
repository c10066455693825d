package calls_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestServesOverHTTP has commands run for a client that vanishes, and for one whose server
// is ended. No process stays, and the second client is answered.
func TestServesOverHTTP(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"exec","decision":"allow"}]}`)
	c := cmdtest.Helve(dir, "mcp", "--http", "127.0.0.1:0")
	var errw bytes.Buffer
	c.Stderr = &errw
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	out := bufio.NewReader(stdout)
	line, err := out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err, errw.String())
	}
	var started struct {
		OK   bool
		Data struct {
			URL  string
			File string `json:"token_file"`
		}
	}
	if err := json.Unmarshal(line, &started); err != nil || !started.OK {
		t.Fatalf("%v %s", err, line)
	}
	info, err := os.Stat(started.Data.File)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	token := strings.TrimSpace(cmdtest.Content(t, started.Data.File))

	// run runs a command that first makes a file, and then sleeps.
	run := func(ctx context.Context, mark, began string) (string, error) {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","arguments":{"command":"echo >%s; exec sleep %s"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, began, mark)
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, started.Data.URL, strings.NewReader(body))
		if err != nil {
			return "", err
		}
		r.Header = http.Header{
			"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
			"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"exec"},
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", err
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		return string(text), err
	}
	for i, end := range []func(cancel func()){
		func(cancel func()) { cancel() },
		func(func()) {
			if err := c.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		},
	} {
		mark := strconv.Itoa(1_000_000 + rand.IntN(1_000_000_000)) // how long no other process sleeps
		began := "began" + strconv.Itoa(i)
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan string, 1)
		go func() {
			text, err := run(ctx, mark, began)
			over <- fmt.Sprint(text, err)
		}()
		for _, err := os.Stat(filepath.Join(dir, began)); err != nil || !sleeps(t, mark); _, err = os.Stat(filepath.Join(dir, began)) {
			select {
			case text := <-over:
				t.Fatal(text)
			case <-time.After(10 * time.Millisecond):
			}
		}
		end(cancel)
		if text := <-over; i == 1 && !strings.Contains(text, `"isError":true`) {
			t.Errorf("not answered: %s", text)
		}
		cancel()
		for sleeps(t, mark) {
			<-time.After(10 * time.Millisecond)
		}
	}
	rest, err := io.ReadAll(out)
	if err != nil || len(rest) > 0 {
		t.Errorf("more than one document: %v %s", err, rest)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if strings.Contains(errw.String()+string(line), token) || !strings.Contains(errw.String(), started.Data.URL) {
		t.Errorf("stderr: %s", errw.String())
	}
}
