package journal_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

func Example() {
	temp, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	project := filepath.Join(temp, "project")
	if err := os.Mkdir(project, 0o755); err != nil {
		log.Fatal(err)
	}
	root, err := workspace.Open(project, workspace.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()
	dir, err := state.Open(filepath.Join(temp, "state"), project, state.Options{})
	if err != nil {
		log.Fatal(err)
	}
	j := journal.New(dir, root.Tree(), journal.Options{})
	ctx := context.Background()

	applied, err := j.Apply(ctx, "example", "session",
		journal.Change{Op: journal.Write, Path: "doc/a.txt", Content: []byte("hello\n")},
		journal.Change{Op: journal.Write, Path: "b.txt", Content: []byte("world\n")})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range applied.Files {
		fmt.Println(f.Op, f.Path, f.After.Size)
	}

	undone, err := j.Undo(ctx, "session", journal.Selector{}, false)
	if err != nil {
		log.Fatal(err)
	}
	_, err = root.Stat(root.At("doc"))
	fmt.Println("doc is gone:", err != nil)

	if _, err := j.Undo(ctx, "session", journal.Selector{ID: undone.ID}, false); err != nil { // redo
		log.Fatal(err)
	}
	_, err = root.Stat(root.At("doc/a.txt"))
	fmt.Println("doc/a.txt is back:", err == nil)
	// Output:
	// create doc/a.txt 6
	// create b.txt 6
	// doc is gone: true
	// doc/a.txt is back: true
}
