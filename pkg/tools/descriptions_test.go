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
