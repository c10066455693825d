package cmd_test

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// What every request of an agent pays for the definitions is bounded. The estimate is
// within 5 % of o200k_base.
func TestDefinitionsCostLittle(t *testing.T) {
	t.Setenv("HELVE_ROOT", here(t, cmdtest.Workspace(t)))
	type bound struct {
		args string
		most float64
	}
	all := []bound{{"", 4000}, {"--toolset coding", 2500}, {"--toolset reading", 1200}, {"--strict", 4500}}
	for _, format := range dialect.Formats() { // some add titles, hints and nulls to each tool
		all = append(all, bound{"--format " + format, 4600})
	}
	for _, c := range all {
		a := inProcess(t, append([]string{"schema", "--cost", "-o", "json"}, strings.Fields(c.args)...)...)
		if n, ok := a.Data["tokens"].(float64); !ok || n*1.05 > c.most || n < c.most/2 {
			t.Errorf("schema %s: %v tokens, want at most %v", c.args, a.Data["tokens"], c.most)
		}
	}
}

// The cost of each tool is its own, and is of the format and the arguments asked for.
func TestDefinitionsCost(t *testing.T) {
	t.Setenv("HELVE_ROOT", here(t, cmdtest.Workspace(t)))
	cost := func(args ...string) (together float64, each map[string]float64) {
		a := inProcess(t, append([]string{"schema", "--cost", "-o", "json"}, args...)...)
		each = map[string]float64{}
		for _, one := range a.Data["tools"].([]any) {
			one := one.(map[string]any)
			each[one["name"].(string)] = one["tokens"].(float64)
		}
		return a.Data["tokens"].(float64), each
	}
	together, each := cost("--tools", "read,time")
	sum := each["read"] + each["time"]
	if len(each) != 2 || each["read"] < 2*each["time"] || together > sum || together < sum-10 {
		t.Errorf("%v: %v", together, each)
	}
	if full, of := cost("--tools", "read,time", "--full"); full < together+50 || of["time"] != each["time"] {
		t.Errorf("--full: %v, %v", full, of)
	}
	if strict, _ := cost("--tools", "read,time", "--strict"); strict < together+20 {
		t.Errorf("--strict: %v", strict)
	}
	if a := inProcess(t, "schema", "--cost", "--hash", "-o", "json"); a.Error.Code != "usage" {
		t.Errorf("--cost and --hash: %+v", a)
	}
}
