package loop

import "testing"

func TestAsksForChange(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]bool{
		"create hello.txt": true, "Please write `src/main.go` with a server": true, "Look around.\nThen fix pkg/a.go": true,
		"rename a.txt to b.txt": true, "- update README.md": true,
		"what is in hello.txt?": false, "write a haiku": false, "Summarize report.pdf": false, "create a plan, e.g. for tests": false,
		"write about https://example.com/a.html": false, "explain how to fix main.go": false, "": false, "add 1.5 and 2": false, "write...": false,
	} {
		if asksForChange(task) != want {
			t.Errorf("%q: %v", task, !want)
		}
	}
}
