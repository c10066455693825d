package classify_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/shell/classify"
)

func ExampleClassify() {
	o := classify.Options{Root: "/src/project", Home: "/home/ann"}
	for _, command := range []string{
		"grep -rn 'rm -rf' docs | head",
		"go test ./...",
		`r''m -r build`,
		"echo hi > ~/.bashrc",
		"rm -rf /",
	} {
		v := classify.Classify(command, o)
		fmt.Printf("%-30s %-11s %v denied=%t\n", command, v.Risk, v.Flags, v.HardDeny)
	}
	// Output:
	// grep -rn 'rm -rf' docs | head  read        [] denied=false
	// go test ./...                  write       [opaque] denied=false
	// r''m -r build                  destructive [] denied=false
	// echo hi > ~/.bashrc            destructive [protected_path] denied=false
	// rm -rf /                       destructive [hard_deny outside_workspace] denied=true
}

func ExampleArgv() {
	v := classify.Argv([]string{"sh", "-c", "cat notes | tee /etc/motd"}, classify.Options{Root: "/src/project"})
	for _, c := range v.Commands {
		fmt.Printf("%q %s\n", c.Argv, c.Risk)
	}
	fmt.Println(v.Written, v.Reasons[len(v.Reasons)-1])
	// Output:
	// ["sh" "-c" "cat notes | tee /etc/motd"] destructive
	// ["cat" "notes"] read
	// ["tee" "/etc/motd"] destructive
	// [/etc/motd] /etc/motd is outside the workspace
}
