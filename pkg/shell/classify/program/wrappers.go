package program

import (
	"cmp"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// wrappers are the programs that start another one, which their operands name.
// Behind an unlisted option it is not certain where that command begins.
func wrappers() []Row {
	const timing = "portability verbose quiet append format="
	return []Row{
		{names: "busybox toybox catchsegv nohup", judge: launch},
		{names: "caffeinate", harmless: options{short: "disut:w:"}, judge: launch},
		{names: "chronic", harmless: options{short: "ve"}, judge: launch},
		{names: "chrt", harmless: options{"bfiormva", "batch fifo idle other rr"}, skip: 1, judge: launch},
		{names: "env", harmless: options{"i0vu:", "ignore-environment null unset= debug block-signal? default-signal? ignore-signal?"}, judge: env},
		{names: "flock", judge: flock, harmless: options{"snuxeoE:w:F", "shared nonblock unlock exclusive close conflict-exit-code= timeout= no-fork verbose"}},
		{names: "ionice", harmless: options{"c:n:t", "class= classdata= ignore"}, judge: launch},
		{names: "nice", harmless: options{"n:", "adjustment="}, judge: nice},
		{names: "setarch", harmless: options{"BFILRSTXZv", "addr-no-randomize"}, skip: 1, judge: launch},
		{names: "setsid", does: stays, harmless: options{"cfw", "ctty fork wait"}, judge: launch},
		{names: "stdbuf", harmless: options{"i:o:e:", "input= output= error="}, judge: launch},
		{names: "taskset", harmless: options{"ac", "all-tasks cpu-list"}, skip: 1, judge: launch},
		{names: "time gtime", harmless: options{"pvqaf:", timing}, judge: launch},
		{names: "timeout gtimeout", harmless: options{"fpvk:s:", "foreground preserve-status verbose kill-after= signal="}, skip: 1, judge: launch},
		{names: "unbuffer", harmless: options{short: "p"}, judge: launch},
		{names: "strace ltrace", judge: trace, harmless: options{"cCdDfFhiknqrStTvVwxyYza:b:e:I:O:s:U:X:", "follow-forks seccomp-bpf summary-only string-limit= trace="}},
		{names: "valgrind", does: hidden, judge: launch, harmless: options{"qv", "tool= leak-check= show-leak-kinds= track-origins= error-exitcode= num-callers= suppressions= quiet verbose"}},
		{names: "perf", commands: []Row{
			{names: "stat", judge: launch, harmless: options{"adgivBr:e:x:", "repeat= event= detailed"}},
			{names: "list", operands: words},
			{does: unfollowed, operands: words},
		}},
		{names: "entr", judge: entr, harmless: options{short: "acdnprsz"}},
		{names: "xvfb-run", does: stays, judge: launch, harmless: options{"a", "auto-servernum"}},
		{names: "rlwrap dbus-run-session", does: stays, judge: launch},
		{names: "script", judge: script},
		{names: "parallel", does: changesFiles, judge: parallel, harmless: options{"j:kn:N:L:a:0", "jobs= keep-order max-args= dry-run bar eta halt= progress null tag verbose no-notice will-cite"}},
		{names: "tmux screen", does: unfollowed, operands: words, alone: "-ls -list ls list-sessions list-windows"},
		{names: "watch", judge: watch, harmless: options{"bcdegn:ptqwxC", "beep color differences? errexit chgexit interval= precise no-title no-wrap exec"}},
		{
			names: "xargs gxargs", judge: xargs,
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
			names: "expect gdb lldb dtach start-stop-daemon daemonize ssh-agent socat watchexec nodemon direnv torsocks proxychains",
			does:  unfollowed, operands: words,
		},
	}
}

// launch judges a program whose operands, but for the first few, are a command.
func launch(c Call) (f findings) {
	if rest := f.behindOptions(c, nil); len(rest) > c.skip {
		f.run(rest[c.skip:])
	}
	return f
}

// behindOptions returns the arguments behind the options of a wrapper, none if it is
// not certain where they begin. special, if it is not nil, may take arguments first: it
// returns how many, or -1 when it has judged the rest.
func (f *findings) behindOptions(c Call, special func(args []word.Word) int) []word.Word {
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		if w.MayBeOption() {
			f.strangeOption(c.Name, w)
			return nil
		}
		if w.Text == "--" {
			return c.Args[i+1:]
		}
		if special != nil {
			if n := special(c.Args[i:]); n < 0 {
				return nil
			} else if n > 0 {
				i += n - 1
				continue
			}
		}
		if len(w.Text) < 2 || w.Text[0] != '-' {
			return c.Args[i:]
		}
		takes, known := c.harmless.all(w.Text)
		if !known {
			f.strangeOption(c.Name, w)
			return nil
		}
		if takes {
			i++
		}
	}
	return nil
}

// nice judges nice, which takes -5 for -n 5.
func nice(c Call) (f findings) {
	rest := f.behindOptions(c, func(args []word.Word) int {
		if w := args[0].Text; len(w) > 1 && w[0] == '-' && strings.Trim(w[1:], "0123456789") == "" {
			return 1
		}
		return 0
	})
	f.run(rest)
	return f
}

// env judges env, which sets variables before it starts a command.
func env(c Call) (f findings) {
	rest := f.behindOptions(c, func(args []word.Word) int {
		switch w := args[0].Text; {
		case w == "-":
			return 1
		case strings.HasPrefix(w, "-S") || strings.HasPrefix(w, "--split-string"):
			f.splitString(args, c)
			return -1
		}
		return 0
	})
	for len(rest) > 0 && strings.Contains(rest[0].Prefix(), "=") {
		name, value, _ := strings.Cut(rest[0].Text, "=")
		set := word.Word{Text: value, Lit: rest[0].Lit, Glob: rest[0].Glob}
		f.add(finding.Finding{Kind: finding.Export, Name: name, Word: set})
		rest = rest[1:]
	}
	f.run(rest)
	return f
}

