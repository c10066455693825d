package calls_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// revisions are those of the protocol for which its conformance suite says what is
// required.
var revisions = []string{"2025-11-25", "2026-07-28"}

// verdict is what a suite said of one scenario.
type verdict struct {
	Passed int
	Faults []string // "CHECK STATUS", of all that did not pass
}

// check is one of a scenario.
type check struct {
	ID           string `json:"id"`
	Status       string `json:"status"`
	ErrorMessage string `json:"errorMessage"`
}

// conformance runs the suite for one side, server or client, and returns what it said of each
// scenario that the revision requires, or of the only one that ran, by their names.
func conformance(t *testing.T, side, revision string, args ...string) map[string]verdict {
	t.Helper()
	node, modules := newerNode(t, "@modelcontextprotocol/conformance")
	suite := filepath.Join(modules, "@modelcontextprotocol", "conformance")
	results := t.TempDir()
	only := ""
	if args[0] == "--scenario" {
		only = args[1]
	}
	args = append([]string{filepath.Join(suite, "dist", "index.js"), side, "-o", results}, args...)
	log, _ := exec.Command(node, args...).CombinedOutput() // its status is of its own list of what may fail
	verdicts := map[string]verdict{}
	for _, scenario := range required(t, filepath.Join(suite, "requirements", revision+".yaml"), side) {
		if only != "" && scenario != only {
			continue
		}
		name := scenario
		if side == "server" {
			name = "server-" + scenario
		}
		files, err := filepath.Glob(filepath.Join(results, filepath.FromSlash(name)+"-20*", "checks.json"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%s was not run: %v, %v\n%s", scenario, files, err, log)
		}
		var checks []check
		if err := json.Unmarshal([]byte(cmdtest.Content(t, files[0])), &checks); err != nil {
			t.Fatal(err)
		}
		var v verdict
		for _, c := range checks {
			switch c.Status {
			case "SUCCESS":
				v.Passed++
			case "INFO":
			default:
				v.Faults = append(v.Faults, c.ID+" "+c.Status)
				t.Logf("%s: %s: %s: %s", scenario, c.ID, c.Status, c.ErrorMessage)
			}
		}
		slices.Sort(v.Faults)
		verdicts[scenario] = verdict{v.Passed, slices.Compact(v.Faults)}
	}
	return verdicts
}

// required returns the scenarios that a file of requirements lists for one side.
func required(t *testing.T, file, side string) []string {
	t.Helper()
	var names []string
	within := false
	for line := range strings.Lines(cmdtest.Content(t, file)) {
		name, listed := strings.CutPrefix(strings.TrimRight(line, "\n"), "  - ")
		switch {
		case listed && within:
			names = append(names, name)
		case !strings.HasPrefix(line, " ") && strings.TrimSpace(line) != "":
			within = strings.TrimSpace(line) == side+":"
		}
	}
	if len(names) < 15 {
		t.Fatalf("%s: %d scenarios of a %s", file, len(names), side)
	}
	return names
}

// fixtures are the tools that the suite calls on a server, with the arguments that they
// need. All are custom tools whose program is testdata/mcp/fixture.py.
var fixtures = map[string][]string{
	"test_simple_text": nil, "test_image_content": nil, "test_audio_content": nil, "test_embedded_resource": nil, "test_multiple_content_types": nil,
	"test_error_handling": nil, "test_tool_with_progress": nil, "test_streaming_elicitation": nil, "test_logging_tool": nil, "test_trigger_tool_change": nil,
	"test_elicitation": {"message"}, "test_elicitation_sep1034_defaults": nil, "test_elicitation_sep1330_enums": nil, "test_sampling": {"prompt"}, "test_missing_capability": nil,
	"test_input_required_result_elicitation": nil, "test_input_required_result_sampling": nil, "test_input_required_result_list_roots": nil,
	"test_input_required_result_request_state": nil, "test_input_required_result_tampered_state": nil, "test_input_required_result_multiple_inputs": nil,
	"test_input_required_result_multi_round": nil, "test_input_required_result_capabilities": nil,
}

// register makes a custom tool of a part of the fixture.
func register(t *testing.T, dir, name string, arguments []string, change string) {
	t.Helper()
	properties := map[string]any{}
	for _, argument := range arguments {
		properties[argument] = map[string]any{"type": "string", "description": "What to say."}
	}
	run := map[string]any{"argv": []string{"python3", "fixture.py", name}, "stdin": "call", "output": "content", "env": map[string]string{"FIXTURE_URL": change}}
	if name == "test_logging_tool" || name == "test_streaming_elicitation" { // which have half a second
		run = map[string]any{"argv": []string{"echo", "done"}}
	}
	manifest, err := json.Marshal(map[string]any{
		"name": name, "description": "Plays " + name + ".", "risk": "read",
		"parameters": map[string]any{"type": "object", "properties": properties, "required": append([]string{}, arguments...)},
		"run":        run,
	})
	if err != nil {
		t.Fatal(err)
	}
	file := cmdtest.Put(t, t.TempDir(), name+".json", string(manifest))
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "tools", "register", file)); !a.OK {
		t.Fatalf("%+v", a)
	}
}

