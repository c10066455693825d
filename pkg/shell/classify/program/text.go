package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// textTools are the programs that print, select, sort and compare lines and words.
func textTools() []Row {
	return []Row{
		{names: "expr sleep yes", operands: words},
		{
			names: "bat",
			harmless: options{
				"pAnH:l:r:SdP",
				"plain language= line-range= number show-all style= color= theme= wrap= decorations= paging= highlight-line= " +
					"tabs= list-languages list-themes diff help version",
			},
			runs: options{long: "pager= map-syntax= generate-config-file"},
		},
		{names: "cal", harmless: options{short: "13jmsynwABM:"}, operands: words},
		{names: "cat", harmless: options{"AbeEnstTuv", "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version"}},
		{names: "cmp", harmless: options{"bi:ln:s", "print-bytes ignore-initial= verbose bytes= quiet silent help version"}},
		{names: "col", harmless: options{"bfhpx", "no-backspaces fine tabs pass spaces lines="}, operands: words},
		{names: "column", harmless: options{"tc:s:o:xnN:", "table columns= separator= output-separator= json table-columns= fillrows"}},
		{names: "comm", harmless: options{"123iz", "check-order nocheck-order output-delimiter= total zero-terminated help version"}},
		{
			names:    "cut",
			harmless: options{"b:c:d:f:nsz", "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated help version"},
		},
		{
			names: "date",
			harmless: options{
				"d:f:I:r:Ru",
				"date= file= iso-8601? reference= rfc-email rfc-2822 rfc-3339= utc universal debug resolution help version",
			},
			runs:     options{"s:", "set="}, // sets the clock
			operands: words,
			judge:    date,
		},
		{names: "diff", harmless: options{
			"abBcC:deEiI:lnNpqrsStTuU:wx:X:yW:ZF:",
			"normal brief report-identical-files context? unified? ed rcs side-by-side width= left-column suppress-common-lines show-c-function " +
				"show-function-line= label= expand-tabs initial-tab tabsize= suppress-blank-empty recursive no-dereference new-file " +
				"unidirectional-new-file ignore-file-name-case no-ignore-file-name-case exclude= exclude-from= starting-file= from-file= to-file= " +
				"ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= " +
				"text strip-trailing-cr minimal horizon-lines= speed-large-files color? palette= paginate help version",
		}},
		{names: "expand", harmless: options{"it:", "initial tabs= help version"}},
		{names: "fmt", harmless: options{"cp:sutw:g:", "crown-margin prefix= split-only tagged-paragraph uniform-spacing width= goal= help version"}},
		{names: "fold", harmless: options{"bsw:", "bytes spaces width= help version"}},
		{names: "head", harmless: options{"c:n:qvz", "bytes= lines= quiet silent verbose zero-terminated help version"}},
		{names: "iconv", harmless: options{"f:t:lcs", "from-code= to-code= list silent"}, writes: options{"o:", "output="}},
		{names: "join", harmless: options{"a:e:i1:2:j:o:t:v:z", "ignore-case check-order nocheck-order header zero-terminated help version"}},
		{names: "jq", harmless: options{
			"nrRsScCMajehVf:L:",
			"from-file= null-input raw-output raw-output0 join-output raw-input slurp compact-output color-output monochrome-output ascii-output " +
				"sort-keys exit-status arg argjson slurpfile rawfile args jsonargs tab indent= help version",
		}, operands: words},
		{
			names: "yq", // two programs have this name
			harmless: options{
				"erPMCjNncSRyo:p:I:",
				"output-format= input-format= prettyPrint no-colors colors tojson exit-status no-doc null-input unwrapScalar? raw-output compact-output sort-keys indent= yaml-output",
			},
			writes: options{"i", "inplace in-place"}, operands: words,
		},
		{
			names: "less",
			harmless: options{
				"aABcCdDeEfFgGiIJKLmMnNqQrRsSuUVwWXz:p:x:",
				"RAW-CONTROL-CHARS quit-if-one-screen no-init chop-long-lines LINE-NUMBERS ignore-case IGNORE-CASE help version",
			},
			writes: options{"o:O:", "log-file= LOG-FILE="},
			// Key bindings run commands, and so may what opens a tag.
			runs:  options{"k:P:t:T:b:h:j:y:", "lesskey-file= lesskey-src= lesskey-content= cmd= tag= tag-file="},
			judge: less,
		},
		{
			names: "man",
			harmless: options{
				"akfwWcs:S:e:L:iI",
				"all apropos whatis where path where-cat section= locale= ignore-case match-case regex wildcard names-only help " +
					"version",
			},
			// A file of one's own (-l) chooses the preprocessors that it needs.
			runs:     options{"P:C:H:T:XZ:p:l", "pager= html? config-file= preprocessor= gxditview? troff-device? ditroff local-file browser="},
			operands: words,
		},
		{names: "nl", harmless: options{
			"b:d:f:h:i:l:n:ps:v:w:",
			"body-numbering= section-delimiter= footer-numbering= header-numbering= line-increment= join-blank-lines= " +
				"number-format= no-renumber number-separator= starting-line-number= number-width= help version",
		}},
		{
			names:    "numfmt",
			harmless: options{"d:z", "from= to= from-unit= to-unit= format= padding= suffix= field= header? delimiter= grouping round= invalid= help version"},
			operands: words,
		},
		{names: "paste", harmless: options{"d:sz", "delimiters= serial zero-terminated help version"}},
		{names: "pr", harmless: options{short: "acdD:eFhiJlmnNoOrsStTvwW"}},
		{names: "rev zcat"},
		{names: "seq", harmless: options{"f:s:w", "format= separator= equal-width help version"}, operands: words},
		{
			names: "sort",
			harmless: options{
				"bcCdfghik:Mmnrst:uVzS:R",
				"ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort " +
					"human-numeric-sort numeric-sort random-sort random-source= reverse sort= version-sort batch-size= check? debug " +
					"files0-from= key= merge stable buffer-size= field-separator= parallel= unique zero-terminated help version",
			},
			writes: options{"o:T:", "output= temporary-directory="}, // -T names the directory of temporary files
			runs:   options{long: "compress-program="},
		},
		{names: "tac", harmless: options{"brs:", "before regex separator= help version"}},
		{names: "tail", harmless: options{
			"c:fFn:qs:vz",
			"bytes= follow? lines= max-unchanged-stats= pid= quiet silent retry sleep-interval= verbose zero-terminated help version",
		}},
		{names: "tokei", harmless: options{"e:fst:o:", "files sort= exclude= type= output="}},
		{names: "tr", harmless: options{"cCdst", "complement delete squeeze-repeats truncate-set1 help version"}, operands: words},
		{names: "tsort", harmless: options{long: "help version"}},
		{names: "unexpand", harmless: options{"at:", "all first-only tabs= help version"}},
		{names: "uniq", harmless: options{
			"cdDf:is:uw:z",
			"count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars= help version",
		}, operands: outputTwo},
		{names: "wc", harmless: options{"clmLw", "bytes chars lines files0-from= max-line-length words total= help version"}},
		{names: "awk gawk mawk nawk busybox-awk", judge: judgeAwk},
		{
			names: "sed gsed", judge: judgeSed,
			harmless: options{
				"nEruszl:e:",
				"quiet silent regexp-extended unbuffered separate null-data line-length= expression= posix debug sandbox help version",
			},
			writes: options{"iI", "in-place?"},
		},
	}
}

// date judges date, which sets the clock to an operand without "+".
func date(c Call) (f findings) {
	f.arguments(c)
	for _, w := range c.Args {
		if !strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "+") && mayBeTime(w.Text) {
			f.raise(policy.Destructive, "", fault.T("date %s sets the clock", w.Source))
		}
	}
	return f
}

// mayBeTime reports whether s is a time to set, as MMDDhhmm, or is computed.
func mayBeTime(s string) bool {
	return len(s) >= 8 && strings.Trim(s[:8], "0123456789") == "" || strings.IndexByte(s, word.Hole) >= 0
}

// less judges less, which runs a command of its own behind "+".
func less(c Call) (f findings) {
	f.arguments(c)
	for _, w := range c.Args {
		if len(w.Text) > 1 && w.Text[0] == '+' && strings.Trim(w.Text[1:], "0123456789FGg") != "" {
			f.raise(policy.Destructive, finding.Obfuscated, fault.T("less %s runs a command of less", w.Source))
		}
	}
	return f
}
