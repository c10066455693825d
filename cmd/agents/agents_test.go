package agents_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/transcript"
	"github.com/helve-dev/helve/pkg/agent/worker"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// agents is the jobs of the workspace of the environment, with a worker that a test is.
type agents struct {
	*testing.T
	*agent.Jobs
	host *host.Host
	self agent.Worker
}

func agentsOf(t *testing.T) *agents {
	t.Helper()
	cmdtest.Home(t)
	t.Setenv("TZ", "UTC")
	h := host.New(host.FromEnvironment())
	t.Cleanup(h.Close)
	jobs, err := h.Agents()
	if err != nil {
		t.Fatal(err)
	}
	return &agents{t, jobs, h, worker.Self(nil)}
}

// add puts a job in the queue. Its id begins with the label.
func (a *agents) add(label, task string) agent.Job {
	a.Helper()
	dir, err := a.host.Workspace().Root()
	if err != nil {
		a.Fatal(err)
	}
	j, _, err := a.Add(a.Context(), agent.Job{Label: label, Task: task, Root: dir.Dir(), Origin: agent.Origin{Session: "s"}})
	if err != nil {
		a.Fatal(err)
	}
	return j
}

// begin adds a job, takes it and notes what it has done.
func (a *agents) begin(label, task string) agent.Job {
	a.Helper()
	added := a.add(label, task)
	j, err := a.Claim(a.Context(), a.self, 100, func(j *agent.Job) bool { return j.ID == added.ID })
	if err != nil || j == nil {
		a.Fatalf("%v %v", j, err)
	}
	noted, err := a.Note(a.Context(), j.ID, a.self.ID, func(j *agent.Job) { j.Iterations, j.Tokens, j.Calls, j.Last = 3, 1200, 5, "exec go test" })
	if err != nil {
		a.Fatal(err)
	}
	return noted
}

// end adds a job that has ended.
func (a *agents) end(label string, o agent.Outcome) agent.Job {
	a.Helper()
	j := a.begin(label, "do "+label)
	ended, mine, err := a.Finish(a.Context(), j.ID, a.self.ID, o)
	if err != nil || !mine {
		a.Fatalf("%v %v", mine, err)
	}
	return ended
}

// spawned runs "helve spawn" with a line of arguments, and returns what it prints and the
// exit status.
func spawned(t *testing.T, line string) (string, int) {
	t.Helper()
	var b bytes.Buffer
	status := cmd.Main(append([]string{"spawn"}, strings.Fields(line)...), strings.NewReader(""), &b, io.Discard)
	return b.String(), status
}

// document decodes what spawned returns.
func document(t *testing.T, line string) (e envelope.Envelope, data map[string]any, status int) {
	t.Helper()
	text, status := spawned(t, line)
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, text)
	}
	if e.Data != nil {
		if err := json.Unmarshal(e.Data, &data); err != nil {
			t.Fatal(err)
		}
	}
	return e, data, status
}

var (
	timedOut = agent.Outcome{Status: agent.Failed, Reason: agent.ByTimeout, Err: fault.New(fault.Timeout, fault.T("600 s were over"))}
	partly   = agent.Outcome{Status: agent.Incomplete, Reason: agent.ByIterations, Result: "half of it"}
	whole    = agent.Outcome{Status: agent.Completed, Result: "all of it"}
)

