package program

const grepOptions = "extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case word-regexp " +
	"line-regexp null-data no-messages invert-match version help max-count= byte-offset line-number line-buffered " +
	"with-filename no-filename label= only-matching quiet silent binary-files= text directories= devices= recursive " +
	"dereference-recursive include= exclude= exclude-from= exclude-dir= files-without-match files-with-matches count " +
	"initial-tab null before-context= after-context= context= group-separator= no-group-separator color? colour? binary " +
	"unix-byte-offsets"

// searchers are the programs that search in files and for files.
func searchers() []Row {
	return []Row{
		{names: "find", judge: find},
		{names: "fd fdfind", judge: fd},
		{
			names: "ag", harmless: options{"aAcCDfFgGhHilLnoqQrRsSuUvwzm:0", "nocolor noheading hidden ignore= literal count files-with-matches"},
			runs: options{long: "pager="},
		},
		{names: "egrep fgrep grep", harmless: options{"EFGPe:f:iywxzsvVm:bnHhoqaId:D:rRlLcTZA:B:C:Uu", grepOptions}},
		{names: "locate", harmless: options{"bcd:eil:0rwqS", "basename count existing ignore-case limit= null regexp= regex"}, operands: words},
		{names: "mdfind", harmless: options{"0", "onlyin name count"}, operands: words},
		{
			names: "rg",
			harmless: options{
				"e:f:g:t:T:isSFwxvnNHIlLcoUuaA:B:C:m:d:r:j:M:0pqbPE:hV",
				"regexp= file= glob= iglob= type= type-not= ignore-case case-sensitive smart-case fixed-strings word-regexp " +
					"line-regexp invert-match line-number no-line-number with-filename no-filename files-with-matches " +
					"files-without-match files count count-matches only-matching multiline multiline-dotall unrestricted hidden " +
					"no-hidden no-ignore no-ignore-vcs no-ignore-parent no-ignore-global no-ignore-dot follow text after-context= " +
					"before-context= context= max-count= max-depth= max-filesize= max-columns= replace= threads= sort= sortr= stats " +
					"json vimgrep color= colors= heading no-heading null null-data passthru pretty quiet trim type-list pcre2 engine= " +
					"encoding= byte-offset column no-column no-messages one-file-system no-config debug trace glob-case-insensitive " +
					"context-separator= crlf binary mmap no-mmap block-buffered line-buffered include-zero auto-hybrid-regex " +
					"no-unicode path-separator= help version",
			},
			runs: options{
				"z", // runs the decompressor of each file
				"pre= pre-glob= hostname-bin= search-zip type-add= type-clear= hyperlink-format= ignore-file= generate=",
			},
		},
		{names: "whereis", harmless: options{short: "bmsul"}, operands: words},
		{names: "which", harmless: options{"as", "all skip-alias skip-dot skip-tilde show-dot show-tilde tty-only"}, operands: words},
		{names: "zgrep", harmless: options{short: "EFGe:iwxvm:bnHhoqalLcA:B:C:"}},
	}
}
