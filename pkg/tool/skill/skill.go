// Package skill writes the tools as an Agent Skill: a SKILL.md with which an agent that
// has nothing but a shell uses helve (https://agentskills.io/specification).
package skill

import (
	"fmt"
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
func description() words {
	return words{"Reads, searches, edits and undoes changes of files, runs commands in a sandbox and reads web pages, with the command helve. " +
		"Use it in place of cat, sed, grep, find, rm, mv, cp and curl whenever you work on files from a shell, or when a call of helve fails or needs an approval.",
		"使用 helve 命令读取、搜索、编辑文件并撤销改动，在沙箱中运行命令，读取网页。在 shell 中处理文件时用它代替 cat、sed、grep、find、rm、mv、cp 和 curl；helve 调用失败或需要批准时也请使用。"}
}

// Text returns the file for some tools, in a language. The same tools make the same
// bytes.
func Text(tools []*tool.Tool, lang fault.Lang) string {
	w := &writer{tools: tools, lang: lang}
	w.line("---")
	w.line("name: " + Name)
	w.line("description: " + description().in(lang))
	w.line("license: MIT")
	w.line("compatibility: " + words{"Needs the program helve and a shell in the workspace.", "需要 helve 程序，以及位于工作区中的 shell。"}.in(lang))
	w.line("---")
	w.line("")
	w.line("# helve")
	w.say(words{"One command is one call: arguments in, one JSON document out. Paths stay inside the workspace, every change of a file can be undone, and an error says what to do next.",
		"一条命令就是一次调用：输入参数，输出一个 JSON 文档。路径不会离开工作区，文件的每次改动都可撤销，错误会说明下一步该做什么。"})
	w.calling()
	w.commands()
	w.answers()
	w.approval()
	return w.b.String()
}

// words is a text in both languages.
type words struct{ en, zh string }

func (t words) in(lang fault.Lang) string {
	if lang == fault.Chinese {
		return t.zh
	}
	return t.en
}

type writer struct {
	b     strings.Builder
	tools []*tool.Tool
	lang  fault.Lang
}

func (w *writer) line(s string) { w.b.WriteString(s + "\n") }

// say writes a paragraph.
func (w *writer) say(t words) { w.line(""); w.line(t.in(w.lang)) }

// item writes an item of a list.
func (w *writer) item(t words) { w.line("- " + t.in(w.lang)) }

func (w *writer) title(t words) { w.line(""); w.line("## " + t.in(w.lang)) }

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
	w.title(words{"How to call", "如何调用"})
	w.say(words{"Give the arguments as JSON on standard input. Quote the delimiter, so that the shell changes nothing in them:",
		"从标准输入以 JSON 给出参数。请给分界符加引号，这样 shell 不会改动其中的内容："})
	for _, name := range []string{"edit", "read", "grep"} {
		if t := w.find(name); t != nil {
			w.shell(Heredoc(name, t.Examples[0].Args))
			break
		}
	}
	if short := w.short(); short != "" {
		w.say(words{fmt.Sprintf("Short arguments need no JSON: %s. A flag is the name of an argument: `--max-bytes 9000`.", short), fmt.Sprintf("简短的参数无需 JSON：%s。选项就是参数名：`--max-bytes 9000`。", short)})
	}
	if w.has("write") {
		w.say(words{"The content of a file comes as it is:", "文件内容按原样给出："})
		w.shell("helve write notes/today.md <<'EOF'\n# Today\nEOF")
	}
	w.say(words{"Paths are relative to the root of the workspace. `-o text` prints a shorter result to read. Give all calls of a conversation the same `--session NAME`: helve then knows which files you have read.",
		"路径相对于工作区根目录。`-o text` 输出更简短、便于阅读的结果。请为同一对话的所有调用给出相同的 `--session 名称`，helve 便知道你读过哪些文件。"})
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
	w.title(words{"Which command", "使用哪个命令"})
	w.say(words{"`helve NAME --help` shows all arguments; `?` marks those that may be left out.", "`helve 名称 --help` 显示全部参数；`?` 表示可省略。"})
	w.line("")
	for _, t := range w.tools {
		w.line("- **" + t.Name + "** " + arguments(t) + ": " + t.Summary(w.lang))
	}
	w.say(words{"One call of each:", "各举一例："})
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
		return "# " + e.DocIn(lang) + "\n" + Heredoc(t.Command(), e.Args)
	}
	return "helve " + t.Command() + " '" + e.Args + "'  # " + e.DocIn(lang)
}

