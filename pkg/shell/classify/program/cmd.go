package program

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/variable"
	"github.com/helve-dev/helve/pkg/shell/classify/windows"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// cmdBuiltins returns the commands of cmd itself.
func cmdBuiltins() []Row {
	return []Row{
		{names: "echo rem ver vol title cls color exit break goto verify help", builtin: true},
		{names: "dir type", builtin: true, judge: readsOperands},
		{names: "cd chdir pushd popd", builtin: true, judge: changesDirectory},
		{names: "set", builtin: true, judge: cmdSet},
		{names: "path prompt", builtin: true, judge: cmdPath},
		{names: "date time", builtin: true, does: system, shows: onlyWith("/t")},
		{names: "assoc ftype", builtin: true, does: irreversible, shows: assignsNothing},
		{names: "md mkdir ren rename mklink", builtin: true, judge: writesOperands},
		{names: "copy", builtin: true, judge: copiesOperands},
		{names: "move", builtin: true, judge: writesOperands},
		{names: "del erase rd rmdir", builtin: true, does: removes, judge: removesOperands},
		{names: "call start", builtin: true, does: unfollowed},
		{names: "setlocal endlocal shift pause dpath", builtin: true, does: hidden},
	}
}

// windowsPrograms returns the programs that come with Windows.
func windowsPrograms() []Row {
	return []Row{
		{names: "findstr fc comp tree where more find", judge: readsOperands},
		{names: "whoami hostname"},
		{names: "tasklist systeminfo driverquery getmac openfiles qprocess quser", judge: asksSystem},
		{names: "sort", judge: windowsSort},
		{names: "attrib", judge: attrib},
		{names: "icacls", judge: oneOperand},
		{names: "chcp timeout choice"},
		{names: "xcopy replace expand makecab", judge: copiesOperands},
		{names: "robocopy", judge: robocopy},
		{names: "reg", does: irreversible, shows: firstIs("query")},
		{names: "sc", does: irreversible, shows: firstIs("query queryex qc qdescription")},
		{names: "schtasks", does: scheduled, shows: firstIs("/query")},
		{names: "ipconfig", does: system, shows: onlyOf("/all /displaydns /?")},
		{names: "netstat", judge: readsOperands},
		{names: "arp", does: system, shows: onlyOf("-a -g /a")},
		{names: "route", does: system, shows: onlyOf("print")},
		{names: "ping tracert pathping nslookup finger", does: connects},
		{names: "net net1 netsh nltest pnputil powercfg bcdedit bootcfg vssadmin wbadmin diskshadow manage-bde sfc dism chkdsk chkntfs compact cipher takeown " +
			"secedit gpupdate auditpol wevtutil fsutil subst mountvol label recover convert w32tm setx mode print clip tzutil regini cacls logoff shutdown tsdiscon " +
			"msg sdbinst esentutl winrm winrs", does: irreversible},
		{names: "taskkill tskill", does: processes},
		{names: "format diskpart", does: disks},
		{names: "at", does: scheduled},
		{names: "ftp tftp telnet", does: remote},
		{names: "cmd", judge: cmdProgram},
		{names: "powershell pwsh", judge: powerShellProgram},
		{names: "runas psexec", does: privileged},
		{names: "wscript cscript mshta rundll32 regsvr32 msiexec certutil bitsadmin wmic forfiles explorer control mmc installutil regasm regsvcs msbuild " +
			"hh pcalua conhost presentationhost odbcconf", does: unfollowed},
	}
}

// isSwitch reports whether a word of Windows is an option.
func isSwitch(w word.Word) bool {
	return strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "-")
}

// operandsOf returns the words that are no options.
func (c Call) operandsOf() []word.Word {
	var all []word.Word
	for _, w := range c.Args {
		if !isSwitch(w) && w.Text != "" {
			all = append(all, w)
		}
	}
	return all
}

func readsOperands(c Call) (f findings) {
	for _, w := range c.operandsOf() {
		f.reads(w)
	}
	return f
}

func writesOperands(c Call) (f findings) {
	f.effect(changesFiles, c.Name)
	for _, w := range c.operandsOf() {
		f.windowsWrites(w)
	}
	return f
}

func removesOperands(c Call) (f findings) {
	for _, w := range c.operandsOf() {
		f.windowsRemoves(c.Files, w)
	}
	return f
}

// nullDevice reports whether a word names the null device, or the console.
func nullDevice(w word.Word) bool {
	return w.Known() && word.Listed(`nul con nul: con: \\.\nul $null`, strings.ToLower(w.Text))
}

