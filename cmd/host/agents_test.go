package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/process"
)

// agentHost returns a host of a workspace of its own, where no model is configured.
func agentHost(t *testing.T) *Host {
	t.Helper()
	t.Setenv("HELVE_HOME", t.TempDir())
	for _, name := range []string{"HELVE", baseVariable, modelVariable, keyVariable, anthropicVariable} {
		t.Setenv(name, "")
	}
	h := New(Options{Root: t.TempDir(), Session: "s"})
	t.Cleanup(h.Close)
	return h
}

func spawnerOf(t *testing.T, h *Host) agent.Spawner {
	t.Helper()
	_, s, err := h.Governed()
	if err != nil {
		t.Fatal(err)
	}
	return &spawner{s}
}

// What is missing is named before anything is in the queue.
func TestPrepare(t *testing.T) {
	h := agentHost(t)
	set := func(pairs ...string) {
		t.Helper()
		for i := 0; i < len(pairs); i += 2 {
			if _, _, err := h.Set(pairs[i], pairs[i+1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	prepare := func(j agent.Job) (agent.Job, error) {
		err := spawnerOf(t, h).Prepare(t.Context(), &j)
		return j, err
	}
	refused := func(what ...string) {
		t.Helper()
		_, err := prepare(agent.Job{Task: "x"})
		text := fault.As(err).Message.String() + " " + fault.As(err).Hint.String()
		if !fault.Is(err, fault.NotConfigured) || slices.ContainsFunc(what, func(w string) bool { return !strings.Contains(text, w) }) {
			t.Errorf("want %q, got %v", what, text)
		}
	}
	refused("spawn.base_url", "spawn.model", "spawn.key_env", "OPENAI_API_KEY")
	set("spawn.model", "m")
	refused("OPENAI_API_KEY", "api.openai.com")
	set("spawn.base_url", "http://127.0.0.1:1/v1") // a server of one's own wants no key
	j, err := prepare(agent.Job{Task: "x"})
	if err != nil || j.Model != "m" || j.BaseURL != "" || j.Runtime != agent.Builtin || j.Limits.Timeout != agent.DefaultTimeout || j.Limits.Tokens != agent.DefaultTokens {
		t.Errorf("%+v, %v", j, err)
	}
	set("spawn.key_env", "OWN_KEY")
	refused("OWN_KEY")
	t.Setenv("OWN_KEY", "k")
	if _, err := prepare(agent.Job{Task: "x"}); err != nil {
		t.Error(err)
	}
	t.Setenv("OWN_KEY", "k\nX-Other: y")
	refused("spawn.key_env")
	t.Setenv("OWN_KEY", "k")
	file := filepath.Join(t.TempDir(), "key")
	set("spawn.key_env", "", "spawn.key_file", file)
	refused("spawn.key_file", "no key", "chmod 600")
	for text, good := range map[string]bool{"": false, " \n": false, "two\nlines\n": false, " k-1\n": true} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := prepare(agent.Job{Task: "x"}); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
	set("spawn.key_file", "", "spawn.key_env", "OWN_KEY")
	set("spawn.base_url", "")
	t.Setenv(baseVariable, "127.0.0.1:11434") // without a scheme
	refused("spawn.base_url", "OPENAI_BASE_URL")
	if _, err := prepare(agent.Job{Task: "x", Runtime: "claude"}); !fault.Is(err, fault.NotConfigured) {
		t.Error(err)
	}
	set("spawn.base_url", "https://api.anthropic.com", "spawn.key_env", "")
	refused("OPENAI_API_KEY")
	t.Setenv(anthropicVariable, "k")
	if _, err := prepare(agent.Job{Task: "x"}); err != nil {
		t.Error(err)
	}
}

// Whoever names the server by the environment alone does not get another process's.
func TestServerOfTheEnvironment(t *testing.T) {
	h := agentHost(t)
	t.Setenv(modelVariable, "m")
	t.Setenv(baseVariable, "http://127.0.0.1:1/v1")
	j := agent.Job{Task: "x"}
	if err := spawnerOf(t, h).Prepare(t.Context(), &j); err != nil || j.BaseURL != "http://127.0.0.1:1/v1" {
		t.Fatal(j, err)
	}
	takes := func() bool {
		w, err := h.AgentWork(nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		return w.Takes(&j)
	}
	if !takes() {
		t.Error("refused by the same environment")
	}
	t.Setenv(baseVariable, "http://127.0.0.1:2/v1")
	if takes() {
		t.Error("taken to another server")
	}
	t.Setenv(baseVariable, "http://127.0.0.1:1/v1")
	j.Config = filepath.Join(j.Root, "config.json") // whoever can write the store must not choose it
	if takes() {
		t.Error("taken with another configuration file")
	}
	j.Config, j.Root = "", t.TempDir()
	if takes() {
		t.Error("taken to another workspace")
	}
}

// Any command ends the jobs whose workers have died.
func TestTend(t *testing.T) {
	h := agentHost(t)
	t.Setenv(modelVariable, "m")
	t.Setenv(baseVariable, "http://127.0.0.1:1/v1")
	jobs, err := h.Agents()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := h.Workspace().State()
	if err != nil {
		t.Fatal(err)
	}
	j := agent.Job{Task: "x", Origin: agent.Origin{Session: "s"}}
	if err := spawnerOf(t, h).Prepare(t.Context(), &j); err != nil {
		t.Fatal(err)
	}
	j, _, err = jobs.Add(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	dead := process.This()
	dead.Start++ // another process had the number
	w := agent.Worker{ID: "w", Host: "here", Machine: process.Machine(), Process: dead}
	if claimed, err := jobs.Claim(t.Context(), w, 1, func(*agent.Job) bool { return true }); err != nil || claimed == nil {
		t.Fatal(claimed, err)
	}
	if process.Machine() == "" {
		t.Skip("this system does not say whether a process lives")
	}
	marks := agent.NewMarks(dir)
	if err := marks.Put(j.ID, dead); err != nil {
		t.Fatal(err)
	}
	b, err := h.Bus() // it looks after the jobs before anything is received
	if err != nil {
		t.Fatal(err)
	}
	ended, err := jobs.Get(t.Context(), j.ID)
	if err != nil || ended.Status != agent.Lost {
		t.Errorf("%+v, %v", ended, err)
	}
	got, err := b.Receive(t.Context(), bus.ReceiveOptions{Consumer: "c", Filter: bus.Filter{Channel: bus.System}})
	if err != nil || len(got) != 1 || got[0].ID != agent.FinalMessage(j.ID) || got[0].Kind != bus.KindResult {
		t.Errorf("%+v, %v", got, err)
	}
	if orphans, err := marks.Orphans(); err != nil || len(orphans) > 0 {
		t.Error(orphans, err)
	}
	if gone, err := h.ForgetAgents(t.Context(), 0); err != nil || len(gone) != 1 {
		t.Error(gone, err)
	}
}
