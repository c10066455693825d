package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// The long options of tar that have a value, with "=", and the others. Of several
// that an abbreviation may mean the first one counts, so the worst ones come first.
const tarOptions = "use-compress-program= to-command= checkpoint-action= info-script= new-volume-script= rsh-command= rmt-command= set-mtime-command= " +
	"listed-incremental= index-file= volno-file= remove-files delete absolute-names create append update catenate concatenate extract get files-from= file= directory= " +
	"list diff compare test-label null verbatim-files-from no-verbatim-files-from exclude-from= add-file= exclude= transform= xform= strip-components= owner= group= " +
	"mode= mtime= newer= after-date= newer-mtime= format= label= tape-length= blocking-factor= record-size= starting-file= suffix= owner-map= group-map= sort= " +
	"quoting-style= quote-chars= no-quote-chars= pax-option= sparse-version= hole-detection= level= xattrs-include= xattrs-exclude= exclude-ignore= " +
	"exclude-ignore-recursive= exclude-tag= exclude-tag-under= exclude-tag-all= warning= checkpoint backup occurrence totals one-top-level " +
	"to-stdout verbose gzip gunzip ungzip bzip2 xz zstd lzma lzip lzop compress uncompress auto-compress no-auto-compress force-local wildcards no-wildcards " +
	"wildcards-match-slash no-wildcards-match-slash ignore-case no-ignore-case anchored no-anchored no-recursion recursion exclude-vcs " +
	"exclude-vcs-ignores exclude-backups exclude-caches show-transformed-names show-stored-names show-defaults show-omitted-dirs show-snapshot-field-ranges " +
	"numeric-owner full-time utc ignore-zeros sparse seek no-seek read-full-records multi-volume block-number check-device no-check-device check-links " +
	"dereference hard-dereference one-file-system preserve-permissions same-permissions same-owner no-same-owner no-same-permissions acls no-acls xattrs " +
	"no-xattrs selinux no-selinux interactive confirmation unlink-first recursive-unlink overwrite overwrite-dir no-overwrite-dir keep-old-files " +
	"keep-newer-files keep-directory-symlink skip-old-files ignore-failed-read ignore-command-error no-ignore-command-error restrict touch " +
	"delay-directory-restore no-delay-directory-restore verify old-archive portability posix atime-preserve clamp-mtime preserve-order same-order " +
	"incremental no-null unquote no-unquote help usage version"

// tarLetters are the letters of tar, each behind a space and before the long option that
// it stands for.
const tarLetters = " Iuse-compress-program= Finfo-script= glisted-incremental= Pabsolute-names ccreate rappend uupdate Aconcatenate xextract tlist ddiff ffile= " +
	"Cdirectory= Tfiles-from= Xexclude-from= Htext= Ktext= Ltext= Ntext= Vtext= btext="

// tarLetter returns the long option that a letter stands for, as in tarOptions.
func tarLetter(letter byte) string {
	_, option, _ := strings.Cut(tarLetters, string([]byte{' ', letter}))
	option, _, _ = strings.Cut(option, " ")
	return option
}

// tarLong returns the long option that a name may stand for.
func tarLong(name string) string {
	for option := range strings.FieldsSeq(tarOptions) {
		if strings.TrimSuffix(option, "=") == name {
			return option
		}
	}
	for option := range strings.FieldsSeq(tarOptions) {
		if name != "" && strings.HasPrefix(option, name) {
			return option
		}
	}
	return ""
}

// tarCall collects the options of a call of tar.
type tarCall struct {
	findings

	archives, directories, unlisted []word.Word

	creates, extracts, lists     bool
	listed, verbatim, local, all bool // files-from, of which no line is an option; force-local; absolute-names
}