// Redirections judges the redirections of a command of Windows.
func Redirections(c windows.Command) []finding.Finding {
	var f findings
	for _, w := range c.Reads {
		if !nullDevice(w) {
			f.reads(w)
		}
	}
	for _, w := range c.Writes {
		f.windowsWrites(w)
	}
	return f
}

// windowsWrites judges a path that is created or changed.
func (f *findings) windowsWrites(w word.Word) {
	if nullDevice(w) {
		return
	}
	p := strings.ReplaceAll(w.Prefix(), `\`, "/")
	switch drive, rest, colon := strings.Cut(p, ":"); {
	case strings.HasPrefix(p, "//./") || strings.HasPrefix(p, "//?/"):
		if strings.HasPrefix(strings.ToLower(p[4:]), "physicaldrive") || len(strings.Trim(p[4:], "/")) == 2 {
			f.forbid(fault.T("%s is a raw device", w.Source))
		}
		f.raise(policy.Destructive, finding.Outside, fault.T("%s is a device", w.Source))
	case colon && (len(drive) != 1 || strings.Contains(rest, ":") || !strings.HasPrefix(rest, "/")):
		// A drive of PowerShell such as the registry, a stream behind a file, or a path
		// that depends on where a drive is.
		f.raise(policy.Destructive, finding.Outside, fault.T("%s is no plain path of a file", w.Source))
	}
	f.writes(w)
}

// windowsRemoves judges a path that is deleted.
func (f *findings) windowsRemoves(files Files, w word.Word) {
	f.windowsWrites(w)
	for _, p := range files.Resolve(w) {
		p = strings.TrimRight(p, "/*.")
		if home := strings.TrimRight(files.Home(), "/"); len(p) <= 2 && (p == "" || strings.HasSuffix(p, ":")) || home != "" && strings.EqualFold(p, home) || strings.EqualFold(p, "c:/windows") {
			f.forbid(fault.T("%s is all there is", w.Source))
		}
	}
}

// copiesOperands judges programs that read all paths but the last.
func copiesOperands(c Call) (f findings) {
	f.effect(changesFiles, c.Name)
	f.windowsCopies(c.operandsOf())
	return f
}

func (f *findings) windowsCopies(paths []word.Word) {
	for i, w := range paths {
		if i > 0 && i == len(paths)-1 {
			f.windowsWrites(w)
		} else {
			f.reads(w)
		}
	}
}

// robocopy copies from the first path to the second one, and may delete in both.
func robocopy(c Call) (f findings) {
	f.effect(changesFiles, c.Name)
	for i, w := range c.operandsOf() {
		switch i {
		case 0:
			f.reads(w)
		case 1:
			f.windowsWrites(w)
		}
	}
	for _, w := range c.Args {
		if lower := strings.ToLower(w.Text); !w.Known() || word.Listed("/mir /purge /mov /move", lower) {
			f.effect(removes, c.Name)
		}
	}
	return f
}

func changesDirectory(c Call) (f findings) {
	for _, w := range c.Args {
		if lower := strings.ToLower(w.Text); w.Known() && (lower == "/d" || c.Dialect == finding.PowerShell && strings.HasPrefix(lower, "-")) {
			continue
		}
		f.path(finding.Directory, w)
		return f
	}
	if c.Name == "popd" || c.Name == "pop-location" {
		f.path(finding.Directory, word.Literal("-"))
	}
	return f
}

// cmdSet judges set, which shows variables unless it gives one a value.
func cmdSet(c Call) (f findings) {
	if len(c.Args) == 0 {
		return f
	}
	if lower := strings.ToLower(c.Args[0].Text); strings.HasPrefix(lower, "/") {
		if lower != "/a" && lower != "/p" {
			f.unknownOption(c.Name, c.Args[0])
		}
		for _, w := range c.Args[1:] {
			f.add(variable.ExportsOnWindows(strings.TrimRight(firstOf(w.Text, "=+-*/%&^|<>,"), " "), word.Word{})...)
		}
		return f
	}
	if name, value, ok := strings.Cut(joinWords(c.Args), "="); ok {
		if strings.ContainsRune(name, word.Hole) {
			f.raise(policy.Destructive, finding.Environment, fault.T("the name of the variable is computed: %s", c.Args[0].Source))
		}
		f.add(variable.ExportsOnWindows(strings.TrimSpace(name), word.Literal(value))...)
	}
	return f
}

// firstOf returns the text before the first of some characters.
func firstOf(text, characters string) string {
	if i := strings.IndexAny(text, characters); i >= 0 {
		return text[:i]
	}
	return text
}

func cmdPath(c Call) (f findings) {
	if len(c.Args) > 0 && c.Name == "path" {
		f.add(variable.ExportsOnWindows("PATH", word.Word{})...)
	}
	return f
}

// onlyWith reports whether a call has this option and nothing else.
func onlyWith(option string) func(Call) bool {
	return func(c Call) bool { return len(c.Args) == 1 && strings.EqualFold(c.Args[0].Text, option) }
}

// onlyOf reports whether a call has no arguments but these.
func onlyOf(options string) func(Call) bool {
	return func(c Call) bool {
		return !slices.ContainsFunc(c.Args, func(w word.Word) bool { return !w.Known() || !word.Listed(options, strings.ToLower(w.Text)) })
	}
}

// firstIs reports whether the first argument of a call is one of some words.
func firstIs(words string) func(Call) bool {
	return func(c Call) bool { return len(c.Args) > 0 && word.Listed(words, strings.ToLower(c.Args[0].Text)) }
}

func assignsNothing(c Call) bool {
	return !slices.ContainsFunc(c.Args, func(w word.Word) bool { return strings.Contains(w.Text, "=") })
}

// asksSystem judges programs that describe a system: with /s another one.
func asksSystem(c Call) (f findings) {
	for _, w := range c.Args {
		if !w.Known() || strings.EqualFold(w.Text, "/s") || strings.EqualFold(w.Text, "-s") {
			f.effect(reaches, c.Name)
		}
		if lower := strings.ToLower(w.Text); c.Name == "openfiles" && (lower == "/disconnect" || lower == "/local") {
			f.effect(irreversible, c.Name)
		}
	}
	return f
}

// windowsSort judges sort, which writes the file of /o and a temporary one at /t.
func windowsSort(c Call) (f findings) {
	for _, w := range c.Args {
		lower := strings.ToLower(strings.Replace(w.Text, "-", "/", 1))
		if !w.Known() || strings.HasPrefix(lower, "/o") || strings.HasPrefix(lower, "/t") {
			f = append(f, writesOperands(c)...)
			return f
		}
	}
	f = append(f, readsOperands(c)...)
	return f
}

// attrib shows attributes, or sets those with a sign.
func attrib(c Call) (f findings) {
	for _, w := range c.Args {
		if !w.Known() || strings.HasPrefix(w.Text, "+") || strings.HasPrefix(w.Text, "-") {
			f = append(f, writesOperands(c)...)
			return f
		}
	}
	f = append(f, readsOperands(c)...)
	return f
}

// oneOperand judges a program that only shows something of one path.
func oneOperand(c Call) (f findings) {
	if len(c.Args) != 1 || isSwitch(c.Args[0]) {
		f.effect(irreversible, c.Name)
		return f
	}
	f.reads(c.Args[0])
	return f
}

// cmdProgram judges cmd, which gets the text behind /c as it is when it is one argument.
func cmdProgram(c Call) (f findings) {
	for i, w := range c.Args {
		lower := strings.ToLower(w.Text)
		switch {
		case !w.Known():
		case lower == "/d" || lower == "/s" || lower == "/q" || lower == "/e:on" || lower == "/v:off":
			continue
		case lower == "/c" && i+2 == len(c.Args) && c.Args[i+1].Known():
			f.script(c.Args[i+1].Text, finding.Cmd)
			return f
		case lower == "/c" && i+1 < len(c.Args) && plainWords(c.Args[i+1:]):
			f.script(joinWords(c.Args[i+1:]), finding.Cmd)
			return f
		}
		break
	}
	f.effect(unfollowed, c.Name)
	return f
}

// plainWords reports whether words mean the same to every program that takes the line
// apart.
func plainWords(words []word.Word) bool {
	for _, w := range words {
		if !w.Known() || w.Quoted || strings.ContainsAny(w.Text, "\"^&|<>()%!\\\n\r '") {
			return false
		}
	}
	return true
}

func joinWords(words []word.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// powerShellProgram judges powershell, which joins its arguments to a line.
func powerShellProgram(c Call) (f findings) {
	args := c.Args
	for len(args) > 0 && args[0].Known() {
		switch lower := strings.Replace(strings.ToLower(args[0].Text), "/", "-", 1); {
		case word.Listed("-noprofile -nop -noninteractive -noni -nologo", lower):
			args = args[1:]
			continue
		case word.Listed("-command -c", lower):
			args = args[1:]
		case word.Listed("-version -v -help -h -? --version --help", lower) && len(args) == 1:
			return f
		case strings.HasPrefix(lower, "-"):
			f.effect(unfollowed, c.Name)
			return f
		}
		break
	}
	for _, w := range args {
		if !w.Known() || w.Text == "-" {
			f.effect(unfollowed, c.Name)
			return f
		}
	}
	if len(args) == 0 {
		f.effect(unfollowed, c.Name)
		return f
	}
	f.script(joinWords(args), finding.PowerShell)
	return f
}
