package classify

import "strings"

// archivers are the programs that pack and unpack files.
func archivers() []program {
	return []program{
		{names: "7z 7za 7zz", does: changesFiles | hidden, others: ignored, operands: outputRest, judge: (*analysis).sevenZip}, // the first operand is a command
		{
			names: "bunzip2 bzip2 gunzip gzip uncompress unlzma unxz unzstd xz zstd", does: changesFiles, others: ignored, operands: outputs,
			harmless: options{"dkvqf123456789", "decompress uncompress keep verbose quiet force fast best"},
			asks:     options{"clt", "stdout to-stdout list test"},
		},
		{names: "jar", judge: (*analysis).jar},
		{names: "lz4", does: changesFiles, others: ignored, operands: outputs}, // its -l is a format
		{names: "bzcat gzcat lzcat xzcat zstdcat", harmless: options{"dfkqv", "force quiet verbose"}},
		{names: "tar gtar bsdtar", judge: (*analysis).tar},
		{names: "unzip", does: changesFiles, others: ignored, values: options{short: "x:P:"}, writes: options{short: "d:"}, asks: options{short: "ctlpvzZ"}, harmless: options{short: "1qhm"}},
		{names: "zip", does: changesFiles, others: ignored, operands: outputFirst, judge: (*analysis).zip},
	}
}

// zip finds the options by which zip tests its archive with another program.
func (a *analysis) zip(c call) {
	for _, w := range c.args {
		if strings.HasPrefix(w.Text, "-") && (strings.Contains(w.Text, "T") || strings.HasPrefix(w.Text, "--unz") || strings.HasPrefix(w.Text, "--te")) {
			a.mayRun(c.name, w)
		}
		if w.Text == "--move" || w.Text == "--delete" || dashed(w) && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "md") {
			a.effect(removes, c.name+" "+w.Text)
		}
	}
	a.arguments(c)
}

// jar judges jar, which lists with t.
func (a *analysis) jar(c call) {
	if len(c.args) == 0 || !hasField("t tf ft tvf vtf -t -tf -tvf --list", c.args[0].Text) {
		a.effects(changesFiles|hidden, c.name)
	}
	for _, w := range c.args {
		if w.MayBeOption() || strings.HasPrefix(w.Text, "@") { // a file of options
			a.opaque(c.name)
		}
		a.reads(w)
	}
}

// sevenZip finds what deletes files, or members of the archive.
func (a *analysis) sevenZip(c call) {
	for i, w := range c.args {
		if strings.HasPrefix(w.Text, "-sdel") || i == 0 && w.Text == "d" {
			a.effect(removes, c.name+" "+w.Text)
		}
	}
	a.arguments(c)
}