// changes serves the fixture that changes the list of tools: another process registers a
// tool, or takes it away.
func changes(t *testing.T, dir string) string {
	t.Helper()
	there := false
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { // the suite makes one call at a time
		if there {
			if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "tools", "unregister", "transient")); !a.OK {
				t.Errorf("%+v", a)
			}
		} else {
			register(t, dir, "transient", nil, "")
		}
		there = !there
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// unoffered are the required scenarios that helve does not pass, since they need what it
// does not offer and does not say that it does: prompts, resources, completion, and the
// log messages that the protocol has given up. The suite takes each server for one that
// offers all. What is missing here must pass, and what is here must fail, as it says.
var unoffered = map[string][]string{
	"completion-complete":                    {"completion-complete FAILURE"},
	"tools-call-with-logging":                {"tools-call-with-logging FAILURE"},
	"resources-read-text":                    {"resources-read-text FAILURE"},
	"resources-read-binary":                  {"resources-read-binary FAILURE"},
	"resources-templates-read":               {"resources-templates-read FAILURE"},
	"resources-subscribe":                    {"resources-subscribe FAILURE"},
	"resources-unsubscribe":                  {"resources-unsubscribe FAILURE"},
	"prompts-list":                           {"prompts-list FAILURE"},
	"prompts-get-simple":                     {"prompts-get-simple FAILURE"},
	"prompts-get-with-args":                  {"prompts-get-with-args FAILURE"},
	"prompts-get-embedded-resource":          {"prompts-get-embedded-resource FAILURE"},
	"prompts-get-with-image":                 {"prompts-get-with-image FAILURE"},
	"input-required-result-non-tool-request": {"sep-2322-non-tool-incomplete FAILURE"}, // of a prompt
	"caching":                                {"sep-2549-prompts-list-caching-hints FAILURE", "sep-2549-resources-read-caching-hints SKIPPED"},
	"server-stateless":                       {"sep-2575-server-sends-prompts-list-changed-on-subscription SKIPPED"},
}

// TestServerConforms has the conformance suite of the protocol call custom tools over HTTP.
func TestServerConforms(t *testing.T) {
	newerNode(t, "@modelcontextprotocol/conformance")
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	dir, command := served(t, `{}`)
	program, err := os.ReadFile(filepath.Join("testdata", "mcp", "fixture.py"))
	if err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, dir, "fixture.py", string(program))
	change := changes(t, dir)
	for name, arguments := range fixtures {
		register(t, dir, name, arguments, change)
	}
	address := listening(t, dir, command)
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			for scenario, v := range conformance(t, "server", revision, "--requirements", revision, "--url", address) {
				want := unoffered[scenario]
				// This one gives each call half a second, which a busy machine may not have.
				for range 5 {
					if scenario != "server-stateless" || slices.Equal(want, v.Faults) {
						break
					}
					v = conformance(t, "server", revision, "--scenario", scenario, "--spec-version", revision, "--url", address)[scenario]
				}
				if v.Passed == 0 {
					t.Errorf("%s: nothing was checked", scenario)
				}
				if d := cmp.Diff(want, v.Faults); d != "" {
					t.Errorf("%s: %s", scenario, d)
				}
			}
		})
	}
}

// listening starts a server over HTTP, without a token, as the suite has none, and returns
// its address.
func listening(t *testing.T, dir string, command []string) string {
	t.Helper()
	c := cmdtest.In(dir, exec.Command(command[0], slices.Concat(command[1:], []string{"--http", "127.0.0.1:0", "--no-token"})...))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
			t.Errorf("the server printed %q, %v", rest, err)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("the server: %v", err)
		}
	})
	var said struct{ Data struct{ URL string } }
	if line, err := bufio.NewReader(out).ReadBytes('\n'); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(line, &said); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return said.Data.URL
}

// untried are checks of what helve does not do as a client, and does not say that it does.
var untried = map[string][]string{
	"request-metadata":      {"sep-2575-client-declares-roots-capability SKIPPED", "sep-2575-client-declares-sampling-capability SKIPPED"},
	"http-standard-headers": {"sep-2243-client-includes-standard-headers SKIPPED"}, // on requests for resources and prompts, and to initialize
}

// TestClientConforms has the conformance suite of the protocol try helve as a client, by a
// program that does what a person does at its beginning.
func TestClientConforms(t *testing.T) {
	newerNode(t, "@modelcontextprotocol/conformance")
	client := filepath.Join(t.TempDir(), "client")
	if out, err := cmdtest.Build(client, "./testdata/mcp/client").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			for scenario, v := range conformance(t, "client", revision, "--requirements", revision, "--command", client) {
				if v.Passed == 0 {
					t.Errorf("%s: nothing was checked", scenario)
				}
				if d := cmp.Diff(untried[scenario], v.Faults); d != "" {
					t.Errorf("%s: %s", scenario, d)
				}
			}
		})
	}
}
