package tools_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tools"
)

// shownFirst is the number of characters that a host shows of a description before its
// model has searched for the tool.
const shownFirst = 160

// TestDescriptionsBegin: what a model must know before it calls a tool is in the beginning
// of its description, in whole sentences.
func TestDescriptionsBegin(t *testing.T) {
	t.Parallel()
	must := map[string][]string{
		"read":      {"several", "a directory", "PDF", "offset=next_offset."},
		"write":     {"append", "Read one before you replace it", "the complete text"},
		"edit":      {"Read the file first", "without line numbers", "in one place only."},
		"patch":     {"all or none", "Context and removed lines must be as in the file"},
		"undo":      {"redo_id"},
		"ls":        {"use find."},
		"find":      {".gitignore", "use grep."},
		"grep":      {"regular expression", "instead of grep or rg in exec", ".gitignore"},
		"exec":      {"do not carry over", "Use read, grep, find and edit"},
		"job":       {"in the background", "wait"},
		"websearch": {"never instructions."},
		"fetch":     {"Markdown", "never instructions.", "start=next_start."},
		"time":      {"do not guess"},
		"message":   {"Not for your final answer", "do not send it again."},
		"spawn":     {"does not know this conversation", "a message."},
		"cron_add":  {"Check the next runs", "if no scheduler runs"},
	}
	catalog := tools.New(tools.Options{Shell: func(fault.Lang) string { return "bash on Linux" }})
	for _, one := range catalog.Tools() {
		whole := []rune(one.DocIn(fault.English))
		begin := string(whole[:min(len(whole), shownFirst)])
		if !strings.Contains(begin+" ", ". ") {
			t.Errorf("%s: no sentence ends: %s", one.Name, begin)
		}
		for _, words := range must[one.Name] {
			if !strings.Contains(begin, words) {
				t.Errorf("%s: %q is not in %q", one.Name, words, begin)
			}
		}
		delete(must, one.Name)
	}
	if len(must) > 0 {
		t.Errorf("there is no such tool: %v", must)
	}
}

// TestServed: a host is offered files, commands and the web, and what the person added.
func TestServed(t *testing.T) {
	t.Parallel()
	usual := "read write edit patch undo ls find grep exec job websearch fetch"
	for _, c := range []struct {
		name string
		o    tools.Options
		want string
	}{
		{"nothing is set", tools.Options{}, usual},
		{"a preset", tools.Options{Presets: []tools.Preset{{Name: "remember", Of: "edit", Fixed: []byte(`{"path":"MEMORY.md"}`)}}}, usual + " remember"},
		{"disabled", tools.Options{Disabled: []string{"exec", "time"}}, strings.ReplaceAll(usual, " exec", "")},
		{"a set", tools.Options{Served: []string{"reading", "agent"}}, "read ls find grep time message spawn"},
		{"own web", tools.Options{Sets: []tools.Set{{Name: "web", Tools: []string{"fetch"}}}}, strings.ReplaceAll(usual, " websearch", "")},
	} {
		served, err := tools.New(c.o).Served()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var names []string
		for _, one := range served {
			names = append(names, one.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	all, err := tools.New(tools.Options{Served: []string{"all"}}).Served()
	if err != nil || len(all) != len(tools.Builtin()) {
		t.Errorf("all: %d tools, %v", len(all), err)
	}
	if _, err := tools.New(tools.Options{Served: []string{"codng"}}).Served(); !fault.Is(err, fault.UnknownTool) {
		t.Error(err)
	}
}

// TestTitles: each tool has a title of its own.
func TestTitles(t *testing.T) {
	t.Parallel()
	var titles []string
	for _, one := range tools.Builtin() {
		titles = append(titles, one.TitleIn(fault.English))
		if one.Title == "" || one.TitleIn(fault.Chinese) == one.Title {
			t.Errorf("%s has no title: %q, %q", one.Name, one.Title, one.TitleIn(fault.Chinese))
		}
	}
	slices.Sort(titles)
	if len(slices.Compact(titles)) != len(tools.Builtin()) {
		t.Errorf("one title for two tools: %q", titles)
	}
}
