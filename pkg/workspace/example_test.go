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

	written, err := root.WriteFile("src/main.go", []byte("package main\n"), workspace.WriteOptions{Parents: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(written.Path, written.Dirs)

	_, err = root.Open("src/../../etc/passwd")
	fmt.Println(fault.As(err).Code)
	_, err = root.WriteFile("Secrets/key", nil, workspace.WriteOptions{Parents: true})
	fmt.Println(fault.As(err).Code)
	_, err = root.Open("src/mian.go")
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