// TestSpawnEnds prints what jobs have come to: the exit status tells success from all other
// ends, whatever the form of output.
func TestSpawnEnds(t *testing.T) {
	a := agentsOf(t)
	for label, c := range map[string]struct {
		outcome agent.Outcome
		exit    int
		text    string // "…" is any text
	}{
		"whole":    {whole, 0, "all of it\n"},
		"partly":   {partly, 1, "…is not done…half of it\n…"},
		"late":     {timedOut, 1, "…failed: 600 s were over\n…"},
		"canceled": {agent.Outcome{Status: agent.Canceled}, 1, "…was canceled…"},
		"lost":     {agent.Outcome{Status: agent.Lost}, 1, "…is lost…"},
	} {
		j := a.end(label, c.outcome)
		for _, command := range []string{"result " + j.ID, "wait " + j.ID, "result -o text " + j.ID, "wait -o text " + j.ID} {
			got, exit := spawned(t, command)
			if exit != c.exit {
				t.Errorf("%s: exit status %d, want %d", command, exit, c.exit)
			}
			if strings.HasPrefix(command, "result -o") && !cmdtest.Matches(got, c.text) {
				t.Errorf("%s: %q, want %q", command, got, c.text)
			}
			if !strings.Contains(got, c.outcome.Result) || c.exit != 0 && !strings.Contains(got, string(j.Status)) && !strings.HasPrefix(command, "result -o") {
				t.Errorf("%s does not say how it ended: %s", command, got)
			}
		}
		e, data, _ := document(t, "result "+label)
		if want := string(c.outcome.Status); !e.OK || data["job_id"] != j.ID || data["status"] != want || c.outcome.Result != "" && data["result"] != c.outcome.Result {
			t.Errorf("%+v %v", e, data)
		}
	}
	if _, exit := spawned(t, "wait whole partly"); exit != 1 {
		t.Errorf("one that is incomplete beside one that has completed: exit status %d", exit)
	}
	if e, _, exit := document(t, "result nothing"); e.OK || e.Error.Code != fault.NotFound || exit != 1 {
		t.Errorf("%d %+v", exit, e)
	}
}

// TestSpawnStatus shows a job that is at work.
func TestSpawnStatus(t *testing.T) {
	a := agentsOf(t)
	queued := a.add("queued", "wait for your turn")
	_, data, _ := document(t, "status "+queued.ID)
	for _, name := range []string{"pid", "host", "started_at"} {
		if v, there := data[name]; !there || v != nil {
			t.Errorf("%s of one in the queue: %v", name, v)
		}
	}
	j := a.begin("tests", "Fix the tests.\nAll of them.")
	_, data, exit := document(t, "status tests")
	want := map[string]any{
		"job_id": j.ID, "label": "tests", "status": "working", "pid": float64(a.self.Process.PID), "host": a.self.Host, "iterations": 3.0, "tokens": 1200.0, "calls": 5.0,
		"created_at": j.CreatedAt.Format(time.RFC3339Nano), "started_at": j.StartedAt.Format(time.RFC3339Nano), "attempt": 1.0, "last": "exec go test", "task": "Fix the tests.\nAll of them.",
		"session": "s", "runtime": "builtin", "limits": data["limits"],
	}
	if diff := cmp.Diff(want, data); diff != "" || exit != 0 {
		t.Errorf("exit status %d: %s", exit, diff)
	}
	for lang, words := range map[string]string{"en": "working|task     Fix the tests.\n|All of them.|3 iterations, 1200 tokens, 5 calls|exec go test", "zh": "working|任务     Fix|3 次迭代，1200 个 token，5 次调用"} {
		text, _ := spawned(t, "status -o text --lang "+lang+" tests")
		for word := range strings.SplitSeq(words, "|") {
			if !strings.Contains(text, word) {
				t.Errorf("no %q in\n%s", word, text)
			}
		}
	}
	if _, err := a.Ask(t.Context(), j.ID, a.self.ID, "01request", "delete everything"); err != nil {
		t.Fatal(err)
	}
	if text, _ := spawned(t, "status -o text tests"); !strings.Contains(text, "helve approve 01request") {
		t.Error(text)
	}
	if e, _, exit := document(t, "result tests"); e.Error == nil || e.Error.Code != fault.Unavailable || !strings.Contains(e.Error.Hint, "helve spawn wait "+j.ID) || exit != 6 {
		t.Errorf("%d %+v", exit, e)
	}
}

