// Package skill writes the tools as an Agent Skill: a SKILL.md with which an agent that
// has nothing but a shell uses helve (https://agentskills.io/specification).
package skill

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// Name is the name of the skill, and of the directory that the file must be in.
const Name = "helve"

// File is the name of the file.
const File = "SKILL.md"

// description says when an agent takes up the skill; the specification allows 1,024
// characters.
func description() fault.Text {
	return fault.T("Reads, searches, edits and undoes changes of files, runs commands in a sandbox and reads web pages, with the command helve. " +
		"Use it in place of cat, sed, grep, find, rm, mv, cp and curl whenever you work on files from a shell, or when a call of helve fails or needs an approval.")
}

// Text returns the file for some tools, in a language. The same tools make the same
// bytes.
func Text(tools []*tool.Tool, lang fault.Lang) string {
	w := &writer{tools: tools, lang: lang}
	w.line("---")
	w.line("name: " + Name)
	w.line("description: " + description().In(lang))
	w.line("license: MIT")
	w.line("compatibility: " + fault.T("Needs the program helve and a shell in the workspace.").In(lang))
	w.line("---")
	w.line("")
	w.line("# helve")
	w.say(fault.T("One command is one call: arguments in, one JSON document out. Paths stay inside the workspace, every change of a file can be undone, and an error says what to do next."))
	w.calling()
	w.commands()
	w.answers()
	w.approval()
	return w.b.String()
}

type writer struct {
	b     strings.Builder
	tools []*tool.Tool
	lang  fault.Lang
}

func (w *writer) line(s string) { w.b.WriteString(s + "\n") }

// say writes a paragraph.
func (w *writer) say(t fault.Text) { w.line(""); w.line(t.In(w.lang)) }

// item writes an item of a list.
func (w *writer) item(t fault.Text) { w.line("- " + t.In(w.lang)) }

func (w *writer) title(t fault.Text) { w.line(""); w.line("## " + t.In(w.lang)) }

// shell writes commands.
func (w *writer) shell(commands ...string) {
	w.line("")
	w.line("```sh")
	for _, c := range commands {
		w.line(c)
	}
	w.line("```")
}

// has reports whether a tool is among the tools.
func (w *writer) has(name string) bool { return w.find(name) != nil }

func (w *writer) find(name string) *tool.Tool {
	for _, t := range w.tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

func (w *writer) calling() {
	w.title(fault.T("How to call"))
	w.say(fault.T("Give the arguments as JSON on standard input. Quote the delimiter, so that the shell changes nothing in them:"))
	for _, name := range []string{"edit", "read", "grep"} {
		if t := w.find(name); t != nil {
			w.shell(heredoc(name, t.Examples[0].Args))
			break
		}
	}
	if short := w.short(); short != "" {
		w.say(fault.T("Short arguments need no JSON: %s. A flag is the name of an argument: `--max-bytes 9000`.", short))
	}
	if w.has("write") {
		w.say(fault.T("The content of a file comes as it is:"))
		w.shell("helve write notes/today.md <<'EOF'\n# Today\nEOF")
	}
	w.say(fault.T("Paths are relative to the root of the workspace. `-o text` prints a shorter result to read. Give all calls of a conversation the same `--session NAME`: helve then knows which files you have read."))
}

// short lists the calls that need no names, in the order of the tools.
func (w *writer) short() string {
	var calls []string
	for _, t := range w.tools {
		if t.DefaultArg != "" {
			calls = append(calls, "`helve "+t.Command()+" "+strings.ToUpper(strings.Join(append([]string{t.DefaultArg}, t.Further...), " "))+"`")
		}
	}
	return strings.Join(calls, ", ")
}

func (w *writer) commands() {
	w.title(fault.T("Which command"))
	w.say(fault.T("`helve NAME --help` shows all arguments; `?` marks those that may be left out."))
	w.line("")
	for _, t := range w.tools {
		w.line("- **" + t.Name + "** " + arguments(t) + ": " + t.Summary(w.lang))
	}
	w.say(fault.T("One call of each:"))
	var calls []string
	for _, t := range w.tools {
		if len(t.Examples) > 0 {
			calls = append(calls, typed(t, w.lang))
		}
	}
	w.shell(calls...)
}

// arguments lists the first arguments of a tool, which are those that are used most.
func arguments(t *tool.Tool) string {
	const shown = 6
	var all []string
	o := t.Schema()
	for i := range o.Fields {
		f := &o.Fields[i]
		if f.Unlisted {
			continue
		}
		if len(all) == shown {
			all = append(all, "…")
			break
		}
		name := "`" + f.Name + "`"
		if !f.Required {
			name += "?"
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

// typed returns the first example of a tool as it is typed.
func typed(t *tool.Tool, lang fault.Lang) string {
	e := t.Examples[0]
	switch {
	case e.Args == "{}":
		return "helve " + t.Command() + "  # " + e.DocIn(lang)
	case strings.ContainsAny(e.Args, `'\`):
		return "# " + e.DocIn(lang) + "\n" + heredoc(t.Command(), e.Args)
	}
	return "helve " + t.Command() + " '" + e.Args + "'  # " + e.DocIn(lang)
}

// heredoc returns the call of a tool with JSON on standard input, as a shell takes it
// without changing anything.
func heredoc(name, arguments string) string {
	return "helve " + name + " <<'JSON'\n" + arguments + "\nJSON"
}

func (w *writer) answers() {
	w.title(fault.T("Answers"))
	w.line("")
	w.item(fault.T("`{\"ok\":true,\"data\":{…}}`, exit 0. Read `warnings`, if there are any."))
	w.item(fault.T("`{\"ok\":false,\"error\":{\"code\",\"message\",\"hint\",\"details\"}}`: do what `hint` says; `details` has what the next call needs. Repeat the same call only if `retryable` is true."))
	w.item(fault.T("Exit 1: the tool could not; look again. 2: the call is wrong, and every fault is listed. 3: refused; ask the user. 4: a person must decide. 5: something is not configured here. 6: the network or a timeout."))
	w.item(fault.T("`truncated` with `next_offset`: go on with `offset`."))
	if w.has("exec") {
		w.item(fault.T("`exec` exits 0 if the command ran at all; its own status is `data.exit_code`. Each call is a new shell; changes of files are in `data.changes`. With `background`, follow it with `helve job`."))
	}
	if w.has("undo") {
		w.item(fault.T("A result with `undo_id` can be taken back: `helve undo`. `helve history` lists the changes."))
	}
	if w.has("read") && w.has("edit") {
		w.item(fault.T("Read a file before you edit it, and copy `old_text` from it exactly. `text_not_found` comes with the closest places."))
	}
}

func (w *writer) approval() {
	w.title(fault.T("Approvals"))
	w.say(fault.T("The code `approval_required` (exit 4) means that a person must decide. Show the user `details.approval.preview` and its id, and wait. The user runs `helve approve ID` or `helve deny ID`; `helve approve` makes the call and prints its result. " +
		"You can fetch that result by repeating the same call with `--approval ID`. You cannot approve by yourself; do not reach the same end by another way."))
	w.say(fault.T("`denied`, `rejected` and `protected_path` are final: tell the user, and go on without it."))
}