// tar judges tar, whose first argument may be options without a dash.
func tar(c Call) findings {
	if len(c.Args) == 0 {
		return nil
	}
	var t tarCall
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		if w.MayBeOption() {
			t.dynamic("tar", w)
		}
		switch {
		case w.Text == "--" && w.Known():
			t.operands(c.Args[i+1:])
			i = len(c.Args)
		case strings.HasPrefix(w.Text, "--"):
			name, text, joined := strings.Cut(w.Text[2:], "=")
			option := tarLong(name)
			var v word.Word
			switch {
			case joined:
				v = word.Word{Text: text, Source: w.Source, Lit: w.Lit}
			case strings.HasSuffix(option, "=") && i+1 < len(c.Args):
				i++
				v = c.Args[i]
			}
			t.option(option, w, v)
		case i == 0 || strings.HasPrefix(w.Text, "-") && len(w.Text) > 1:
			i = t.letters(c.Args, i)
		default:
			t.operands(c.Args[i : i+1])
		}
	}
	t.conclude()
	return t.findings
}

// letters judges the i-th argument, which is a word of letters, and returns the
// index of the last argument that belongs to it. Without a dash the values of all
// its letters follow it.
func (t *tarCall) letters(args []word.Word, i int) int {
	w := args[i]
	letters, dashed := strings.CutPrefix(w.Text, "-")
	for j := range len(letters) {
		option := tarLetter(letters[j])
		if !strings.HasSuffix(option, "=") {
			t.option(option, word.Word{}, word.Word{})
			continue
		}
		if dashed && j+1 < len(letters) {
			t.option(option, w, word.Word{Text: letters[j+1:], Source: w.Source, Lit: w.Lit})
			return i
		}
		var v word.Word
		if i+1 < len(args) {
			i++
			v = args[i]
		}
		t.option(option, w, v)
	}
	return i
}

// option judges one option of tar, which is written as w; w is empty for a letter that is
// harmless if it is not known.
func (t *tarCall) option(option string, w, v word.Word) {
	switch option {
	case "use-compress-program=", "to-command=", "checkpoint-action=", "info-script=", "new-volume-script=", "rsh-command=", "rmt-command=", "set-mtime-command=":
		t.mayRun("tar", w)
	case "listed-incremental=", "index-file=", "volno-file=":
		t.writes(v)
	case "remove-files", "delete":
		t.effect(removes, "tar "+w.Text)
	case "absolute-names":
		t.all = true
	case "create", "append", "update", "catenate", "concatenate":
		t.creates = true
	case "extract", "get":
		t.extracts = true
	case "list", "diff", "compare", "test-label":
		t.lists = true
	case "file=":
		t.archives = append(t.archives, v)
	case "directory=":
		t.directories = append(t.directories, v)
	case "files-from=":
		t.listed = true
		t.reads(v)
	case "null", "verbatim-files-from":
		t.verbatim = true
	case "force-local":
		t.local = true
	case "exclude-from=":
		t.reads(v)
	case "":
		if w.Text != "" {
			t.unlisted = append(t.unlisted, w)
		}
	}
}

func (t *tarCall) operands(args []word.Word) {
	for _, w := range args {
		if strings.Contains(w.Text, "/") {
			t.reads(w)
		}
	}
}

// conclude judges what all options say together.
func (t *tarCall) conclude() {
	changes := t.creates || t.extracts || !t.lists
	if changes {
		t.effect(changesFiles, "tar")
	}
	if t.all && changes {
		t.raise(policy.Destructive, finding.Outside, fault.T("tar -P may write outside the workspace"))
	}
	for _, w := range t.unlisted {
		t.unknownOption("tar", w)
	}
	if t.listed && !t.verbatim { // a line of the list may be an option
		t.opaque("tar -T")
	}
	for _, dir := range t.directories {
		if changes {
			t.writesBelow(dir)
		} else {
			t.reads(dir)
		}
	}
	for _, archive := range t.archives {
		host, _, elsewhere := strings.Cut(archive.Text, ":")
		switch {
		case elsewhere && !t.local && !strings.Contains(host, "/"):
			t.network()
			t.raise(policy.Destructive, finding.Network, fault.T("tar reaches %s on another machine", archive.Source))
		case archive.Text == "-":
		case t.creates:
			t.writes(archive)
		default:
			t.reads(archive)
		}
	}
}
