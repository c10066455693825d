package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// cmdBuiltins are what cmd does itself.
func cmdBuiltins() []program {
	return []program{
		{names: "echo rem ver vol title cls color exit break goto verify help", builtin: true},
		{names: "dir type", builtin: true, judge: (*analysis).readsOperands},
		{names: "cd chdir pushd popd", builtin: true, judge: (*analysis).changesDirectory},
		{names: "set", builtin: true, judge: (*analysis).cmdSet},
		{names: "path prompt", builtin: true, judge: (*analysis).cmdPath},
		{names: "date time", builtin: true, judge: onlyWith("/t", system)},
		{names: "assoc ftype", builtin: true, judge: onlyWithout("=", irreversible)},
		{names: "md mkdir ren rename mklink", builtin: true, judge: (*analysis).writesOperands},
		{names: "copy", builtin: true, judge: (*analysis).copiesOperands},
		{names: "move", builtin: true, judge: (*analysis).writesOperands},
		{names: "del erase rd rmdir", builtin: true, does: removes, judge: (*analysis).removesOperands},
		{names: "call start", builtin: true, does: unfollowed},
		{names: "setlocal endlocal shift pause dpath", builtin: true, does: hidden},
	}
}

// windowsPrograms are programs that come with Windows.
func windowsPrograms() []program {
	return []program{
		{names: "findstr fc comp tree where more find", judge: (*analysis).readsOperands},
		{names: "whoami hostname", judge: onlyWithout("\x00", 0)},
		{names: "tasklist systeminfo driverquery getmac openfiles qprocess quser", judge: (*analysis).asksSystem},
		{names: "sort", judge: (*analysis).windowsSort},
		{names: "attrib", judge: (*analysis).attrib},
		{names: "icacls", judge: (*analysis).oneOperand},
		{names: "chcp timeout choice", judge: onlyWithout("\x00", 0)},
		{names: "xcopy replace expand makecab", judge: (*analysis).copiesOperands},
		{names: "robocopy", judge: (*analysis).robocopy},
		{names: "reg", judge: firstIs("query", irreversible)},
		{names: "sc", judge: firstIs("query queryex qc qdescription", irreversible)},
		{names: "schtasks", judge: firstIs("/query", scheduled)},
		{names: "ipconfig", judge: onlyOf("/all /displaydns /?", system)},
		{names: "netstat", judge: (*analysis).readsOperands},
		{names: "arp", judge: onlyOf("-a -g /a", system)},
		{names: "route", judge: onlyOf("print", system)},
		{names: "ping tracert pathping nslookup finger", does: connects},
		{names: "net net1 netsh nltest pnputil powercfg bcdedit bootcfg vssadmin wbadmin diskshadow manage-bde sfc dism chkdsk chkntfs compact cipher takeown " +
			"secedit gpupdate auditpol wevtutil fsutil subst mountvol label recover convert w32tm setx mode print clip tzutil regini cacls logoff shutdown tsdiscon " +
			"msg sdbinst esentutl winrm winrs", does: irreversible},
		{names: "taskkill tskill", does: processes},
		{names: "format diskpart", does: disks},
		{names: "at", does: scheduled},
		{names: "ftp tftp telnet", does: remote},
		{names: "cmd", judge: (*analysis).cmdProgram},
		{names: "powershell pwsh", judge: (*analysis).powerShellProgram},
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
func (c call) operandsOf() []word.Word {
	var all []word.Word
	for _, w := range c.args {
		if !isSwitch(w) && w.Text != "" {
			all = append(all, w)
		}
	}
	return all
}

func (a *analysis) readsOperands(c call) {
	for _, w := range c.operandsOf() {
		a.reads(w)
	}
}

func (a *analysis) writesOperands(c call) {
	a.effect(changesFiles, c.name)
	for _, w := range c.operandsOf() {
		a.windowsWrites(w)
	}
}

func (a *analysis) removesOperands(c call) {
	for _, w := range c.operandsOf() {
		a.windowsRemoves(w)
	}
}

// copiesOperands judges programs that read all paths but the last.
func (a *analysis) copiesOperands(c call) {
	a.effect(changesFiles, c.name)
	paths := c.operandsOf()
	for i, w := range paths {
		if i > 0 && i == len(paths)-1 {
			a.windowsWrites(w)
		} else {
			a.reads(w)
		}
	}
}

// robocopy copies from the first path to the second one, and may delete in both.
func (a *analysis) robocopy(c call) {
	a.effect(changesFiles, c.name)
	for i, w := range c.operandsOf() {
		switch i {
		case 0:
			a.reads(w)
		case 1:
			a.windowsWrites(w)
		}
	}
	for _, w := range c.args {
		if lower := strings.ToLower(w.Text); !w.Known() || hasField("/mir /purge /mov /move", lower) {
			a.effect(removes, c.name)
		}
	}
}

func (a *analysis) changesDirectory(c call) {
	for _, w := range c.args {
		if lower := strings.ToLower(w.Text); w.Known() && (lower == "/d" || c.dialect == PowerShell && strings.HasPrefix(lower, "-")) {
			continue
		}
		a.chdir(w)
		return
	}
	if c.name == "popd" || c.name == "pop-location" {
		a.lost = true
	}
}

// cmdSet judges set, which shows variables unless it gives one a value.
func (a *analysis) cmdSet(c call) {
	if len(c.args) == 0 {
		return
	}
	if lower := strings.ToLower(c.args[0].Text); strings.HasPrefix(lower, "/") {
		if lower != "/a" && lower != "/p" {
			a.unknownOption(c.name, c.args[0])
		}
		for _, w := range c.args[1:] {
			a.setsWindowsVariable(strings.TrimRight(firstOf(w.Text, "=+-*/%&^|<>,"), " "), word.Word{})
		}
		return
	}
	texts := make([]string, len(c.args))
	for i, w := range c.args {
		texts[i] = w.Text
	}
	if name, value, ok := strings.Cut(strings.Join(texts, " "), "="); ok {
		if strings.ContainsRune(name, word.Hole) {
			a.raise(Destructive, Environment, fault.T("the name of the variable is computed: %s", c.args[0].Source))
		}
		a.setsWindowsVariable(strings.TrimSpace(name), word.Literal(value))
	}
}

// firstOf returns the text before the first of some characters.
func firstOf(text, characters string) string {
	if i := strings.IndexAny(text, characters); i >= 0 {
		return text[:i]
	}
	return text
}

func (a *analysis) cmdPath(c call) {
	if len(c.args) > 0 && c.name == "path" {
		a.decides(Destructive, "PATH")
	}
}

// onlyWith judges a program that only shows something when it has one option.
func onlyWith(option string, otherwise effects) func(*analysis, call) {
	return func(a *analysis, c call) {
		if len(c.args) != 1 || !strings.EqualFold(c.args[0].Text, option) {
			a.effects(otherwise, c.name)
		}
	}
}

// onlyOf judges a program that only shows something without arguments, or with these.
func onlyOf(options string, otherwise effects) func(*analysis, call) {
	return func(a *analysis, c call) {
		for _, w := range c.args {
			if !w.Known() || !hasField(options, strings.ToLower(w.Text)) {
				a.effects(otherwise, c.name)
			}
		}
	}
}

// onlyWithout judges a program that only shows something unless a text is in its
// arguments.
func onlyWithout(text string, otherwise effects) func(*analysis, call) {
	return func(a *analysis, c call) {
		for _, w := range c.args {
			if strings.Contains(w.Text, text) {
				a.effects(otherwise, c.name)
			}
		}
	}
}

// firstIs judges a program that only shows something when its first argument is one of
// these.
func firstIs(words string, otherwise effects) func(*analysis, call) {
	return func(a *analysis, c call) {
		if len(c.args) == 0 || !hasField(words, strings.ToLower(c.args[0].Text)) {
			a.effects(otherwise, c.name)
		}
	}
}

// asksSystem judges programs that describe a system: with /s another one.
func (a *analysis) asksSystem(c call) {
	for _, w := range c.args {
		if !w.Known() || strings.EqualFold(w.Text, "/s") || strings.EqualFold(w.Text, "-s") {
			a.effect(reaches, c.name)
		}
		if lower := strings.ToLower(w.Text); c.name == "openfiles" && (lower == "/disconnect" || lower == "/local") {
			a.effect(irreversible, c.name)
		}
	}
}

// windowsSort judges sort, which writes the file of /o and a temporary one at /t.
func (a *analysis) windowsSort(c call) {
	for _, w := range c.args {
		lower := strings.ToLower(strings.Replace(w.Text, "-", "/", 1))
		if !w.Known() || strings.HasPrefix(lower, "/o") || strings.HasPrefix(lower, "/t") {
			a.writesOperands(c)
			return
		}
	}
	a.readsOperands(c)
}

// attrib shows attributes, or sets those with a sign.
func (a *analysis) attrib(c call) {
	for _, w := range c.args {
		if !w.Known() || strings.HasPrefix(w.Text, "+") || strings.HasPrefix(w.Text, "-") {
			a.writesOperands(c)
			return
		}
	}
	a.readsOperands(c)
}

// oneOperand judges a program that only shows something of one path.
func (a *analysis) oneOperand(c call) {
	if len(c.args) != 1 || isSwitch(c.args[0]) {
		a.effect(irreversible, c.name)
		return
	}
	a.reads(c.args[0])
}

// cmdProgram judges cmd, which gets the text behind /c as it is when it is one argument.
func (a *analysis) cmdProgram(c call) {
	for i, w := range c.args {
		lower := strings.ToLower(w.Text)
		switch {
		case !w.Known():
		case lower == "/d" || lower == "/s" || lower == "/q" || lower == "/e:on" || lower == "/v:off":
			continue
		case lower == "/c" && i+2 == len(c.args) && c.args[i+1].Known():
			a.source(c.args[i+1].Text, Cmd)
			return
		case lower == "/c" && i+1 < len(c.args) && plainWords(c.args[i+1:]):
			a.source(joinWords(c.args[i+1:]), Cmd)
			return
		}
		break
	}
	a.effect(unfollowed, c.name)
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
func (a *analysis) powerShellProgram(c call) {
	args := c.args
	for len(args) > 0 && args[0].Known() {
		switch lower := strings.Replace(strings.ToLower(args[0].Text), "/", "-", 1); {
		case hasField("-noprofile -nop -noninteractive -noni -nologo", lower):
			args = args[1:]
			continue
		case hasField("-command -c", lower):
			args = args[1:]
		case hasField("-version -v -help -h -? --version --help", lower) && len(args) == 1:
			return
		case strings.HasPrefix(lower, "-"):
			a.effect(unfollowed, c.name)
			return
		}
		break
	}
	for _, w := range args {
		if !w.Known() || w.Text == "-" {
			a.effect(unfollowed, c.name)
			return
		}
	}
	if len(args) == 0 {
		a.effect(unfollowed, c.name)
		return
	}
	a.source(joinWords(args), PowerShell)
}
