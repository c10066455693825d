package loop

import (
	"strings"
	"testing"
)

func TestVerdict(t *testing.T) {
	tests := []struct {
		answer string
		want   verdict
		rest   string
		alone  bool
	}{
		{"FINISHED\nthe result", done, "the result", true},
		{"\n\n**FINISHED**\n\nthe result\n", done, "the result", true},
		{"# FINISHED\n- a\n- b", done, "- a\n- b", true},
		{"`FINISHED`: all", done, "all", false},
		{"FINISHED — all", done, "all", false},
		{"FINISHED. No errors are left.", done, "No errors are left.", false},
		{"FINISHED: No, two tests fail", notDone, "FINISHED: No, two tests fail", false},
		{"**FINISHED**: not yet", notDone, "**FINISHED**: not yet", false},
		{"FINISHED\nNo errors are left.", done, "No errors are left.", true},
		{"FINISHED.", done, "", true},
		{"FINISHED: no", notDone, "FINISHED: no", false},
		{"FINISHED: partially", notDone, "FINISHED: partially", false},
		{"FINISHED? No", silent, "FINISHED? No", false},
		{"FINISHEDX", silent, "FINISHEDX", false},
		{"FINISHED_AT=3", silent, "FINISHED_AT=3", false},
		{"Finished the first half", silent, "Finished the first half", false},
		{"not FINISHED", silent, "not FINISHED", false},
		{"NOT FINISHED", silent, "NOT FINISHED", false},
		{"the tests: FINISHED", silent, "the tests: FINISHED", false},
		{"UNFINISHED\nhalf", notDone, "half", true},
		{"> **UNFINISHED:** half", notDone, "half", false},
		{"UNFINISHED", notDone, "", true},
		{"", silent, "", false},
	}
	for _, test := range tests {
		v, rest, alone := verdictOf(test.answer)
		if v != test.want || rest != test.rest || alone != test.alone {
			t.Errorf("%q: got %d %q %v, want %d %q %v", test.answer, v, rest, alone, test.want, test.rest, test.alone)
		}
	}
}

func FuzzVerdict(f *testing.F) {
	f.Add("**FINISHED**: no")
	f.Add("\xffUNFINISHED\xff")
	f.Fuzz(func(t *testing.T, answer string) {
		v, rest, _ := verdictOf(answer)
		if !strings.Contains(answer, rest) {
			t.Errorf("%q has no %q", answer, rest)
		}
		before, _, found := strings.Cut(answer, finished)
		if v == done && (!found || strings.ContainsFunc(before, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' })) {
			t.Errorf("%q counts as finished", answer)
		}
	})
}

func TestPrompt(t *testing.T) {
	data := PromptData{Workspace: "/w/{date}", Date: "Monday, 2026-01-05", System: "linux/amd64", Shell: "/bin/bash"}
	own := Prompt(data)
	for _, want := range []string{"/w/{date}", data.Date, data.System, data.Shell, unfinished} {
		if !strings.Contains(own, want) {
			t.Errorf("nothing of %s in:\n%s", want, own)
		}
	}
	for _, name := range []string{"{workspace}", "{system}", "{shell}"} {
		if strings.Contains(own, name) {
			t.Errorf("%s is left", name)
		}
	}
	data.Text = "In {workspace} on {system}, {other} {date"
	if got, want := Prompt(data), "In /w/{date} on linux/amd64, {other} {date"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	data.Text = " \n"
	if Prompt(data) != own {
		t.Error("an empty file leaves sub-agents without a prompt")
	}
}