// Heredoc returns the call of a tool with JSON on standard input, as a shell takes it
// without changing anything.
func Heredoc(name, arguments string) string {
	return "helve " + name + " <<'JSON'\n" + arguments + "\nJSON"
}

func (w *writer) answers() {
	w.title(words{"Answers", "结果"})
	w.line("")
	w.item(words{"`{\"ok\":true,\"data\":{…}}`, exit 0. Read `warnings`, if there are any.", "`{\"ok\":true,\"data\":{…}}`，退出状态为 0。若有 `warnings`，请阅读。"})
	w.item(words{"`{\"ok\":false,\"error\":{\"code\",\"message\",\"hint\",\"details\"}}`: do what `hint` says; `details` has what the next call needs. Repeat the same call only if `retryable` is true.",
		"`{\"ok\":false,\"error\":{\"code\",\"message\",\"hint\",\"details\"}}`：按 `hint` 去做；`details` 含下一次调用所需的内容。仅当 `retryable` 为 true 时才重复同一调用。"})
	w.item(words{"Exit 1: the tool could not; look again. 2: the call is wrong, and every fault is listed. 3: refused; ask the user. 4: a person must decide. 5: something is not configured here. 6: the network or a timeout.",
		"退出状态 1：工具无法完成，请重新查看。2：调用有误，会列出每一处错误。3：被拒绝，请询问用户。4：需由人决定。5：此处缺少配置。6：网络或超时。"})
	w.item(words{"`truncated` with `next_offset`: go on with `offset`.", "出现 `truncated` 和 `next_offset` 时：用 `offset` 继续。"})
	if w.has("exec") {
		w.item(words{"`exec` exits 0 if the command ran at all; its own status is `data.exit_code`. Each call is a new shell; changes of files are in `data.changes`. With `background`, follow it with `helve job`.",
			"只要命令得以运行，`exec` 就以 0 退出；命令自身的状态在 `data.exit_code`。每次调用都是新的 shell；文件改动在 `data.changes` 中。使用 `background` 时，用 `helve job` 跟踪。"})
	}
	if w.has("undo") {
		w.item(words{"A result with `undo_id` can be taken back: `helve undo`. `helve history` lists the changes.", "带有 `undo_id` 的结果可以撤销：`helve undo`。`helve history` 列出改动。"})
	}
	if w.has("read") && w.has("edit") {
		w.item(words{"Read a file before you edit it, and copy `old_text` from it exactly. `text_not_found` comes with the closest places.",
			"编辑前先读取文件，并原样复制 `old_text`。`text_not_found` 会附上最接近的位置。"})
	}
}

func (w *writer) approval() {
	w.title(words{"Approvals", "批准"})
	w.say(words{"The code `approval_required` (exit 4) means that a person must decide. Show the user `details.approval.preview` and its id, and wait. The user runs `helve approve ID` or `helve deny ID`; `helve approve` makes the call and prints its result. " +
		"You can fetch that result by repeating the same call with `--approval ID`. You cannot approve by yourself; do not reach the same end by another way.",
		"代码 `approval_required`（退出状态 4）表示需由人决定。请向用户展示 `details.approval.preview` 及其 id，然后等待。用户运行 `helve approve ID` 或 `helve deny ID`；`helve approve` 会执行该调用并输出结果。" +
			"你可以加上 `--approval ID` 重复同一调用来取得结果。你不能自行批准；也不要用其他方式达到同样的目的。"})
	w.say(words{"`denied`, `rejected` and `protected_path` are final: tell the user, and go on without it.", "`denied`、`rejected` 和 `protected_path` 不可更改：请告知用户，并在没有它的情况下继续。"})
}
