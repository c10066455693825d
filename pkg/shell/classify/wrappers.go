package classify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// wrappers are the programs that start another one, which their operands name.
// Behind an unlisted option it is not certain where that command begins.
func wrappers() []program {
	const timing = "portability verbose quiet append format="
	return []program{
		{names: "busybox toybox catchsegv nohup", judge: (*analysis).launch},
		{names: "caffeinate", harmless: options{short: "disut:w:"}, judge: (*analysis).launch},
		{names: "chronic", harmless: options{short: "ve"}, judge: (*analysis).launch},
		{names: "chrt", harmless: options{"bfiormva", "batch fifo idle other rr"}, skip: 1, judge: (*analysis).launch},
		{names: "env", harmless: options{"i0vu:", "ignore-environment null unset= debug block-signal? default-signal? ignore-signal?"}, judge: (*analysis).env},
		{
			names: "flock", judge: (*analysis).flock,
			harmless: options{"snuxeoE:w:F", "shared nonblock unlock exclusive close conflict-exit-code= timeout= no-fork verbose"},
		},
		{names: "ionice", harmless: options{"c:n:t", "class= classdata= ignore"}, judge: (*analysis).launch},
		{names: "nice", harmless: options{"n:", "adjustment="}, judge: (*analysis).nice},
		{names: "setarch", harmless: options{"BFILRSTXZv", "addr-no-randomize"}, skip: 1, judge: (*analysis).launch},
		{names: "setsid", does: stays, harmless: options{"cfw", "ctty fork wait"}, judge: (*analysis).launch},
		{names: "stdbuf", harmless: options{"i:o:e:", "input= output= error="}, judge: (*analysis).launch},
		{names: "taskset", harmless: options{"ac", "all-tasks cpu-list"}, skip: 1, judge: (*analysis).launch},
		{names: "time gtime", harmless: options{"pvqaf:", timing}, judge: (*analysis).launch},
		{names: "timeout gtimeout", harmless: options{"fpvk:s:", "foreground preserve-status verbose kill-after= signal="}, skip: 1, judge: (*analysis).launch},
		{names: "unbuffer", harmless: options{short: "p"}, judge: (*analysis).launch},
		{
			names: "watch", judge: (*analysis).watch,
			harmless: options{"bcdegn:ptqwxC", "beep color differences? errexit chgexit interval= precise no-title no-wrap exec"},
		},
		{
			names: "xargs gxargs", judge: (*analysis).xargs,
			harmless: options{
				"0rtpxn:P:L:s:d:E:a:I:",
				"null no-run-if-empty verbose interactive exit max-args= max-procs= max-lines? max-chars= delimiter= arg-file= " +
					"replace? show-limits open-tty eof?",
			},
		},
		{
			names: "sudo su doas pkexec runuser chroot nsenter unshare setpriv capsh bwrap firejail systemd-run systemd-nspawn newgrp sg " +
				"machinectl fakeroot proot runas setuidgid gosu",
			does: privileged, operands: words,
		},
		{
			names: "parallel script expect entr ltrace strace gdb lldb perf valgrind tmux screen dtach start-stop-daemon daemonize ssh-agent " +
				"dbus-run-session xvfb-run rlwrap socat watchexec nodemon direnv torsocks proxychains",
			does: unfollowed, operands: words,
		},
	}
}

// launch judges a program whose operands, but for the first few, are a command.
func (a *analysis) launch(c call) {
	if rest := a.behindOptions(c, nil); len(rest) > c.skip {
		a.command(rest[c.skip:], c.context)
	}
}

// behindOptions returns the arguments behind the options of a wrapper, none if it is
// not certain where they begin. special, if it is not nil, may take arguments first: it
// returns how many, or -1 when it has judged the rest.
func (a *analysis) behindOptions(c call, special func(args []word.Word) int) []word.Word {
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		if w.MayBeOption() {
			a.strangeOption(c.name, w)
			return nil
		}
		if w.Text == "--" {
			return c.args[i+1:]
		}
		if special != nil {
			if n := special(c.args[i:]); n < 0 {
				return nil
			} else if n > 0 {
				i += n - 1
				continue
			}
		}
		if len(w.Text) < 2 || w.Text[0] != '-' {
			return c.args[i:]
		}
		takes, known := c.harmless.all(w.Text)
		if !known {
			a.strangeOption(c.name, w)
			return nil
		}
		if takes {
			i++
		}
	}
	return nil
}