// TestSpawnList chooses among jobs.
func TestSpawnList(t *testing.T) {
	a := agentsOf(t)
	if text, _ := spawned(t, "list -o text"); text != "no sub-agents\n" {
		t.Errorf("%q", text)
	}
	if text, _ := spawned(t, "list"); text != `{"ok":true,"data":{"jobs":[]}}`+"\n" {
		t.Error(text)
	}
	first := a.end("first", partly)
	a.begin("second", strings.Repeat("long ", 100)+"\nand more")
	a.add("third", "c")
	listed := func(line string) (labels []string) {
		_, data, _ := document(t, line)
		jobs, _ := data["jobs"].([]any)
		for _, one := range jobs {
			labels = append(labels, one.(map[string]any)["label"].(string))
		}
		return labels
	}
	for line, want := range map[string]string{
		"list":                  "third second first",
		"list --all":            "third second first",
		"list --status working": "third second",
		"list --status incomplete --status working": "third second first",
		"list --status failed,incomplete":           "first",
		"list --status lost":                        "",
	} {
		if got := strings.Join(listed(line), " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	text, _ := spawned(t, "list -o text")
	if lines := strings.Split(text, "\n"); len(lines) != 4 || !strings.Contains(lines[0], "in the queue") || !strings.HasSuffix(lines[1], " …") || !strings.Contains(lines[2], "(iterations)") {
		t.Errorf("%s", text)
	}
	if e, _, exit := document(t, "list --status done"); e.Error == nil || exit != 2 || !strings.Contains(e.Error.Hint, "input_required") {
		t.Errorf("%d %+v", exit, e)
	}
	// Ids complete, also where a part of them is there.
	for line, want := range map[string]string{"status ": first.ID, "logs fir": first.ID, "result ": first.ID, "wait x ": first.ID, "list --status ": "input_required"} {
		if got, directive := offers(t, append([]string{"spawn"}, strings.Split(line, " ")...)...); !slices.Contains(got, want) || directive != ":4" {
			t.Errorf("%s offers %q %s", line, got, directive)
		}
	}
	if got, _ := offers(t, "spawn", "cancel", ""); len(got) != 2 || slices.Contains(got, first.ID) {
		t.Errorf("cancel offers %q", got)
	}
	if got, _ := offers(t, "spawn", "wait", first.ID, ""); len(got) != 2 || slices.Contains(got, first.ID) {
		t.Errorf("wait offers one twice: %q", got)
	}
	if got, _ := offers(t, "spawn", "w"); !slices.Contains(got, "wait") || !slices.Contains(got, "worker") {
		t.Errorf("spawn offers %q", got)
	}
}

// TestSpawnWait waits for jobs: until they end, for a time, or until a person is asked.
func TestSpawnWait(t *testing.T) {
	a := agentsOf(t)
	j, other := a.begin("one", "do one"), a.begin("two", "do two")
	e, data, exit := document(t, "wait one --timeout 50ms")
	if e.OK || e.Error.Code != fault.Timeout || exit != 6 || !strings.Contains(e.Error.Hint, j.ID) || len(data["jobs"].([]any)) != 1 {
		t.Errorf("%d %+v", exit, e)
	}
	if _, err := a.Ask(t.Context(), other.ID, a.self.ID, "01request", "rm"); err != nil {
		t.Fatal(err)
	}
	if e, data, exit := document(t, "wait one two --input"); !e.OK || exit != 4 || data["jobs"].([]any)[1].(map[string]any)["approval"] != "01request" {
		t.Errorf("%d %+v", exit, e)
	}
	done := make(chan int)
	go func() {
		_, exit := spawned(t, "wait one two")
		done <- exit
	}()
	for _, id := range []string{j.ID, other.ID} {
		select {
		case <-done:
			t.Fatal("it did not wait")
		default:
		}
		if _, mine, err := a.Finish(t.Context(), id, a.self.ID, whole); err != nil || !mine {
			t.Fatal(mine, err)
		}
	}
	if exit := <-done; exit != 0 {
		t.Errorf("exit status %d", exit)
	}
}

// TestSpawnCancel ends what waits for its turn. Of a name that is wrong, nothing is ended.
func TestSpawnCancel(t *testing.T) {
	a := agentsOf(t)
	j, ended := a.add("one", "do one"), a.end("two", whole)
	if e, _, exit := document(t, "cancel one thre"); e.OK || e.Error.Code != fault.NotFound || exit != 1 {
		t.Errorf("%d %+v", exit, e)
	}
	if now, err := a.Get(t.Context(), j.ID); err != nil || now.Status != agent.Working {
		t.Errorf("%+v %v", now, err)
	}
	for line, code := range map[string]fault.Code{"cancel": fault.Usage, "cancel --all one": fault.Usage} {
		if e, _, exit := document(t, line); e.Error == nil || e.Error.Code != code || exit != 2 {
			t.Errorf("%s: %d %+v", line, exit, e)
		}
	}
	text, exit := spawned(t, "cancel -o text one one two")
	if want := j.ID + "  canceled\n" + ended.ID + "  completed\n"; text != want || exit != 0 {
		t.Errorf("%d %q, want %q", exit, text, want)
	}
	if text, exit := spawned(t, "cancel -o text --all"); text != "no sub-agents\n" || exit != 0 {
		t.Errorf("%d %q", exit, text)
	}
	more := a.add("more", "do more")
	if _, data, exit := document(t, "cancel --all"); exit != 0 || data["jobs"].([]any)[0].(map[string]any)["job_id"] != more.ID {
		t.Errorf("%d %v", exit, data)
	}
}

// TestSpawnLogs shows a transcript in each of its forms.
func TestSpawnLogs(t *testing.T) {
	a := agentsOf(t)
	if text, exit := spawned(t, "logs -o text "+a.add("early", "later").ID); exit != 0 || !strings.Contains(text, "in the queue") {
		t.Errorf("%d %q", exit, text)
	}
	j := a.end("one", whole)
	dir, err := a.host.Transcripts()
	if err != nil {
		t.Fatal(err)
	}
	if e, _, exit := document(t, "logs one"); e.OK || e.Error.Code != fault.NotFound || exit != 1 {
		t.Errorf("%d %+v", exit, e)
	}
	w, err := transcript.Create(dir, j.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []loop.Event{{Kind: "started", Text: "do one"}, {Kind: "reply", Iteration: 1, Text: "I say \x1b[31mred"}} {
		if err := w.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, data, exit := document(t, "logs one"); exit != 0 || data["status"] != "completed" || len(data["events"].([]any)) != 2 {
		t.Errorf("%d %v", exit, data)
	}
	for _, line := range []string{"logs one --stream", "logs one -f", "logs one -f --stream -o text"} {
		text, exit := spawned(t, line)
		lines := strings.Split(text, "\n")
		var e loop.Event
		if exit != 0 || len(lines) != 3 || json.Unmarshal([]byte(lines[1]), &e) != nil || e.Kind != "reply" {
			t.Errorf("%s: %d %q", line, exit, text)
		}
	}
	for _, line := range []string{"logs one -o text", "logs one -f -o text"} {
		if text, exit := spawned(t, line); exit != 0 || !strings.Contains(text, "do one") || !strings.Contains(text, "I say") || strings.Contains(text, "\x1b") {
			t.Errorf("%s: %d %q", line, exit, text)
		}
	}
}

// TestSpawnCollect forgets what has ended, with its transcript.
func TestSpawnCollect(t *testing.T) {
	a := agentsOf(t)
	j, working := a.end("one", whole), a.begin("two", "do two")
	dir, err := a.host.Transcripts()
	if err != nil {
		t.Fatal(err)
	}
	w, err := transcript.Create(dir, j.ID)
	if err == nil {
		err = w.Add(loop.Event{Kind: "started", Text: "do one"})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, text string }{
		{"gc", "removed 0\n"}, {"gc --older-than 1d", "removed 0\n"}, {"gc --older-than 0s", "removed 1\n"}, {"gc --older-than 0d --lang zh", "已移除 0 个\n"},
	} {
		if text, exit := spawned(t, c.line+" -o text"); text != c.text || exit != 0 {
			t.Errorf("%s: %d %q", c.line, exit, text)
		}
	}
	if _, err := a.Get(t.Context(), j.ID); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if err := transcript.Follow(t.Context(), dir, j.ID, false, nil, func(loop.Event) error { return nil }); !fault.Is(err, fault.NotFound) {
		t.Errorf("its transcript is there: %v", err)
	}
	if now, err := a.Get(t.Context(), working.ID); err != nil || now.Status != agent.Working {
		t.Errorf("%+v %v", now, err)
	}
	for _, wrong := range []string{"week", "-1h", "-1d", "99999999d", "1.5d", ""} {
		text, exit := spawned(t, "gc --older-than="+wrong)
		if exit != 2 || !strings.Contains(text, "7d, 36h") {
			t.Errorf("%q: %d %s", wrong, exit, text)
		}
	}
}

// TestSpawnWords tells tasks from the commands below spawn.
func TestSpawnWords(t *testing.T) {
	agentsOf(t)
	for _, c := range []struct{ line, code, says string }{
		{"lst", "usage", "did you mean list?"},
		{"stauts fix-tests", "usage", "did you mean status?"},
		{"lst --lang zh", "usage", "是否指 list？"},
		{"status", "usage", "wrong number of arguments"},
		{"wait", "usage", "needs the id of a job"},
		// These are tasks: nothing is configured that could do them.
		{"-- lst", "not_configured", ""},
		{"explain", "not_configured", ""},
		{`{"task":"list"}`, "not_configured", ""},
		{"run list", "not_configured", ""},
	} {
		t.Setenv("OPENAI_MODEL", "")
		t.Setenv("OPENAI_API_KEY", "")
		t.Setenv("OPENAI_BASE_URL", "")
		e, _, exit := document(t, c.line)
		if e.Error == nil || string(e.Error.Code) != c.code || !strings.Contains(e.Error.Message, c.says) || exit == 0 {
			t.Errorf("%s: %d %+v", c.line, exit, e.Error)
		}
	}
}

// TestSpawnRunFlags gives flags of every command before and after those of run.
func TestSpawnRunFlags(t *testing.T) {
	agentsOf(t)
	for _, name := range []string{"OPENAI_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL"} {
		t.Setenv(name, "")
	}
	for line, want := range map[string]string{
		"-o text spawn run x":                        "error: no model is configured",
		"spawn run x -o text --lang zh":              "（not_configured）",
		"--session s spawn run --prompt x --stream":  `"code":"not_configured"`,
		"spawn run --task x --labl y -o text":        `did you mean "label"?`,
		"spawn run --task x --strem -o text":         "did you mean",
		"-o text spawn run --wait=maybe --task x":    "/wait: want boolean",
		`-o text spawn run {"task":"x","wait":"no"}`: "/wait: want boolean",
	} {
		var b bytes.Buffer
		if exit := cmd.Main(strings.Fields(line), strings.NewReader(""), &b, io.Discard); exit == 0 || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %d, no %q in %s", line, exit, want, b.String())
		}
	}
}

// offers returns what a shell is offered for a command line, without descriptions, and
// the directive after it.
func offers(t *testing.T, line ...string) (names []string, directive string) {
	t.Helper()
	var b strings.Builder
	cmd.Main(append([]string{"__completeNoDesc"}, line...), strings.NewReader(""), &b, io.Discard)
	names = strings.Split(strings.TrimSpace(b.String()), "\n")
	return names[:len(names)-1], names[len(names)-1]
}
