// Package answers has calls of the tools for files whose answers, as a model reads them, are
// measured in tokens. How a tool is called, and how tokens are counted, is the caller's
// business.
package answers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Call runs a tool with JSON arguments in a directory, and returns its text.
type Call func(dir, tool, args string) (string, error)

// Row is a call, of which the file was read before.
type Row struct {
	Name string
	Tool string
	Args map[string]any
	Says []string // parts of the answer: what the model does not know, and needs
	// Peer counts the tokens (o200k_base) of Claude Code's answer to the same. Ours may have
	// twice as many, or Most.
	Peer, Most int
}

// Limit returns how many tokens the answer may have.
func (r *Row) Limit() int {
	if r.Most > 0 {
		return r.Most
	}
	return 2 * r.Peer
}

// File is the name of the file that the rows are about.
const File = "shop.go"

// Content returns its text: forty functions of five lines.
func Content() string {
	var b strings.Builder
	b.WriteString("package shop\n\nimport \"fmt\"\n")
	for i := range 40 {
		fmt.Fprintf(&b, "\nfunc item%d(price int) string {\n%s\treturn fmt.Sprintf(\"%%d\", total)\n}\n", i, total(i))
	}
	return b.String()
}

func total(i int) string { return fmt.Sprintf("\ttotal := price * %d\n", i) }

func raised(i int) string { return fmt.Sprintf("\ttotal := price*%d + 1\n", i) }

// Rows returns the calls.
func Rows() []Row {
	edit := func(i int) map[string]any { return map[string]any{"old_text": total(i), "new_text": raised(i)} }
	one := edit(3)
	one["path"] = File
	var hunks strings.Builder
	for i := range 10 {
		fmt.Fprintf(&hunks, "@@\n func item%d(price int) string {\n-%s+%s", 3*i, total(3*i), raised(3*i))
	}
	return []Row{
		{Name: "edit one line", Tool: "edit", Args: one, Says: []string{"line 21"}, Peer: 14},
		{
			Name: "3 edits", Tool: "edit", Args: map[string]any{"path": File, "edits": []any{edit(4), edit(8), edit(9)}},
			Says: []string{"3 places", "26, 46, 51"}, Peer: 17,
		},
		{Name: "new file", Tool: "write", Args: map[string]any{"path": "new.go", "content": "package shop\n\nvar x = 1\n"}, Says: []string{"created"}, Peer: 11},
		{
			Name: "overwrite with one line more", Tool: "write", Args: map[string]any{"path": File, "content": Content() + "// end\n"},
			Says: []string{"overwrote", "204 lines"}, Peer: 14,
		},
		{
			Name: "replace_all of 40 places", Tool: "edit",
			Args: map[string]any{"path": File, "old_text": `fmt.Sprintf("%d", total)`, "new_text": "strconv.Itoa(total)", "replace_all": true},
			Says: []string{"40 places", "7, 12"}, Peer: 22,
		},
		{
			Name: "10 hunks", Tool: "patch", Args: map[string]any{"patch": "*** Begin Patch\n*** Update File: " + File + "\n" + hunks.String() + "*** End Patch\n"},
			Says: []string{"10 places", "6, 21"}, Peer: 12,
		},
		{Name: "read of 20 lines", Tool: "read", Args: map[string]any{"path": File, "limit": 20}, Says: []string{"lines 1-20 of 203", total(2)}, Peer: 101},
		{
			Name: "a miss", Tool: "edit",
			Args: map[string]any{"path": File, "old_text": "\ttotal := prise * 7\n\treturn fmt.Sprint(total)\n", "new_text": "\treturn price * 7\n"},
			Says: []string{"lines 41-42", `accept "c1:`, total(7) + "\treturn fmt.Sprintf(\"%d\", total)\n"}, Peer: 31, Most: 130,
		},
	}
}

// Put makes the file in an empty directory, and reads it.
func Put(dir string, call Call) error {
	if err := os.WriteFile(filepath.Join(dir, File), []byte(Content()), 0o600); err != nil {
		return err
	}
	_, err := call(dir, "read", `{"path":"`+File+`"}`)
	return err
}

// Run makes the call of a row in an empty directory, and returns the answer.
func (r *Row) Run(dir string, call Call) (string, error) {
	if err := Put(dir, call); err != nil {
		return "", err
	}
	args, err := json.Marshal(r.Args)
	if err != nil {
		return "", err
	}
	return call(dir, r.Tool, string(args))
}
