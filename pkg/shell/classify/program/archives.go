package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// archivers are the programs that pack and unpack files.
func archivers() []Row {
	return []Row{
		{names: "7z 7za 7zz", does: changesFiles | hidden, others: ignored, operands: outputRest, judge: sevenZip}, // the first operand is a command
		{
			names: "bunzip2 bzip2 gunzip gzip lzma uncompress unlzma unxz unzstd xz zstd", does: changesFiles, others: ignored, operands: outputs,
			harmless: options{"kvqfT0123456789", "keep verbose quiet force fast best"}, asks: options{"c", "stdout to-stdout"},
			checks: options{"lt", "list test"}, modes: options{"dz", "decompress uncompress compress"},
		},
		{names: "jar", judge: jar},
		{
			names: "lz4 unlz4", does: changesFiles, others: ignored, operands: outputs, // -l is a format
			harmless: options{"kvqf0123456789", "keep verbose quiet force"}, asks: options{"c", "stdout to-stdout"}, checks: options{"t", "test"}, modes: options{"dz", "decompress compress"},
		},
		{names: "bzcat gzcat lzcat xzcat zstdcat", harmless: options{"dfkqv", "force quiet verbose"}},
		{names: "tar gtar bsdtar", judge: tar},
		{names: "unzip", does: changesFiles, others: ignored, values: options{short: "x:P:"}, writes: options{short: "d:"}, asks: options{short: "ctlpvzZ"}, harmless: options{short: "1qhm"}},
		{names: "zip", does: changesFiles, others: ignored, operands: outputFirst, judge: zip},
	}
}

// zip finds the options by which zip tests its archive with another program.
func zip(c Call) (f findings) {
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "-") && (strings.Contains(w.Text, "T") || strings.HasPrefix(w.Text, "--unz") || strings.HasPrefix(w.Text, "--te")) {
			f.mayRun(c.Name, w)
		}
		if w.Text == "--move" || w.Text == "--delete" || dashed(w) && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "md") {
			f.effect(removes, c.Name+" "+w.Text)
		}
	}
	f.arguments(c)
	return f
}

// jar judges jar, which lists with t.
func jar(c Call) (f findings) {
	if len(c.Args) == 0 || !word.Listed("t tf ft tvf vtf -t -tf -tvf --list", c.Args[0].Text) {
		f.effects(changesFiles|hidden, c.Name)
	}
	for _, w := range c.Args {
		if w.MayBeOption() || strings.HasPrefix(w.Text, "@") { // a file of options
			f.opaque(c.Name)
		}
		f.reads(w)
	}
	return f
}

// sevenZip finds what deletes files, or members of the archive.
func sevenZip(c Call) (f findings) {
	for i, w := range c.Args {
		if strings.HasPrefix(w.Text, "-sdel") || i == 0 && w.Text == "d" {
			f.effect(removes, c.Name+" "+w.Text)
		}
	}
	f.arguments(c)
	return f
}
