package classify

import "strings"

// archivers are the programs that pack and unpack files.
func archivers() []program {
	return []program{
		{names: "7z", does: changesFiles | hidden, others: ignored, operands: outputRest}, // the first operand is a command
		{
			names: "bunzip2 bzip2 gunzip gzip uncompress unlzma unxz unzstd xz zstd", does: changesFiles, others: ignored, operands: outputs,
			harmless: options{"dkvqf123456789", "decompress uncompress keep verbose quiet force fast best"},
			asks:     options{"clt", "stdout to-stdout list test"},
		},
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
	}
	a.arguments(c)
}
