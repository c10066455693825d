package exec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/tool"
)

// While a command runs, whoever waits hears the line that it printed last.
func TestProgress(t *testing.T) {
	call, dir := world(t, config.Exec{Sandbox: "none"})
	var told []string
	call.Env.Progress = func(_, _ float64, message string) {
		told = append(told, message)
		if message == "half" { // the command waits for this
			if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
	j, r := judged(t, call, Args{Command: `echo first; printf 'all\r\033[31mhalf\033[m\n\n'; until [ -e go ]; do sleep 0.01; done; echo last`, Timeout: 60, MaxOutput: 1000})
	call.Judgement = j
	result, err := execute(t.Context(), call, r)
	if err != nil || !strings.HasSuffix(result.Output, "last\n") {
		t.Fatalf("%v: %q", err, result.Output)
	}
	if n := len(told); n < 2 || told[n-1] != "last" || told[n-2] != "half" {
		t.Errorf("%q", told)
	}
}

func TestSpeaking(t *testing.T) {
	var told []string
	call := &tool.Call{Env: &tool.Env{}}
	call.Home = &tool.Env{Progress: func(_, _ float64, message string) { told = append(told, message) }}
	s := speaking{call: call}
	long := strings.Repeat("a", lineBytes-1) + "éé"
	for _, piece := range []string{"", "\n \n", "one\ntw", "o\n", "\n\n", "\x1b[2Jthree \a", "\n5 %\r20 %\r", "\n" + long + "\n", strings.Repeat("x", 5000) + "\nend", "\xff"} {
		s.write(run.Chunk{Data: []byte(piece)})
	}
	want := []string{"tw", "two", "two", "three", "20 %", long[:lineBytes-1], "end", "end\uFFFD"}
	if d := cmp.Diff(want, told); d != "" {
		t.Error(d)
	}
	if len(s.tail) > 4*lineBytes || s.printed < 5000 {
		t.Errorf("%d bytes of %d", len(s.tail), s.printed)
	}
}
