package workspace_test

import (
	"fmt"
	"log"
	"os"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	root, err := workspace.Open(dir, workspace.Options{Protected: []string{"secrets"}})
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()

	path, err := root.Clean("src/./main.go")
	if err != nil {
		log.Fatal(err)
	}
	written, err := root.WriteFile(path, []byte("package main\n"), workspace.WriteOptions{Parents: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(path, written.Dirs)

	_, err = root.Clean("src/../../etc/passwd")
	fmt.Println(fault.As(err).Code)
	_, err = root.WriteFile(root.At("Secrets/key"), nil, workspace.WriteOptions{Parents: true})
	fmt.Println(fault.As(err).Code)
	_, err = root.Open(root.At("src/mian.go"))
	fmt.Println(fault.As(err).Hint)
	// Output:
	// src/main.go [src]
	// outside_workspace
	// protected_path
	// did you mean src/main.go?
}

func ExampleWithin() {
	fmt.Println(workspace.Within("src/main.go", "src"))
	fmt.Println(workspace.Within("src", "src"))
	fmt.Println(workspace.Within("src-old/main.go", "src"))
	fmt.Println(workspace.Within("src/../main.go", "src"))
	fmt.Println(workspace.Within("src/..main.go", "src"))
	// Output:
	// true
	// true
	// false
	// false
	// true
}
