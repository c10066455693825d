package cmd_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/testing/modeltest"
)

// results are calls whose results have nearly everything that results can have, in the
// order in which they are made.
func results(site string) []invocation {
	return []invocation{
		{"mkdir", `{"path":"d/e"}`}, {"mkdir", `{"path":"d/e"}`},
		{"write", `{"path":"a.go","content":"package a\n\n// F does.\nfunc F() {\n\tprintln(1)\n}\n\ntype T struct{}\n\nfunc (T) M() {}\n"}`},
		{"write", `{"path":"a.txt","content":"one\ntwo"}`}, {"write", `{"path":"a.txt","content":"one\ntwo\n"}`},
		{"write", `{"path":"a.txt","content":"three\n","mode":"append"}`},
		{"write", `{"path":"n.ipynb","content":"{\"cells\":[{\"cell_type\":\"code\",\"source\":[\"1\"],\"outputs\":[],\"metadata\":{},\"execution_count\":1}],\"metadata\":{},\"nbformat\":4,\"nbformat_minor\":5}"}`},
		{"read", `{"path":"a.go"}`}, {"read", `{"path":"a.go","limit":1}`}, {"read", `{"path":"a.go","outline":true}`}, {"read", `{"path":"a.go","symbol":"T.M"}`},
		{"read", `{"path":"a.txt","range":"1,3","numbered":true}`}, {"read", `{"path":"."}`}, {"read", `{"path":"n.ipynb"}`}, {"read", `{"path":"dot.png"}`},
		{"read", `{"paths":["a.txt","a.go","dot.png","none.txt","d"]}`}, {"read", `{"path":"long.txt"}`},
		{"edit", `{"path":"a.txt","old_text":"two","new_text":"2"}`}, {"edit", `{"path":"a.go","old_text":"println(1)","new_text":"println(2","dry_run":true}`},
		{"edit", `{"path":"a.txt","edits":[{"old_text":"one","new_text":"1"},{"old_text":"three","new_text":"3"}]}`},
		{"patch", `{"patch":"*** Begin Patch\n*** Update File: a.txt\n@@\n-1\n+one\n*** Add File: b.txt\n+b\n*** End Patch\n"}`},
		{"ls", `{}`}, {"ls", `{"depth":3,"all":true}`}, {"ls", `{"path":"d/e"}`},
		{"find", `{"query":"a"}`}, {"find", `{"glob":"*.txt","limit":1}`}, {"find", `{"query":"nothing like it"}`}, {"find", `{"query":"println","content":true}`},
		{"grep", `{"pattern":"o"}`}, {"grep", `{"pattern":"func","context":1}`}, {"grep", `{"pattern":"o","mode":"files"}`}, {"grep", `{"pattern":"o","mode":"count"}`}, {"grep", `{"pattern":"FUNC"}`},
		{"copy", `{"from":"b.txt","to":"b2.txt"}`}, {"move", `{"from":"b.txt","to":"c.txt"}`}, {"delete", `{"path":"c.txt"}`}, {"undo", `{}`}, {"undo", `{"steps":3}`},
		{"time", `{"timezone":"Asia/Shanghai"}`}, {"time", `{}`}, {"job", `{}`},
		{"cron_add", `{"message":"stand up","every_seconds":3600,"name":"standup"}`}, {"cron_add", `{"exec":"true","cron":"0 9 * * 1-5","timezone":"Asia/Shanghai"}`},
		{"cron_add", `{"job":"standup","in":"2h"}`}, {"cron_list", `{}`}, {"cron_list", `{"id":"standup"}`}, {"cron_remove", `{"id":"standup"}`},
		{"message", `{"content":"one","channel":"telegram","to":"42"}`}, {"message", `{"content":"two","channel":"telegram","to":"42","media":["dot.png"],"reply_to":"7","dedupe_key":"k"}`},
		{"fetch", `{"url":"` + site + `/page"}`}, {"fetch", `{"url":"` + site + `/page","format":"text","max_chars":200}`},
		{"websearch", `{"query":"kettle"}`},
	}
}

// invocation is a call that is made.
type invocation struct{ tool, args string }

// ran are calls that run programs.
func ran() []invocation {
	return []invocation{
		{"exec", `{"command":"echo out; echo err >&2"}`}, {"exec", `{"command":"printf 'x\\n' > invocation.txt; exit 3","split":true}`},
		{"exec", `{"command":"seq 1 5000","max_output":300}`}, {"exec", `{"command":"rm invocation.txt","preview":true}`},
		{"exec", `{"command":"echo background","background":true}`}, {"job", `{}`},
		{"words", `{"words":["a","b"]}`}, {"blocks", `{"text":"[{\"type\":\"text\",\"text\":\"x\"}]"}`},
	}
}

