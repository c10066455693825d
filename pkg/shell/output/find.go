package output

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed rules/*.rules
var builtin embed.FS

// suffix ends the names of files with rules.
const suffix = ".rules"

// File is a file of rules beside the built-in ones.
type File struct {
	Name string // without its suffix
	Path string // as messages name it; "" is its name
	Text string
}

// End is the end of the program whose output it is, as far as it is known.
type End int

// The ends.
const (
	Unknown   End = iota
	Succeeded     // the program's own status is 0
	Failed
)

// Source describes the programs that printed an output.
type Source struct {
	// Commands are the commands that ran, each a program and its arguments.
	Commands [][]string
	// Runs is set if they may have started programs that are not named here.
	Runs bool
	End  End
	Raw  bool // nothing is to be left out but for its length
	// Own returns the rules of the person's, which count before the built-in ones. It is
	// called only for an output that is long enough to be reduced; nil is none.
	Own func() []File
}

// Check returns a fault if a file cannot be used.
func (f File) Check() error {
	_, err := f.parse()
	return err
}

// Window returns how many bytes of the beginning and of the end of the output are worth
// keeping in memory to be reduced; the person's own rules do not count here.
func (s Source) Window() (head, tail int) {
	if s.Runs || slices.ContainsFunc(builtins(), s.names) {
		return 1 << 20, 3 << 20
	}
	return 64 << 10, 448 << 10
}

// find returns the rules for a text. A file of the person's own that cannot be used is
// left out.
func (s Source) find(text string) []*rules {
	files := builtins()
	if s.Own != nil {
		files = append(s.Own(), files...)
	}
	var named, signed []*rules
	for _, f := range files {
		own := s.names(f)
		if !own && (!s.Runs || !f.signs(text)) {
			continue
		}
		r, err := f.parse()
		switch {
		case err != nil:
		case own:
			r.signs, r.bounds = nil, nil
			named = append(named, r)
		default:
			signed = append(signed, r)
		}
	}
	return append(named, signed...)
}

// builtins returns the built-in files.
func builtins() []File {
	entries, err := fs.ReadDir(builtin, "rules")
	if err != nil {
		return nil // they are part of the program
	}
	all := make([]File, 0, len(entries))
	for _, e := range entries {
		if text, err := builtin.ReadFile("rules/" + e.Name()); err == nil {
			all = append(all, File{Name: strings.TrimSuffix(e.Name(), suffix), Text: string(text)})
		}
	}
	return all
}

// values calls found with what follows a word at the beginning of a line, until that
// returns true.
func (f File) values(word string, found func(rest string) bool) bool {
	for line := range strings.Lines(f.Text) {
		if rest, ok := strings.CutPrefix(line, word+" "); ok && found(strings.TrimSpace(rest)) {
			return true
		}
	}
	return false
}

// signs reports whether a text has one of the signs.
func (f File) signs(text string) bool {
	return f.values("sign", func(sign string) bool { return sign != "" && strings.Contains(text, sign) })
}

// names reports whether one of the commands runs one of the programs of a file.
func (s Source) names(f File) bool {
	return f.values("program", func(words string) bool {
		want := strings.Fields(words)
		return len(want) > 0 && slices.ContainsFunc(s.Commands, func(command []string) bool { return runs(command, want) })
	})
}

// runs reports whether a command runs a program, with the words that must follow.
func runs(command, want []string) bool {
	for i, word := range command {
		name := program(word)
		if name == want[0] && follow(command[i+1:], want[1:]) {
			return true
		}
		if !launches(name) && !strings.HasPrefix(word, "-") {
			return false
		}
	}
	return false
}

// program returns the name of a program without its directory and without what systems
// and installers put after it.
func program(word string) string {
	name := path.Base(strings.ReplaceAll(word, `\`, "/"))
	for _, end := range [...]string{".exe", ".cmd", ".bat", ".ps1", ".js", ".mjs", ".cjs", ".phar"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// launches reports whether a word may stand before the program that it starts.
func launches(name string) bool {
	switch name {
	case "npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "exec", "x", "dlx", "run", "uv", "uvx", "poetry", "pipenv", "hatch", "rye", "bundle",
		"sh", "bash", "node", "php", "ruby", "perl", "env", "time", "timeout", "nice", "nohup", "command", "stdbuf", "sudo", "cross-env", "dotenv", "coverage":
		return true
	}
	return strings.HasPrefix(name, "python")
}

// follow reports whether the words are the first of the arguments, options left aside.
// Whether an option takes the next argument is not known, so one argument after an
// option is passed over.
func follow(args, words []string) bool {
	for len(words) > 0 {
		if len(args) == 0 {
			return false
		}
		switch {
		case args[0] == words[0]:
			words = words[1:]
		case strings.HasPrefix(args[0], "-"):
			if len(args) > 1 && args[1] != words[0] && !strings.HasPrefix(args[1], "-") {
				args = args[1:]
			}
		case strings.HasPrefix(args[0], "+"):
		default:
			return false
		}
		args = args[1:]
	}
	return true
}
