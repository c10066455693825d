package transcript

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/fault"
)

func TestRender(t *testing.T) {
	made := func(name, arguments string, code fault.Code) loop.Made {
		return loop.Made{Name: name, Arguments: json.RawMessage(arguments), OK: code == "", Code: code, Bytes: 7}
	}
	tests := map[string]struct {
		event  loop.Event
		en, zh string
	}{
		"started": {loop.Event{Kind: loop.Started, Text: "fix\nthe tests"}, "task: fix the tests\n", "任务：fix the tests\n"},
		"request": {loop.Event{Kind: loop.Requested, Iteration: 3, Tokens: 1200}, "step 3, 1200 tokens so far\n", "第 3 步，已用 1200 token\n"},
		"retry":   {loop.Event{Kind: loop.Retried, Text: "busy"}, "asking again: busy\n", "重新请求：busy\n"},
		"reply": {loop.Event{Kind: loop.Replied, Text: "One.\r\n\r\ncompleted, 5 tokens\x1b[2J\r!\n"},
			"  One.\n  \n  completed, 5 tokens\\u{1b}[2J\\u{d}!\n", "  One.\n  \n  completed, 5 tokens\\u{1b}[2J\\u{d}!\n"},
		"reply of calls alone": {loop.Event{Kind: loop.Replied, Text: " \n"}, "", ""},
		"calls": {loop.Event{Kind: loop.Called, Calls: []loop.Made{
			made("read", `{"path":"a.go","limit":20}`, ""),
			made("exec", `{"command":"go\ttest\n./... \u001b[1m","env":["A=1"]}`, fault.Timeout),
			made("odd", `[1,2]`, fault.InvalidArguments),
			made("cut", `{"a":"b`, ""),
			made("none", ``, ""),
			{Name: "x\ny"},
		}}, strings.Join([]string{
			`  read(path="a.go", limit=20): ok, 7 bytes`,
			`  exec(command="go\ttest\n./... \u001b[1m", env=["A=1"]): timeout`,
			`  odd([1,2]): invalid_arguments`,
			`  cut({"a":"b): ok, 7 bytes`,
			`  none(): ok, 7 bytes`,
			`  x y(): failed`, ""}, "\n"), strings.Join([]string{
			`  read(path="a.go", limit=20): 成功，7 字节`,
			`  exec(command="go\ttest\n./... \u001b[1m", env=["A=1"]): timeout`,
			`  odd([1,2]): invalid_arguments`,
			`  cut({"a":"b): 成功，7 字节`,
			`  none(): 成功，7 字节`,
			`  x y(): 失败`, ""}, "\n")},
		"completed": {loop.Event{Kind: loop.Ended, Status: agent.Completed, Tokens: 9, Text: "the result"}, "completed, 9 tokens\n", "已完成，9 token\n"},
		"incomplete": {loop.Event{Kind: loop.Ended, Status: agent.Incomplete, Reason: agent.ByIterations},
			"incomplete (iterations), 0 tokens\n", "未完成 (iterations)，0 token\n"},
		"failed": {loop.Event{Kind: loop.Ended, Status: agent.Failed, Reason: agent.ByModel, Error: "bad\x07 key"},
			"failed (model: bad key), 0 tokens\n", "失败 (model: bad key)，0 token\n"},
		"program": {loop.Event{Kind: loop.Printed, Text: "50 %\n"}, "  50 %\n", "  50 %\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff([]string{test.en, test.zh}, []string{Render(test.event, fault.English), Render(test.event, fault.Chinese)}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A call of any size is one short line.
func TestRenderIsShort(t *testing.T) {
	long := strings.Repeat("漢字", 1<<20)
	text := Render(loop.Event{Kind: loop.Called, Calls: []loop.Made{{Name: long, OK: true,
		Arguments: json.RawMessage(`{"` + long + `":"` + long + `","b":"` + long + `","c":"` + long + `"}`)}}}, fault.English)
	if n := len([]rune(text)); n > 400 || strings.Count(text, "\n") != 1 {
		t.Errorf("%d characters", n)
	}
}
