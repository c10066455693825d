package classify

import (
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/policy"
)

// TestScratch has the workspace in a directory that the sandbox replaces by its own: what
// lies beside the workspace is not in it.
func TestScratch(t *testing.T) {
	for _, root := range []string{"/tmp/ws", "/tmp/a/ws", "/opt/ws"} {
		o := Options{Root: root, Scratch: []string{"/tmp"}}
		for command, want := range map[string]policy.Risk{
			"echo > /tmp/x": Write, "echo > x": Write, "cd sub && echo > ../x": Destructive, "echo > ../x": Destructive, "cd .. && echo > x": Destructive,
			"cd /tmp/y; echo > x": Write, "echo > ../ws/x": Write, "touch ../x": Destructive, "cp f ../x": Destructive, "cat ../x": Read, "mktemp -p /tmp": Write,
			"echo > " + path.Dir(root) + "/x": map[bool]policy.Risk{true: Write, false: Destructive}[root == "/tmp/ws"],
		} {
			if v := Classify(command, o); v.Risk != want {
				t.Errorf("%s in %s is %s, want %s: %v", command, root, v.Risk, want, v.Reasons)
			}
		}
	}
}

// TestNames has what a command names as it is written.
func TestNames(t *testing.T) {
	var all []string
	o := world
	o.Names = func(written string, dirs []string) { all = append(all, written) }
	Classify("./run a/../b --file=c -Id x=y https://h/../p 2> e < f; ls $g/../h", o)
	want := []string{"e", "f", "./run", "a/../b", "c", "d", "x=y", "y", "\x00/../h"}
	if d := cmp.Diff(want, all); d != "" {
		t.Error(d)
	}
}