// What a tool returns is what its schema says, as a validator that is not ours sees it.
func TestResultsFitTheirSchemas(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/search" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"results":[{"title":"Kettle","url":"https://kettle.example/","content":"Boils."}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<html lang=en><title>Kettle</title><article><h1>Kettle</h1><p>It boils water, quietly and well, for tea of any kind. <a href="/more">More</a> <img src="/k.png" alt="a kettle"></p></article>`)
	}))
	defer site.Close()
	home := t.TempDir()
	t.Setenv("HELVE_HOME", home)
	t.Setenv("HELVE_SESSION", "")
	t.Setenv("HELVE_LANG", "")
	root := t.TempDir()
	t.Setenv("HELVE_ROOT", root)
	if err := os.Mkdir(filepath.Join(home, "tools"), 0o700); err != nil {
		t.Fatal(err)
	}
	model := modeltest.Start(t, `{"steps":[{"say":"there is one"}],"tasks":[{"match":"fail","steps":[{"fail":[{"times":-1,"status":401}]}]}]}`)
	cmdtest.Put(t, home, "config.json", `{"spawn":{"base_url":"`+model.Base()+`","model":"scripted"},"policy":{"undoable":"allow"},"rules":[{"tool":"*","decision":"allow"}],
		"web":{"allow_private":true,"search":{"provider":"searxng","searxng":{"url":"`+site.URL+`"}}}}`)
	cmdtest.Put(t, home, "tools/words.json", `{"name":"words","description":"Print words.","risk":"read","run":{"argv":["echo","{words}"]},"parameters":{"type":"object","properties":{"words":{"type":"array","items":{"type":"string"}}},"required":["words"]}}`)
	cmdtest.Put(t, home, "tools/blocks.json", `{"name":"blocks","description":"Print blocks.","risk":"read","run":{"argv":["echo","{text}"],"output":"content"},"parameters":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}`)
	cmdtest.Put(t, root, "long.txt", strings.Repeat(strings.Repeat("long ", 2000)+"\n", 3))
	dot, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
	if err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, root, "dot.png", string(dot))
	judges := validators(t)
	called := map[string]bool{}
	check := func(c invocation, a cmdtest.Answer) {
		t.Helper()
		called[c.tool] = true
		if !a.OK {
			t.Errorf("%s %s: %+v", c.tool, c.args, a.Error)
		} else if err := judges[c.tool].Validate(a.Data); err != nil {
			t.Errorf("%s %s: %v\n%v", c.tool, c.args, err, a.Data)
		}
	}
	for _, c := range results(site.URL) {
		check(c, inProcess(t, c.tool, c.args))
	}
	if runtime.GOOS == "windows" {
		return // no sh
	}
	for _, c := range ran() {
		a, _ := cmdtest.Call(t, cmdtest.Helve(root, c.tool, c.args))
		check(c, a)
		if id, ok := a.Data["job"].(string); ok {
			wait := invocation{"job", `{"action":"wait","id":"` + id + `"}`}
			a, _ = cmdtest.Call(t, cmdtest.Helve(root, wait.tool, wait.args))
			check(wait, a)
		}
	}
	for _, args := range []string{`{"task":"count","wait":true}`, `{"task":"fail","label":"a failure","wait":true}`} {
		a, _ := cmdtest.Call(t, cmdtest.Person(t, root, "spawn", args))
		check(invocation{"spawn", args}, a)
	}
	for name := range judges {
		if !called[name] {
			t.Errorf("no result of %s was judged", name)
		}
	}
}

// validators returns the schemas of results, by the names of tools.
func validators(t *testing.T) map[string]*jsonschema.Resolved {
	t.Helper()
	var tools []struct {
		Name   string
		Output jsonschema.Schema `json:"output_schema"`
	}
	if err := json.Unmarshal([]byte(run(t, "schema", "--format", "json-schema", "--output")), &tools); err != nil {
		t.Fatal(err)
	}
	all := map[string]*jsonschema.Resolved{}
	for _, tl := range tools {
		resolved, err := tl.Output.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", tl.Name, err)
		}
		all[tl.Name] = resolved
	}
	return all
}
