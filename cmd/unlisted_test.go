package cmd_test

import (
	"archive/zip"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools"
)

// A model does not see unlisted arguments. The result or error that makes one useful
// names it, or else nothing depends on it.
func TestUnlistedArguments(t *testing.T) {
	workspace := here(t, cmdtest.Workspace(t))
	t.Setenv("HELVE_ROOT", workspace)
	cmdtest.Put(t, workspace, "binary", "a\x00\x01b\n")
	cmdtest.Put(t, workspace, "long.txt", strings.Repeat("one line of many\n", 600))
	cmdtest.Put(t, workspace, "pair.txt", "one\ntwo\nthree\n")
	cmdtest.Put(t, workspace, ".ignore", "left.out\n")
	cmdtest.Put(t, workspace, "left.out", "needle\n")
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	if _, err := archive.Create("inner.txt"); err != nil || archive.Close() != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, workspace, "packed.zip", packed.String())
	for name, from := range map[string]string{"locked.xlsx": "officecrypt/testdata/agile-sha256.xlsx", "changed.odt": "odf/testdata/contract.odt", "book.xlsx": "xlsx/testdata/openpyxl.xlsx", "text.docx": "docx/testdata/pydocx-lists.docx"} {
		content, err := os.ReadFile("../pkg/document/" + from)
		if err != nil {
			t.Fatal(err)
		}
		cmdtest.Put(t, workspace, name, string(content))
	}
	named := map[string]bool{}
	for _, c := range []struct{ tool, args, names string }{
		{"read", `{"path":"binary"}`, "encoding"},
		{"read", `{"path":"packed.zip"}`, "member"},
		{"write", `{"path":"long.txt","content":"short\n"}`, "allow_shrink"},
		{"write", `{"path":"binary","content":"text\n","mode":"append"}`, "exact"},
		{"edit", `{"path":"long.txt","old_text":"of many","new_text":"of all"}`, "occurrence line_hint"},
		{"edit", `{"path":"pair.txt","old_text":"one\ntwo\nthere","new_text":"x"}`, "accept"},
		{"edit", `{"path":"pair.txt","edits":[{"old_text":"one\ntwo","new_text":"x"},{"old_text":"two\nthree","new_text":"y"}]}`, "sequential"},
		{"edit", `{"path":"book.xlsx","old_text":"nobody","new_text":"x"}`, "cells append insert_rows delete_rows"},
		{"edit", `{"path":"book.xlsx","old_text":"a","new_text":"x"}`, "sheet"},
		{"edit", `{"path":"text.docx","old_text":"nobody","new_text":"x"}`, "track"},
		{"patch", `{"patch":"@@\n-two\n+x\n"}`, "path"},
		{"ls", `{"path":".","limit":1}`, "limit"},
		{"find", `{"query":"left.out"}`, "no_ignore"},
		{"find", `{"glob":"*.txt","limit":1}`, "offset"},
		{"grep", `{"pattern":"needle"}`, "no_ignore documents"},
		{"find", `{"query":"needle no such thing","content":true}`, "documents"},
		{"read", `{"path":"locked.xlsx"}`, "password"},
		{"read", `{"path":"changed.odt"}`, "track_changes"},
		{"grep", `{"pattern":"many"}`, "offset type total"},
		{"cron_add", `{"message":"x","at":"2001-02-03T04:05"}`, "allow_past"},
	} {
		var out bytes.Buffer
		cmd.Main([]string{"-o", "text", c.tool, c.args}, strings.NewReader(""), &out, &out)
		for name := range strings.FieldsSeq(c.names) {
			named[c.tool+"."+name] = true
			if !strings.Contains(out.String(), name) {
				t.Errorf("%s %s does not name %s:\n%s", c.tool, c.args, name, out.String())
			}
		}
	}
	// A file that was read and has changed since, and a change whose file has changed.
	after := func(names string, steps ...string) {
		var out bytes.Buffer
		for _, step := range steps {
			out.Reset()
			if name, content, ok := strings.Cut(step, "="); ok && !strings.Contains(name, "{") {
				cmdtest.Put(t, workspace, name, content)
				continue
			}
			name, args, _ := strings.Cut(step, " ")
			cmd.Main([]string{"-o", "text", "--session", "s", name, args}, strings.NewReader(""), &out, &out)
		}
		last, _, _ := strings.Cut(steps[len(steps)-1], " ")
		named[last+"."+names] = true
		if !strings.Contains(out.String(), names) {
			t.Errorf("%q does not name %s:\n%s", steps, names, out.String())
		}
	}
	after("expect_sha", `read {"path":"pair.txt"}`, "pair.txt=other\n", `write {"path":"pair.txt","content":"mine\n"}`)
	after("force", `write {"path":"new.txt","content":"mine\n"}`, "new.txt=theirs\n", `undo {}`)

	// Nothing depends on these.
	const size = "the rest can be had by further calls"
	const other = "a listed argument does nearly the same"
	const check = "it only makes the call stricter"
	const cells = "models that change cells call NotebookEdit or edit_notebook, which have it"
	const policy = "the default is what most want, and a person can change it"
	needless := map[string]string{
		"read.images":    "the content shows them",
		"read.fold":      "grep finds the lines that matter in a log",
		"read.whole":     check,
		"read.file_only": check,
		"ls.itself":      "for hosts",
		"read.max_bytes": size, "read.max_tokens": size, "ls.max_tokens": size, "find.max_tokens": size,
		"grep.max_tokens": size, "grep.max_bytes": size, "grep.per_file": size, "fetch.max_tokens": size,
		"exec.max_output": "the complete output is in a file", "exec.max_tokens": "the complete output is in a file",
		"job.max_output": size, "job.max_tokens": size,
		"edit.expected_replacements": check, "edit.expect_sha": check, "edit.syntax": check, "exec.read_only": check, "exec.idle": check,
		"edit.cell": cells, "edit.mode": cells, "edit.cell_type": cells,
		"edit.insert_line": other, "ls.directory_only": check,
		"edit.dry_run": "undo takes the change back", "patch.dry_run": "undo takes the change back",
		"edit.edits.expected_replacements": check, "edit.edits.occurrence": "as edit.occurrence", "edit.edits.line_hint": "as edit.line_hint",
		"edit.edits.accept": "as edit.accept", "edit.edits.after": "more lines in old_text", "edit.edits.within": "more lines in old_text",
		"find.depth": other, "find.hidden": "hidden files are included", "find.details": "for hosts",
		"grep.exclude": other, "grep.word": other, "grep.before": other, "grep.after": other, "grep.hidden": "hidden files are included",
		"exec.argv": "a shell runs it, too", "exec.env": "the command can set variables", "exec.shell": "the description names the shell",
		"exec.notify": "for agents whose host wakes them by messages", "exec.wait": "named by the warning when it is too short", "exec.split": "the command can redirect", "exec.raw": "the complete output is in a file", "job.raw": "since=0 does the same",
		"fetch.timeout": "named by its errors, in package web", "fetch.images": "the content shows them", "fetch.links": "the content has them",
		"fetch.urls": "several calls do the same", "fetch.format": "save keeps what the server sent", "fetch.screenshot": "the content says what it shows",
		"fetch.render":           "named by the warnings of empty pages, in package page",
		"message.buttons":        "the person can write the answer",
		"cron_add.grace_seconds": policy, "cron_add.missed": policy, "cron_add.overlap": policy,
		"cron_add.timeout_seconds": policy, "cron_add.retries": policy, "cron_add.jitter_seconds": policy, "cron_add.max_runs": policy,
		"cron_add.expires_at": policy, "cron_add.deliver": policy, "cron_add.when": policy, "cron_add.on_lost": policy,
		"cron_add.channel": "the conversation's own", "cron_add.to": "the conversation's own", "cron_add.job": "a job can be removed and added",
		"spawn.agent": policy, "spawn.timeout": policy, "spawn.max_iterations": policy, "cron_add.spawn": "call does the same, with the tool spawn",
		"spawn.labels": policy, "spawn.on_lost": policy, "spawn.max_tokens": policy, "spawn.read_only": check,
		"websearch.provider": "named by its errors, in package provider", "websearch.page": "named by a full page of results",
		"websearch.kind": other, "websearch.country": "the query can name it", "websearch.language": "the query is in it",
		"websearch.fetch": "the tool fetch does the same", "websearch.max_chars": size, "websearch.max_tokens": size,
	}
	var look func(of string, o *schema.Object)
	look = func(of string, o *schema.Object) {
		for _, f := range o.Fields {
			name := of + "." + f.Name
			if f.Type.Items != nil && f.Type.Items.Object != nil {
				look(name, f.Type.Items.Object)
			}
			if known := named[name] || needless[name] != ""; known != f.Unlisted {
				t.Errorf("%s: unlisted is %v; that something names it, or why nothing need to, is %v", name, f.Unlisted, known)
			}
			delete(needless, name)
			delete(named, name)
		}
	}
	for _, one := range tools.Builtin() {
		look(one.Name, one.Arguments())
	}
	if len(named)+len(needless) > 0 {
		t.Errorf("there are no such arguments: %v, %v", named, needless)
	}
}
