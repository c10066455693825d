package tools_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/web"
)

// foreignCall is a call as the models of another system make it.
type foreignCall struct {
	Of, Name string
	Args     json.RawMessage // the object or, as text, arguments that are no JSON
	// Says are parts of the result as a model reads it; Not are none of it.
	Says, Not []string
	Told      string             // a part of the warnings
	Want      map[string]*string // files afterwards; null if there is none
	Takes     map[string]any     // our arguments, of a call that is not made here
	// Code is the fault. Hint is a part of what leads to Then, the call that mends it.
	Code fault.Code
	Hint string
	Then *foreignCall
}

// files are those that every call finds.
func (foreignCall) files() map[string]string {
	return map[string]string{
		"a.txt":         "one\ntwo\nthree\nfour\n",
		"src/main.go":   "package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n",
		"src/util.go":   "package main\n\nfunc helper() int {\n\treturn 42\n}\n",
		"docs/guide.md": "# Guide\n\nSay hello.\n",
		"test.py":       "def f():\n    return 1\n",
		"empty.txt":     "",
	}
}

// foreignWorld is a workspace with these files, commands and one web page.
func foreignWorld(t *testing.T, page string) *world {
	t.Helper()
	w := newWorld(t)
	for name, content := range (foreignCall{}).files() {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(w.dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		w.file(t, name, content)
	}
	m := &tool.Machine{Settings: config.Exec{Sandbox: "off", Network: "none"}, Environ: os.Environ(), Home: t.TempDir()}
	w.env.Machine = func() (*tool.Machine, error) { return m, nil }
	w.env.RequireRead = "off"
	client := web.New(web.Options{AllowPrivate: true})
	tool.Provide(w.env, func() (*web.Client, error) { return client, nil })
	w.page = page
	return w
}

// TestForeignCalls makes the calls of testdata/foreign.json: each does what its owner's
// tool does, or fails with nothing changed and is mended by one more call.
func TestForeignCalls(t *testing.T) {
	raw, err := os.ReadFile("testdata/foreign.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []foreignCall
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		t.Fatal(err)
	}
	owners := map[string]int{}
	for _, c := range all {
		owners[c.Of]++
	}
	if len(all) < 250 || len(owners) < 15 {
		t.Errorf("%d calls of %d systems", len(all), len(owners))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html><title>A page</title><p>The words of the page.</p></html>"))
	}))
	defer server.Close()
	reading := foreignWorld(t, server.URL)
	for _, c := range all {
		t.Run(c.Of+"/"+c.Name, func(t *testing.T) {
			w := reading
			if c.Want != nil || c.Then != nil {
				w = foreignWorld(t, server.URL)
			}
			c.check(t, w)
		})
	}
}

func (c foreignCall) check(t *testing.T, w *world) {
	t.Helper()
	args := []byte(c.Args)
	var text string
	if json.Unmarshal(c.Args, &text) == nil {
		args = []byte(text)
	}
	args = bytes.ReplaceAll(args, []byte("$URL"), []byte(w.page))
	args = bytes.ReplaceAll(args, []byte("$ROOT"), []byte(filepath.ToSlash(w.dir)))
	one, err := w.catalog.For(c.Name, args)
	if err == nil && one.Name == "exec" && runtime.GOOS == "windows" && c.Code == "" {
		t.Skip("no bash") // the commands are written for it
	}
	if err == nil && c.Takes != nil {
		c.decodes(t, one, args)
		return
	}
	var o guard.Outcome
	if err != nil {
		o.Err = fault.As(err)
	} else {
		o = guard.Run(t.Context(), w.env, one, args)
	}
	if c.Code != "" {
		c.fails(t, w, o)
		return
	}
	if o.Err != nil {
		t.Fatalf("%s: %v (%s)", args, o.Err, o.Err.Hint.In(fault.English))
	}
	shown := one.Text(o.Result, screen.View{Lang: fault.English})
	for _, part := range c.Says {
		if !strings.Contains(shown, part) {
			t.Errorf("%s: it does not say %q:\n%s", args, part, shown)
		}
	}
	for _, part := range c.Not {
		if strings.Contains(shown, part) {
			t.Errorf("%s: it says %q:\n%s", args, part, shown)
		}
	}
	var told strings.Builder
	for _, warning := range o.Warned() {
		told.WriteString(warning.In(fault.English) + "\n")
	}
	if !strings.Contains(told.String(), c.Told) {
		t.Errorf("%s: it is not told %q, but %q", args, c.Told, told.String())
	}
	if len(c.Says)+len(c.Not)+len(c.Want) == 0 {
		t.Error("nothing of what it does is checked")
	}
	w.holds(t, c.Want)
}

// fails checks the fault of a call, that it changed nothing, and what mends it.
func (c foreignCall) fails(t *testing.T, w *world, o guard.Outcome) {
	t.Helper()
	if o.Err == nil || o.Err.Code != c.Code {
		t.Fatalf("%v, not %s", o.Err, c.Code)
	}
	if said := o.Err.Message.In(fault.English) + "\n" + o.Err.Hint.In(fault.English); c.Hint == "" || !strings.Contains(said, c.Hint) {
		t.Errorf("%q does not say %q", said, c.Hint)
	}
	for name, content := range c.files() {
		w.holds(t, map[string]*string{name: &content})
	}
	if c.Then != nil {
		c.Then.check(t, w)
	}
}

// decodes checks what the arguments of a call are for us.
func (c foreignCall) decodes(t *testing.T, one *tool.Tool, args []byte) {
	t.Helper()
	into := one.NewArgs()
	if _, err := one.Decode(args, into); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(into)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	got["tool"] = one.Name
	for name, want := range c.Takes {
		a, _ := json.Marshal(got[name])
		b, _ := json.Marshal(want)
		if string(a) != string(b) {
			t.Errorf("%s is %s, want %s", name, a, b)
		}
	}
}
