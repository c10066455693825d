package classify

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// reading judges the programs that only read, and reports whether name is one.
func (a *analysis) reading(name string, argv []word.Word) bool {
	i, ok := slices.BinarySearchFunc(readers[:], name, func(s spec, name string) int { return strings.Compare(s.name, name) })
	if !ok {
		return false
	}
	a.apply(readers[i], argv[1:])
	for _, w := range argv[1:] {
		switch {
		case name == "date" && !strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "+") && timeDigits(w.Text):
			a.raise(Destructive, "", fault.T("date %s sets the clock", "date %s 会修改系统时间", w.Source))
		case name == "less" && len(w.Text) > 1 && w.Text[0] == '+' && strings.Trim(w.Text[1:], "0123456789FGg") != "":
			a.raise(Destructive, Obfuscated, fault.T("less %s runs a command of less", "less %s 会执行 less 命令", w.Source))
		}
	}
	return true
}

// timeDigits reports whether s may be a time to set, as MMDDhhmm, or is computed.
func timeDigits(s string) bool {
	return len(s) >= 8 && strings.Trim(s[:8], "0123456789") == "" || strings.IndexByte(s, word.Hole) >= 0
}

const ls = "all almost-all author escape block-size= ignore-backups color? directory dired classify? file-type format= full-time " +
	"group-directories-first no-group human-readable si dereference-command-line dereference-command-line-symlink-to-dir " +
	"hide= hyperlink? indicator-style= inode ignore= kibibytes dereference numeric-uid-gid literal hide-control-chars " +
	"show-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero help version"

const grep = "extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case word-regexp " +
	"line-regexp null-data no-messages invert-match version help max-count= byte-offset line-number line-buffered " +
	"with-filename no-filename label= only-matching quiet silent binary-files= text directories= devices= recursive " +
	"dereference-recursive include= exclude= exclude-from= exclude-dir= files-without-match files-with-matches count " +
	"initial-tab null before-context= after-context= context= group-separator= no-group-separator color? colour? binary unix-byte-offsets"

const digest = "binary check tag text zero ignore-missing quiet status strict warn help version"