// splitString judges env -S, which splits text by rules of its own.
func (f *findings) splitString(args []word.Word, c Call) {
	f.raise(policy.Destructive, finding.Obfuscated, fault.T("env -S splits text into a command"))
	text := strings.TrimPrefix(strings.TrimPrefix(args[0].Text, "-S"), "--split-string=")
	if text == "" && len(args) > 1 {
		text = args[1].Text
	}
	if args[0].Lit {
		f.script(text, c.Dialect)
	}
}

// flock judges flock, which creates its first operand and hands text to a shell
// when it is given -c.
func flock(c Call) (f findings) {
	rest := f.behindOptions(c, nil)
	if len(rest) == 0 {
		return f
	}
	f.writes(rest[0])
	switch {
	case len(rest) > 1 && rest[1].Text == "-c":
		f = append(f, joined(c, rest[2:])...)
	case len(rest) > 1:
		f.run(rest[1:])
	}
	return f
}

// joined judges words that a program joins with spaces and hands to sh.
func joined(c Call, words []word.Word) (f findings) {
	if slices.ContainsFunc(words, func(w word.Word) bool { return !w.Known() }) {
		f.evaluates(c.Name)
		return f
	}
	f.script(joinWords(words), finding.POSIX)
	return f
}

// watch judges watch, which joins its operands and hands them to a shell. With -x it starts
// them as they are, which does no more.
func watch(c Call) (f findings) {
	rest := f.behindOptions(c, nil)
	return f.followedBy(joined(c, rest))
}

// entr judges entr, which runs a command or, with -s, text in a shell.
func entr(c Call) (f findings) {
	rest := f.behindOptions(c, nil)
	shell := options{short: "s"}
	if slices.ContainsFunc(c.Args[:len(c.Args)-len(rest)], shell.oneOf) {
		return f.followedBy(joined(c, rest))
	}
	f.run(rest)
	return f
}

// trace judges strace and ltrace. What follows -o is a file, or behind "|" and "!" a
// command.
func trace(c Call) (f findings) {
	rest := f.behindOptions(c, func(args []word.Word) int {
		file, ok := strings.CutPrefix(args[0].Text, "-o")
		taken := 1
		if ok && file == "" && len(args) > 1 {
			file, taken = args[1].Text, 2
		}
		switch {
		case !ok:
			return 0
		case strings.HasPrefix(file, "|") || strings.HasPrefix(file, "!"):
			f.evaluates(c.Name)
		default:
			f.overwrites(word.Literal(file))
		}
		return taken
	})
	f.run(rest)
	return f
}

// script judges script, which runs the text behind -c and writes what it prints to a file.
func script(c Call) (f findings) {
	ran, file := false, word.Literal("typescript")
	for i := 0; i < len(c.Args); i++ {
		switch w := c.Args[i]; {
		case !w.Known():
			f.strangeOption(c.Name, w)
		case w.Text == "--command" || dashed(w) && strings.Trim(w.Text[1:], "aefqc") == "" && strings.HasSuffix(w.Text, "c"):
			ran = true
			f = append(f, joined(c, c.Args[min(i+1, len(c.Args)):min(i+2, len(c.Args))])...)
			i++
		case dashed(w) && strings.Trim(w.Text[1:], "aefq") != "":
			f.strangeOption(c.Name, w)
		case !dashed(w):
			file = w
		}
	}
	f.writes(file)
	if !ran {
		f.runsInput(c.Name)
	}
	return f
}

// parallel judges parallel, which joins a command with each argument, quoted, and hands it
// to a shell. Words that a shell takes as they are stay the same words.
func parallel(c Call) (f findings) {
	rest := f.behindOptions(c, nil)
	if i := slices.IndexFunc(rest, func(w word.Word) bool { return strings.HasPrefix(w.Text, ":::") }); i >= 0 {
		rest = rest[:i]
	}
	if len(rest) == 0 || slices.ContainsFunc(rest, func(w word.Word) bool {
		return !w.Known() || strings.Trim(w.Text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:@%+-{}") != ""
	}) {
		f.evaluates(c.Name)
		return f
	}
	inner := slices.Clone(rest)
	for i, w := range inner {
		if strings.Contains(w.Text, "{") {
			inner[i] = word.Word{Text: string(word.Hole), Source: w.Source, Quoted: true}
		}
	}
	f.runMore(append(inner, word.Word{Text: string(word.Hole), Source: "…", Quoted: true}))
	return f
}

// xargs judges xargs, which adds arguments that are not known yet.
func xargs(c Call) (f findings) {
	replace := slices.ContainsFunc(c.Args, func(w word.Word) bool {
		return strings.HasPrefix(w.Text, "-I") || strings.HasPrefix(w.Text, "-i") || strings.HasPrefix(w.Text, "--replace")
	})
	rest := f.behindOptions(c, func(args []word.Word) int {
		if strings.HasPrefix(args[0].Text, "-i") { // its value is joined, if it has one
			return 1
		}
		return 0
	})
	if len(rest) == 0 { // without a command it echoes
		return f
	}
	inner := slices.Clone(rest)
	if replace {
		mark := replaceMark(c.Args)
		for i, w := range inner {
			if strings.Contains(w.Text, mark) {
				inner[i] = word.Word{Text: strings.ReplaceAll(w.Text, mark, string(word.Hole)), Source: w.Source, Quoted: true}
			}
		}
	} else {
		inner = append(inner, word.Word{Text: string(word.Hole), Source: "…", Split: true})
	}
	f.runMore(inner)
	return f
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
