package classify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// launcher is a program that starts another one, named by its operands.
type launcher struct {
	name     string
	opts     options // the ones that change nothing about what runs
	operands int     // how many operands come before the command
	assigns  bool    // name=value words come before the command
	digits   bool    // takes -N
	flag     Flag
}

// launchers is sorted by name.
var launchers = [...]launcher{
	{name: "busybox", opts: options{}},
	{name: "caffeinate", opts: options{"disut:w:", ""}},
	{name: "catchsegv", opts: options{}},
	{name: "chronic", opts: options{"ve", ""}},
	{name: "chrt", opts: options{"bfiormva", "batch fifo idle other rr"}, operands: 1},
	{name: "env", opts: options{"i0vu:", "ignore-environment null unset= debug block-signal? default-signal? ignore-signal?"}, assigns: true},
	{name: "flock", opts: options{"snuxeoE:w:F", "shared nonblock unlock exclusive close conflict-exit-code= timeout= no-fork verbose"}, operands: 1},
	{name: "gtime", opts: options{"pvqaf:", "portability verbose quiet append format="}},
	{name: "gtimeout", opts: options{"fpvk:s:", "foreground preserve-status verbose kill-after= signal="}, operands: 1},
	{name: "ionice", opts: options{"c:n:t", "class= classdata= ignore"}},
	{name: "nice", opts: options{"n:", "adjustment="}, digits: true},
	{name: "nohup", opts: options{}},
	{name: "setarch", opts: options{"BFILRSTXZv", "addr-no-randomize"}, operands: 1},
	{name: "setsid", opts: options{"cfw", "ctty fork wait"}, flag: Background},
	{name: "stdbuf", opts: options{"i:o:e:", "input= output= error="}},
	{name: "taskset", opts: options{"ac", "all-tasks cpu-list"}, operands: 1},
	{name: "time", opts: options{"pvqaf:", "portability verbose quiet append format="}},
	{name: "timeout", opts: options{"fpvk:s:", "foreground preserve-status verbose kill-after= signal="}, operands: 1},
	{name: "unbuffer", opts: options{"p", ""}},
	{name: "watch", opts: options{"bcdegn:ptqwxC", "beep color differences? errexit chgexit interval= precise no-title no-wrap exec"}},
}

// wrapper judges programs that start other programs, and reports whether name
// is one.
func (a *analysis) wrapper(name string, argv []word.Word, c context) bool {
	args := argv[1:]
	switch name {
	case "xargs", "gxargs":
		a.xargs(args, c)
		return true
	case "sudo", "su", "doas", "pkexec", "runuser", "chroot", "nsenter", "unshare", "setpriv", "capsh", "bwrap", "firejail",
		"systemd-run", "systemd-nspawn", "newgrp", "sg", "machinectl", "fakeroot", "proot", "runas", "setuidgid", "gosu":
		a.raise(Destructive, Privilege, fault.T("%s runs commands with other rights or in another namespace", "%s 会以其他权限或在其他命名空间中运行命令", name))
		return true
	case "parallel", "script", "expect", "entr", "ltrace", "strace", "gdb", "lldb", "perf", "valgrind", "tmux", "screen", "dtach",
		"start-stop-daemon", "daemonize", "ssh-agent", "dbus-run-session", "xvfb-run", "rlwrap", "socat", "watchexec", "nodemon", "direnv", "torsocks", "proxychains":
		a.raise(Destructive, Obfuscated, fault.T("%s runs commands that cannot be followed", "%s 会运行无法追踪的命令", name))
		return true
	}
	i, ok := slices.BinarySearchFunc(launchers[:], name, func(l launcher, name string) int { return strings.Compare(l.name, name) })
	if !ok {
		return false
	}
	l := launchers[i]
	if l.flag != "" {
		a.raise(Write, l.flag, fault.T("%s may leave a process behind", "%s 可能会留下后台进程", name))
	}
	rest, ok := a.behindOptions(l, args, c)
	if !ok {
		return true
	}
	if name == "watch" || name == "flock" && len(rest) > 1 && rest[1].Text == "-c" {
		a.shellWords(name, rest, c)
		return true
	}
	rest = a.behindOperands(l, rest)
	if len(rest) > 0 {
		a.command(rest, c)
	}
	return true
}