// readers is sorted by name.
var readers = [...]spec{
	{name: "[", operands: words},
	{name: "ag", ok: options{"aAcCDfFgGhHilLnoqQrRsSuUvwzm:0", "nocolor noheading hidden ignore= literal count files-with-matches"}, bad: options{"", "pager="}},
	{name: "arch"},
	{name: "b2sum", ok: options{"bctwzl:", digest + " length="}},
	{name: "base32", ok: options{"diw:", "decode ignore-garbage wrap= help version"}, out: options{"o:", "output="}},
	{name: "base64", ok: options{"dDiw:b:", "decode ignore-garbage wrap= help version break= input="}, out: options{"o:", "output="}},
	{name: "basename", ok: options{"as:z", "multiple suffix= zero help version"}, operands: words},
	{name: "bat", ok: options{"pAnH:l:r:SdP", "plain language= line-range= number show-all style= color= theme= wrap= decorations= paging= highlight-line= tabs= list-languages list-themes diff help version"}, bad: options{"", "pager= map-syntax= generate-config-file"}},
	{name: "cal", ok: options{"13jmsynwABM:", ""}, operands: words},
	{name: "cat", ok: options{"AbeEnstTuv", "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version"}},
	{name: "cksum", ok: options{"a:cl:wz", "algorithm= length= raw base64 untagged debug " + digest}},
	{name: "cmp", ok: options{"bi:ln:s", "print-bytes ignore-initial= verbose bytes= quiet silent help version"}},
	{name: "col", ok: options{"bfhpx", "no-backspaces fine tabs pass spaces lines="}, operands: words},
	{name: "column", ok: options{"tc:s:o:xnN:", "table columns= separator= output-separator= json table-columns= fillrows"}},
	{name: "comm", ok: options{"123iz", "check-order nocheck-order output-delimiter= total zero-terminated help version"}},
	{name: "cut", ok: options{"b:c:d:f:nsz", "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated help version"}},
	{name: "date", ok: options{"d:f:I:r:Ru", "date= file= iso-8601? reference= rfc-email rfc-2822 rfc-3339= utc universal debug resolution help version"}, bad: options{"s:", "set="}, operands: words},
	{name: "df", ok: options{"aB:hHiklPTt:x:", "all block-size= human-readable si inodes local no-sync output? portability print-type total type= exclude-type= help version"}},
	{name: "diff", ok: options{"abBcC:deEiI:lnNpqrsStTuU:wx:X:yW:ZF:", "normal brief report-identical-files context? unified? ed rcs side-by-side width= left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize= suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case no-ignore-file-name-case exclude= exclude-from= starting-file= from-file= to-file= ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr minimal horizon-lines= speed-large-files color? palette= paginate help version"}},
	{name: "dir", ok: options{"aAbBcCdfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1", ls}},
	{name: "dirname", ok: options{"z", "zero help version"}, operands: words},
	{name: "du", ok: options{"0aB:bcDd:HhklLmPSst:xX:", "null all apparent-size block-size= bytes total dereference-args max-depth= files0-from= human-readable inodes dereference no-dereference separate-dirs si summarize threshold= time? time-style= exclude-from= exclude= one-file-system help version"}},
	{name: "egrep", ok: options{"EFGPe:f:iywxzsvVm:bnHhoqaId:D:rRlLcTZA:B:C:Uu", grep}},
	{name: "exa", ok: options{"1GlRTFaLdbBgHhimStuxs:D", ""}},
	{name: "expand", ok: options{"it:", "initial tabs= help version"}},
	{name: "expr", operands: words},
	{name: "eza", ok: options{"1GlRTFadbBgHhimStuxs:DL:", "all long tree level= git icons header sort= reverse recurse oneline"}},
	{name: "false", operands: words},
	{name: "fgrep", ok: options{"EFGPe:f:iywxzsvVm:bnHhoqaId:D:rRlLcTZA:B:C:Uu", grep}},
	{name: "file", ok: options{"bcde:f:F:hiIkLNnprsSvzZ0P:", "brief checking-printout exclude= files-from= separator= no-dereference mime mime-type mime-encoding keep-going dereference no-pad raw special-files uncompress print0 extension help version"}, out: options{"Cm:", "compile magic-file="}},
	{name: "fmt", ok: options{"cp:sutw:g:", "crown-margin prefix= split-only tagged-paragraph uniform-spacing width= goal= help version"}},
	{name: "fold", ok: options{"bsw:", "bytes spaces width= help version"}},
	{name: "free", ok: options{"bkmghwtls:c:", "bytes kilo mega giga human wide total lohi"}, operands: none},
	{name: "getconf", ok: options{"av:", ""}, operands: words},
	{name: "grep", ok: options{"EFGPe:f:iywxzsvVm:bnHhoqaId:D:rRlLcTZA:B:C:Uu", grep}},
	{name: "groups", operands: words},
	{name: "head", ok: options{"c:n:qvz", "bytes= lines= quiet silent verbose zero-terminated help version"}},
	{name: "hexdump", ok: options{"bcCde:f:n:os:vx", "canonical length= skip= no-squeezing"}},
	{name: "hostname", ok: options{"aAdfiIsy", "short fqdn long ip-address all-ip-addresses all-fqdns domain help version"}, bad: options{"F:b", "file= boot"}, operands: none},
	{name: "iconv", ok: options{"f:t:lcs", "from-code= to-code= list silent"}, out: options{"o:", "output="}},
	{name: "id", ok: options{"agGnruzZ", "group groups name real user zero context help version"}, operands: words},
	{name: "join", ok: options{"a:e:i1:2:j:o:t:v:z", "ignore-case check-order nocheck-order header zero-terminated help version"}},
	{name: "jq", ok: options{"nrRsScCMajehVf:L:", "from-file= null-input raw-output raw-output0 join-output raw-input slurp compact-output color-output monochrome-output ascii-output sort-keys exit-status arg argjson slurpfile rawfile args jsonargs tab indent= help version"}, operands: words},
	{name: "less", ok: options{"aABcCdDeEfFgGiIJKLmMnNqQrRsSuUVwWXz:p:x:", "RAW-CONTROL-CHARS quit-if-one-screen no-init chop-long-lines LINE-NUMBERS ignore-case IGNORE-CASE help version"}, out: options{"o:O:", "log-file= LOG-FILE="}, bad: options{"k:P:t:T:b:h:j:y:", "lesskey-file= lesskey-src= lesskey-content= cmd= tag= tag-file="}},
	{name: "locale", ok: options{"amckv", "all-locales charmaps"}, operands: words},
	{name: "locate", ok: options{"bcd:eil:0rwqS", "basename count existing ignore-case limit= null regexp= regex"}, operands: words},
	{name: "logname"},
	{name: "ls", ok: options{"aAbBcCdDfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1", ls}},
	{name: "lsblk", ok: options{"abdDefhilmnJo:OpPrstT", ""}},
	{name: "lscpu", ok: options{"abcdeJprsxy", ""}, operands: none},
	{name: "lsof", ok: options{"anPi:p:u:c:d:ltR", ""}, operands: words},
	{name: "man", ok: options{"akfwWcs:S:e:L:iI", "all apropos whatis where path where-cat section= locale= ignore-case match-case regex wildcard names-only help version"}, bad: options{"P:C:H:T:XZ:p:l", "pager= html? config-file= preprocessor= gxditview? troff-device? ditroff local-file browser="}, operands: words},
	{name: "md5", ok: options{"pqrtx", ""}},
	{name: "md5sum", ok: options{"bctwz", digest}},
	{name: "mdfind", ok: options{"0", "onlyin name count"}, operands: words},
	{name: "nl", ok: options{"b:d:f:h:i:l:n:ps:v:w:", "body-numbering= section-delimiter= footer-numbering= header-numbering= line-increment= join-blank-lines= number-format= no-renumber number-separator= starting-line-number= number-width= help version"}},
	{name: "nm", ok: options{"aABCDglnoprSsuv", "demangle defined-only undefined-only dynamic extern-only size-sort numeric-sort"}},
	{name: "nproc", ok: options{"", "all ignore= help version"}, operands: none},
	{name: "numfmt", ok: options{"d:z", "from= to= from-unit= to-unit= format= padding= suffix= field= header? delimiter= grouping round= invalid= help version"}, operands: words},
	{name: "objdump", ok: options{"adDfhpstTrRSxCM:j:", "disassemble disassemble-all all-headers section-headers syms source demangle"}},
	{name: "od", ok: options{"A:abcdfilosxj:N:S:t:vw:", "address-radix= endian= skip-bytes= read-bytes= strings? format= output-duplicates width? traditional help version"}},
	{name: "paste", ok: options{"d:sz", "delimiters= serial zero-terminated help version"}},
	{name: "pathchk", ok: options{"pP", "portability help version"}, operands: words},
	{name: "pgrep", ok: options{"acd:flLinoP:s:t:u:U:vwx", "full list-name list-full count newest oldest parent= exact ignore-case"}, operands: words},
	{name: "pidof", ok: options{"sxo:q", ""}, operands: words},
	{name: "pinky", ok: options{"lbhpsfwiq", ""}, operands: words},
	{name: "pr", ok: options{"acdD:eFhiJlmnNoOrsStTvwW", ""}},
	{name: "printenv", ok: options{"0", "null help version"}, operands: words},
	{name: "ps", ok: options{"aAdefgGHjlLmMnNoOpqrsStTuUvVwxXyZ", "pid= ppid= sort= forest no-headers headers user= User= cols= columns= format= help? version"}, operands: words},
	{name: "pstree", ok: options{"aAcCghGlnNpsSTtuUZ", ""}, operands: words},
	{name: "pwd", ok: options{"LP", "logical physical help version"}, operands: words},
	{name: "readelf", ok: options{"aAcdDehIlnrsSuVwWx:p:t", "all file-header program-headers section-headers symbols dynamic wide"}},
	{name: "readlink", ok: options{"femnqsvz", "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version"}},
	{name: "realpath", ok: options{"emLPqsz", "canonicalize-existing canonicalize-missing logical physical quiet relative-to= relative-base= strip no-symlinks zero help version"}},
	{name: "rev"},
	{name: "rg", ok: options{"e:f:g:t:T:isSFwxvnNHIlLcoUuaA:B:C:m:d:r:j:M:0pqbPE:hV", "regexp= file= glob= iglob= type= type-not= ignore-case case-sensitive smart-case fixed-strings word-regexp line-regexp invert-match line-number no-line-number with-filename no-filename files-with-matches files-without-match files count count-matches only-matching multiline multiline-dotall unrestricted hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent no-ignore-global no-ignore-dot follow text after-context= before-context= context= max-count= max-depth= max-filesize= max-columns= replace= threads= sort= sortr= stats json vimgrep color= colors= heading no-heading null null-data passthru pretty quiet trim type-list pcre2 engine= encoding= byte-offset column no-column no-messages one-file-system no-config debug trace glob-case-insensitive context-separator= crlf binary mmap no-mmap block-buffered line-buffered include-zero auto-hybrid-regex no-unicode path-separator= help version"}, bad: options{"z", "pre= pre-glob= hostname-bin= search-zip type-add= type-clear= hyperlink-format= ignore-file= generate="}},
	{name: "seq", ok: options{"f:s:w", "format= separator= equal-width help version"}, operands: words},
	{name: "sha1sum", ok: options{"bctwz", digest}},
	{name: "sha224sum", ok: options{"bctwz", digest}},
	{name: "sha256sum", ok: options{"bctwz", digest}},
	{name: "sha384sum", ok: options{"bctwz", digest}},
	{name: "sha512sum", ok: options{"bctwz", digest}},
	{name: "shasum", ok: options{"a:bctUpqsw0", "algorithm= check text binary"}},
	{name: "size", ok: options{"ABdotx", ""}},
	{name: "sleep", operands: words},
	{name: "sort", ok: options{"bcCdfghik:Mmnrst:uVzS:R", "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort random-source= reverse sort= version-sort batch-size= check? debug files0-from= key= merge stable buffer-size= field-separator= parallel= unique zero-terminated help version"}, out: options{"o:T:", "output= temporary-directory="}, bad: options{"", "compress-program="}},
	{name: "stat", ok: options{"Lfc:tx", "dereference file-system cached= format= printf= terse help version"}},
	{name: "strings", ok: options{"afn:t:e:s:oT:w", "all print-file-name bytes= radix= encoding= include-all-whitespace output-separator="}},
	{name: "sum", ok: options{"rs", "sysv help version"}},
	{name: "sw_vers", ok: options{"", ""}, operands: words},
	{name: "tac", ok: options{"brs:", "before regex separator= help version"}},
	{name: "tail", ok: options{"c:fFn:qs:vz", "bytes= follow? lines= max-unchanged-stats= pid= quiet silent retry sleep-interval= verbose zero-terminated help version"}},
	{name: "test", operands: words},
	{name: "tokei", ok: options{"e:fst:o:", "files sort= exclude= type= output="}},
	{name: "tr", ok: options{"cCdst", "complement delete squeeze-repeats truncate-set1 help version"}, operands: words},
	{name: "tree", ok: options{"adflxL:P:I:ipsugDFqNQhnCAS:XJrtcUvH:T:", "gitignore noreport charset= filelimit= dirsfirst matchdirs prune du si inodes device timefmt= sort= noreport filesfirst info help version"}, out: options{"o:R", ""}},
	{name: "true", operands: words},
	{name: "tsort", ok: options{"", "help version"}},
	{name: "tty", ok: options{"s", "silent quiet help version"}, operands: none},
	{name: "uname", ok: options{"amnoprsvi", "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system help version"}, operands: none},
	{name: "unexpand", ok: options{"at:", "all first-only tabs= help version"}},
	{name: "uniq", ok: options{"cdDf:is:uw:z", "count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars= help version"}, operands: lastOutput},
	{name: "uptime", ok: options{"psV", "pretty since"}, operands: none},
	{name: "users"},
	{name: "vdir", ok: options{"aAbBcCdfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1", ls}},
	{name: "vm_stat", operands: words},
	{name: "vmstat", ok: options{"afnsSdDmtw", ""}, operands: words},
	{name: "w", ok: options{"hsfoui", ""}, operands: words},
	{name: "wc", ok: options{"clmLw", "bytes chars lines files0-from= max-line-length words total= help version"}},
	{name: "whereis", ok: options{"bmsul", ""}, operands: words},
	{name: "which", ok: options{"as", "all skip-alias skip-dot skip-tilde show-dot show-tilde tty-only"}, operands: words},
	{name: "who", ok: options{"abdHlmpqrsStTuw", "all boot dead heading login lookup process count runlevel short time users"}, operands: words},
	{name: "whoami", ok: options{"", "help version"}, operands: none},
	{name: "xxd", ok: options{"abc:Eeg:hil:n:o:Pprs:uvR:", "plain postscript revert reverse"}, operands: lastOutput},
	{name: "yes", operands: words},
	{name: "zcat"},
	{name: "zgrep", ok: options{"EFGe:iwxvm:bnHhoqalLcA:B:C:", ""}},
}
