package tool_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// Progress goes to whoever made the call, in its language, whichever project it works in;
// that of a part is a message about the whole.
func TestProgress(t *testing.T) {
	var told []string
	home := &tool.Env{Progress: func(done, total float64, message string) {
		told = append(told, fmt.Sprintf("%v/%v %s", done, total, message))
	}}
	call := &tool.Call{Home: home, Env: &tool.Env{Lang: fault.Chinese}}
	say := func(c *tool.Call) { c.Progress(5, 7, fault.T("added %s", "x")) }
	say(call)
	call.Env = home
	parts := tool.NewParts(3)
	say(parts.Of(call))
	parts.Done(call)
	say(parts.Of(call))
	say(call)
	if diff := cmp.Diff([]string{"5/7 添加于 x", "0/3 0 of 3 done; added x", "1/3 1 of 3 done", "1/3 1 of 3 done; added x", "5/7 added x"}, told); diff != "" {
		t.Error(diff)
	}
	nobody := &tool.Call{Home: &tool.Env{}, Env: home}
	say(nobody)
	if nobody.Watched() || !call.Watched() || len(told) != 5 {
		t.Errorf("%v, %v, %q", nobody.Watched(), call.Watched(), told)
	}
}