// behindOptions gives the words behind the options of a launcher.
func (a *analysis) behindOptions(l launcher, args []word.Word, c context) ([]word.Word, bool) {
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.MayBeOption():
			a.strangeOption(l.name, w)
			return nil, false
		case w.Text == "--":
			return args[i+1:], true
		case w.Text == "-" && l.name == "env":
			continue
		case len(w.Text) < 2 || w.Text[0] != '-':
			return args[i:], true
		case l.digits && strings.Trim(w.Text[1:], "0123456789") == "":
			continue
		case l.name == "env" && (w.Text == "-S" || strings.HasPrefix(w.Text, "-S") || strings.HasPrefix(w.Text, "--split-string")):
			a.splitString(args[i:], c)
			return nil, false
		}
		takes, ok := l.option(w.Text)
		if !ok {
			a.strangeOption(l.name, w)
			return nil, false
		}
		if takes {
			i++
		}
	}
	return nil, true
}

// option reports whether the word is made of known options only, and whether
// the next word.Word is the value of the last of them.
func (l launcher) option(w string) (takesNext, ok bool) {
	if strings.HasPrefix(w, "--") {
		name, _, joined := strings.Cut(w[2:], "=")
		found, value := l.opts.find(name, false)
		return value && !joined, found
	}
	for j := 1; j < len(w); j++ {
		found, value := l.opts.has(w[j])
		if !found {
			return false, false
		}
		if value {
			return j+1 == len(w), true
		}
	}
	return false, true
}

func (a *analysis) behindOperands(l launcher, args []word.Word) []word.Word {
	if l.assigns {
		for len(args) > 0 && strings.Contains(args[0].Prefix(), "=") {
			name, value, _ := strings.Cut(args[0].Text, "=")
			a.setsVariable(name, word.Word{Text: value, Lit: args[0].Lit})
			args = args[1:]
		}
	}
	for range l.operands {
		if len(args) == 0 {
			return nil
		}
		if l.name == "flock" {
			a.writes(args[0])
		}
		args = args[1:]
	}
	return args
}

// shellWords judges words that a program joins and hands to a shell.
func (a *analysis) shellWords(name string, args []word.Word, c context) {
	if name == "flock" {
		a.writes(args[0])
		args = args[2:]
	}
	a.eval(args, c)
}

// splitString judges env -S, which splits text by rules of its own.
func (a *analysis) splitString(args []word.Word, c context) {
	a.raise(Destructive, Obfuscated, fault.T("env -S splits text into a command", "env -S 会把文本拆分成命令"))
	text := strings.TrimPrefix(strings.TrimPrefix(args[0].Text, "-S"), "--split-string=")
	if text == "" && len(args) > 1 {
		text = args[1].Text
	}
	if args[0].Lit {
		a.source(text, c.dialect)
	}
}

// xargs appends words that nobody knows yet.
func (a *analysis) xargs(args []word.Word, c context) {
	l := launcher{name: "xargs", opts: options{
		"0rtpxn:P:L:s:d:E:a:I:", "null no-run-if-empty verbose interactive exit max-args= max-procs= max-lines? max-chars= delimiter= arg-file= replace? show-limits open-tty eof?",
	}}
	replace := slices.ContainsFunc(args, func(w word.Word) bool {
		return strings.HasPrefix(w.Text, "-I") || strings.HasPrefix(w.Text, "-i") || strings.HasPrefix(w.Text, "--replace")
	})
	rest, ok := a.behindOptions(l, args, c)
	if !ok {
		return
	}
	if len(rest) == 0 { // it echoes
		return
	}
	inner := slices.Clone(rest)
	if replace {
		mark := replaceMark(args)
		for i, w := range inner {
			if strings.Contains(w.Text, mark) {
				inner[i] = word.Word{Text: strings.ReplaceAll(w.Text, mark, string(word.Hole)), Source: w.Source, Quoted: true}
			}
		}
	} else {
		inner = append(inner, word.Word{Text: string(word.Hole), Source: "…", Split: true})
	}
	c.appended = true
	c.in = feed{}
	a.command(inner, c)
}

// replaceMark is the text that xargs puts a line in the place of.
func replaceMark(args []word.Word) string {
	for i, w := range args {
		switch {
		case w.Text == "-I" && i+1 < len(args):
			return cmp.Or(args[i+1].Text, "{}")
		case strings.HasPrefix(w.Text, "-I") && len(w.Text) > 2:
			return w.Text[2:]
		case strings.HasPrefix(w.Text, "-i") && len(w.Text) > 2:
			return w.Text[2:]
		case strings.HasPrefix(w.Text, "--replace="):
			return cmp.Or(w.Text[len("--replace="):], "{}")
		}
	}
	return "{}"
}
