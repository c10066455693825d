package program

const lsOptions = "all almost-all author escape block-size= ignore-backups color? directory dired classify? file-type format= full-time " +
	"group-directories-first no-group human-readable si dereference-command-line dereference-command-line-symlink-to-dir " +
	"hide= hyperlink? indicator-style= inode ignore= kibibytes dereference numeric-uid-gid literal hide-control-chars " +
	"show-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context " +
	"zero help version"

// listings are the programs that list files and take paths apart.
func listings() []Row {
	return []Row{
		{names: "basename", harmless: options{"as:z", "multiple suffix= zero help version"}, operands: words},
		{names: "df", harmless: options{
			"aB:hHiklPTt:x:",
			"all block-size= human-readable si inodes local no-sync output? portability print-type total type= exclude-type= help version",
		}},
		{names: "dir vdir", harmless: options{"aAbBcCdfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1", lsOptions}},
		{names: "dirname", harmless: options{"z", "zero help version"}, operands: words},
		{names: "du", harmless: options{
			"0aB:bcDd:HhklLmPSst:xX:",
			"null all apparent-size block-size= bytes total dereference-args max-depth= files0-from= human-readable inodes dereference " +
				"no-dereference separate-dirs si summarize threshold= time? time-style= exclude-from= exclude= one-file-system help version",
		}},
		{names: "exa", harmless: options{short: "1GlRTFaLdbBgHhimStuxs:D"}},
		{names: "eza", harmless: options{"1GlRTFadbBgHhimStuxs:DL:", "all long tree level= git icons header sort= reverse recurse oneline"}},
		{
			names: "file",
			harmless: options{
				"bcde:f:F:hiIkLNnrsSvzZ0P:",
				"brief checking-printout exclude= files-from= separator= no-dereference mime mime-type mime-encoding keep-going " +
					"dereference no-pad raw special-files uncompress print0 extension help version",
			},
			// -C writes beside the file of -m, and -p sets times back.
			writes: options{"Cm:p", "compile magic-file= preserve-date"},
		},
		{names: "ls", harmless: options{"aAbBcCdDfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1", lsOptions}},
		{names: "lsblk", harmless: options{short: "abdDefhilmnJo:OpPrstT"}},
		{names: "pathchk", harmless: options{"pP", "portability help version"}, operands: words},
		{
			names:    "readlink",
			harmless: options{"femnqsvz", "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version"},
		},
		{names: "realpath", harmless: options{
			"emLPqsz",
			"canonicalize-existing canonicalize-missing logical physical quiet relative-to= relative-base= strip no-symlinks zero help version",
		}},
		{names: "stat", harmless: options{"Lfc:tx", "dereference file-system cached= format= printf= terse help version"}},
		{
			names: "tree",
			harmless: options{
				"adflxL:P:I:ipsugDFqNQhnCAS:XJrtcUvH:T:",
				"gitignore noreport charset= filelimit= dirsfirst matchdirs prune du si inodes device timefmt= sort= filesfirst " +
					"info help version",
			},
			writes: options{short: "o:R"}, // -R writes a file into each directory
		},
	}
}