// strangeOption is for an option of a wrapper behind which it is not certain
// what would run.
func (a *analysis) strangeOption(program string, w word.Word) {
	a.raise(Destructive, Obfuscated, fault.T("%s %s: with this option it is not certain what would run", program, w.Source))
}

// nice judges nice, which takes -5 for -n 5.
func (a *analysis) nice(c call) {
	rest := a.behindOptions(c, func(args []word.Word) int {
		if w := args[0].Text; len(w) > 1 && w[0] == '-' && strings.Trim(w[1:], "0123456789") == "" {
			return 1
		}
		return 0
	})
	a.command(rest, c.context)
}

// env judges env, which sets variables before it starts a command.
func (a *analysis) env(c call) {
	rest := a.behindOptions(c, func(args []word.Word) int {
		switch w := args[0].Text; {
		case w == "-":
			return 1
		case strings.HasPrefix(w, "-S") || strings.HasPrefix(w, "--split-string"):
			a.splitString(args, c)
			return -1
		}
		return 0
	})
	for len(rest) > 0 && strings.Contains(rest[0].Prefix(), "=") {
		name, value, _ := strings.Cut(rest[0].Text, "=")
		set := word.Word{Text: value, Lit: rest[0].Lit, Glob: rest[0].Glob}
		a.setsVariable(name, set)
		a.assign(name, valueOfWord(set))
		rest = rest[1:]
	}
	a.command(rest, c.context)
}

// splitString judges env -S, which splits text by rules of its own.
func (a *analysis) splitString(args []word.Word, c call) {
	a.raise(Destructive, Obfuscated, fault.T("env -S splits text into a command"))
	text := strings.TrimPrefix(strings.TrimPrefix(args[0].Text, "-S"), "--split-string=")
	if text == "" && len(args) > 1 {
		text = args[1].Text
	}
	if args[0].Lit {
		a.source(text, c.dialect)
	}
}

// flock judges flock, which creates its first operand and hands text to a shell
// when it is given -c.
func (a *analysis) flock(c call) {
	rest := a.behindOptions(c, nil)
	if len(rest) == 0 {
		return
	}
	a.writes(rest[0])
	switch {
	case len(rest) > 1 && rest[1].Text == "-c":
		c.args = rest[2:]
		a.eval(c)
	case len(rest) > 1:
		a.command(rest[1:], c.context)
	}
}

// watch judges watch, which joins its operands and hands them to a shell.
func (a *analysis) watch(c call) {
	c.args = a.behindOptions(c, nil)
	a.eval(c)
}

// xargs judges xargs, which adds arguments that are not known yet.
func (a *analysis) xargs(c call) {
	replace := slices.ContainsFunc(c.args, func(w word.Word) bool {
		return strings.HasPrefix(w.Text, "-I") || strings.HasPrefix(w.Text, "-i") || strings.HasPrefix(w.Text, "--replace")
	})
	rest := a.behindOptions(c, func(args []word.Word) int {
		if strings.HasPrefix(args[0].Text, "-i") { // its value is joined, if it has one
			return 1
		}
		return 0
	})
	if len(rest) == 0 { // without a command it echoes
		return
	}
	inner := slices.Clone(rest)
	if replace {
		mark := replaceMark(c.args)
		for i, w := range inner {
			if strings.Contains(w.Text, mark) {
				inner[i] = word.Word{Text: strings.ReplaceAll(w.Text, mark, string(word.Hole)), Source: w.Source, Quoted: true}
			}
		}
	} else {
		inner = append(inner, word.Word{Text: string(word.Hole), Source: "…", Split: true})
	}
	a.unfinished(inner, c.context)
}

// unfinished judges a command that gets further arguments, or parts of them, when
// it is started. It reads nothing.
func (a *analysis) unfinished(argv []word.Word, c context) {
	c.appended = true
	c.in = feed{}
	a.command(argv, c)
}

// replaceMark returns the text that xargs replaces by what it has read.
func replaceMark(args []word.Word) string {
	for i, w := range args {
		switch {
		case w.Text == "-I" && i+1 < len(args):
			return cmp.Or(args[i+1].Text, "{}")
		case strings.HasPrefix(w.Text, "-I") && len(w.Text) > 2, strings.HasPrefix(w.Text, "-i") && len(w.Text) > 2:
			return w.Text[2:]
		case strings.HasPrefix(w.Text, "--replace="):
			return cmp.Or(w.Text[len("--replace="):], "{}")
		}
	}
	return "{}"
}
