package program

import "strings"

const digestOptions = "binary check tag text zero ignore-missing quiet status strict warn help version"

// byteTools are the programs that show or digest bytes, and the tables of binaries.
func byteTools() []Row {
	return []Row{
		{names: "b2sum", harmless: options{"bctwzl:", digestOptions + " length="}},
		{names: "base32", harmless: options{"diw:", "decode ignore-garbage wrap= help version"}, writes: options{"o:", "output="}},
		{names: "base64", harmless: options{"dDiw:b:", "decode ignore-garbage wrap= help version break= input="}, writes: options{"o:", "output="}},
		{names: "cksum", harmless: options{"a:cl:wz", "algorithm= length= raw base64 untagged debug " + digestOptions}},
		{names: "hexdump", harmless: options{"bcCde:f:n:os:vx", "canonical length= skip= no-squeezing"}},
		{names: "md5", harmless: options{short: "pqrtx"}},
		{names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum", harmless: options{"bctwz", digestOptions}},
		{names: "nm", judge: binutils, harmless: options{"aABCDglnoprSsuv", "demangle defined-only undefined-only dynamic extern-only size-sort numeric-sort"}, runs: options{long: "plugin="}},
		{names: "objdump", judge: binutils, harmless: options{"adDfhpstTrRSxCM:j:", "disassemble disassemble-all all-headers section-headers syms source demangle"}},
		{names: "od", harmless: options{
			"A:abcdfilosxj:N:S:t:vw:",
			"address-radix= endian= skip-bytes= read-bytes= strings? format= output-duplicates width? traditional help version",
		}},
		{names: "readelf", judge: binutils, harmless: options{"aAcdDehIlnrsSuVwWx:p:t", "all file-header program-headers section-headers symbols dynamic wide"}},
		{names: "shasum", harmless: options{"a:bctUpqsw0", "algorithm= check text binary"}},
		{names: "size", judge: binutils, harmless: options{short: "ABdotx"}},
		{names: "strings", judge: binutils, harmless: options{"afn:t:e:s:oT:w", "all print-file-name bytes= radix= encoding= include-all-whitespace output-separator="}},
		{names: "sum", harmless: options{"rs", "sysv help version"}},
		{names: "xxd", harmless: options{"abc:Eeg:hil:n:o:Pprs:uvR:", "plain postscript revert reverse"}, operands: outputTwo},
	}
}

// binutils judges programs that take further options from a file that is named with
// "@".
func binutils(c Call) (f findings) {
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "@") {
			f.unknownOption(c.Name, w)
		}
	}
	f.arguments(c)
	return f
}
