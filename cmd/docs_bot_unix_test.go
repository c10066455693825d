//go:build unix

package cmd_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/testing/modeltest"
)

// chatServer is the server of a chat with several people: what they say, and what is sent.
type chatServer struct {
	said []map[string]any
	sent chan map[string]string
}

func (s *chatServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/send" {
		var m map[string]string
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.sent <- m
		_, _ = w.Write([]byte("{}"))
		return
	}
	after, _ := strconv.Atoi(r.URL.Query().Get("after"))
	if after >= len(s.said) { // nobody says more
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
		_, _ = w.Write([]byte("[]"))
		return
	}
	_ = json.NewEncoder(w).Encode(s.said[after:]) // to a client that may have gone
}

// TestGuideBot runs the bot that the guide contains: each of the people gets the answer to the
// question of their own, once.
func TestGuideBot(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	file, err := cmdtest.Program() // what helve itself started has no sub-agents
	if err != nil {
		t.Fatal(err)
	}
	text := find(t, "python", "# bot.py")
	if lines := strings.Count(text, "\n"); lines > 31 {
		t.Errorf("the guide says 30 lines: %d", lines)
	}
	names := []string{"Ann", "Bob", "Cem"}
	s := &chatServer{sent: make(chan map[string]string, 16)}
	var tasks []string
	for i, name := range names {
		s.said = append(s.said, map[string]any{"id": i + 1, "chat": 100 + i, "from": name, "text": "who am I?"})
		tasks = append(tasks, fmt.Sprintf(`{"match": "%s asks", "steps": [{"calls": [{"name": "ls", "arguments": {}}]}, {"say": "You are %s."}]}`, name, name))
	}
	script, err := modeltest.Parse([]byte(`{"tasks": [` + strings.Join(tasks, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	model := modeltest.New(script)
	defer model.Close()
	chat := httptest.NewServer(s)
	defer chat.Close()
	bin := t.TempDir()
	link(t, file, filepath.Join(bin, "helve"))
	dir, env := readmeDir(t)
	c := exec.Command(python, "-c", text)
	c.Dir, c.Stderr = dir, os.Stderr
	c.Env = append(env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "CHAT="+chat.URL,
		"OPENAI_BASE_URL="+model.Base(), "OPENAI_MODEL=scripted", "OPENAI_API_KEY=", "HELVE_CHANNEL=", "HELVE_CHAT=")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with the helve that waits for messages
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // it goes on until then
		_ = c.Wait()
		chat.CloseClientConnections()
	}()
	got := map[string]string{}
	for range names {
		select {
		case m := <-s.sent:
			if before, twice := got[m["to"]]; twice {
				t.Errorf("%s got %q and %q", m["to"], before, m["text"])
			}
			got[m["to"]] = m["reply_to"] + ": " + m["text"]
		case <-time.After(5 * time.Minute):
			t.Fatalf("only %v", got)
		}
	}
	for i, name := range names {
		if said := got[strconv.Itoa(100+i)]; !strings.HasPrefix(said, strconv.Itoa(i+1)+": ") || !strings.Contains(said, "You are "+name+".") {
			t.Errorf("%s got %q", name, said)
		}
	}
}
