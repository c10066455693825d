package classify

import (
	"strings"
	"testing"
)

// TestCostly judges commands that are made to take time or stack.
func TestCostly(t *testing.T) {
	const n = 60_000
	for name, command := range map[string]string{
		"parentheses":   strings.Repeat("(", 100_000),
		"substitutions": strings.Repeat("$(", n/2),
		"closed":        strings.Repeat("(", 50_000) + "ls" + strings.Repeat(")", 50_000),
		"quoted":        strings.Repeat("(')'", n/4),
		"braces":        strings.Repeat("{a,", n/3),
		"stages":        strings.Repeat("a;", n/2) + "a",
		"pipes":         strings.Repeat("a|", n/2) + "a",
		"and":           strings.Repeat("a&&", n/3) + "a",
		"if":            strings.Repeat("if ", n/3),
		"not":           strings.Repeat("! ", n/2) + "a",
		"unary":         "echo $((" + strings.Repeat("!", n) + "1))",
		"ternary":       "echo $((" + strings.Repeat("1?1:", n/4) + "1))",
		"documents":     strings.Repeat("cat <<E;", n/8),
		"directories":   strings.Repeat("cd a;", n/5),
		"assignments":   strings.Repeat("a=$b ", n/5),
		"time":          strings.Repeat("time ", n/5) + "ls",
		"backquotes":    strings.Repeat("`a", n/2),
		"dollars":       strings.Repeat("${a:-", n/5),
	} {
		v := Classify(command, world)
		for _, why := range v.Reasons {
			if strings.Contains(why.String(), "could not be analyzed") {
				t.Errorf("%s: %s", name, why)
			}
		}
		if len(command) > 65_536 && v.Risk != Destructive {
			t.Errorf("%s: %s", name, v.Risk)
		}
	}
}

func BenchmarkTypical(b *testing.B) {
	for b.Loop() {
		Classify("git diff HEAD~1 -- src | head -50", world)
	}
}

func BenchmarkNested(b *testing.B) {
	command := strings.Repeat("(", 50_000) + strings.Repeat(")", 50_000)
	for b.Loop() {
		Classify(command, world)
	}
}
