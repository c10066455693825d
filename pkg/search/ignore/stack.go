package ignore

// Stack is the rules that hold in one directory: its own and those of the
// directories above it. The zero value has none. Stacks are values: descending
// makes a new one and leaves the old as it was.
type Stack struct {
	tool, git *level // deepest first
	exclude   *level // of the repository
	global    *level // the person's own, from the top of the repository
}

// level is the rules of one directory, base bytes down the path.
type level struct {
	above  *level
	base   int
	prefix string // put before a path that starts below the directory
	rules  *Rules
}

// Directory is what a directory adds to the rules.
type Directory struct {
	// Tool are the rules of files that only search programs read, .helveignore
	// before .ignore: the first that speaks of a path decides.
	Tool [2]*Rules
	// Git are those of .gitignore.
	Git *Rules
	// Repository says that a repository starts here: what .gitignore files above
	// say ends, and Exclude (info/exclude) holds below.
	Repository bool
	Exclude    *Rules
}

// New is the stack at the root. global are the rules of the person's own
// excludes file, and may be nil; they are meant from the top of the repository,
// from where the path top leads to the root ("" if that is the top).
func New(global *Rules, top string) Stack {
	if global == nil {
		return Stack{}
	}
	if top != "" {
		top += "/"
	}
	return Stack{global: &level{prefix: top, rules: global}}
}

// Above adds the rules of a .gitignore that stands outside the root, prefix/
// being the path from there to the root. Farther directories come first.
func (s Stack) Above(prefix string, git *Rules) Stack {
	if git != nil {
		s.git = &level{above: s.git, prefix: prefix + "/", rules: git}
	}
	return s
}

// AboveExclude adds the rules of info/exclude of a repository whose top, prefix/
// above the root, stands outside.
func (s Stack) AboveExclude(prefix string, exclude *Rules) Stack {
	if exclude != nil {
		s.exclude = &level{prefix: prefix + "/", rules: exclude}
	}
	return s
}

// Enter is the stack in a directory whose entries' paths start base bytes
// after the start of the path given to [Stack.Match].
func (s Stack) Enter(base int, d Directory) Stack {
	if d.Repository {
		s.git, s.exclude = nil, nil
		if d.Exclude != nil {
			s.exclude = &level{base: base, rules: d.Exclude}
		}
		if s.global != nil {
			s.global = &level{base: base, rules: s.global.rules}
		}
	}
	// The first of the two decides, so it is nearer.
	for i := len(d.Tool) - 1; i >= 0; i-- {
		if d.Tool[i] != nil {
			s.tool = &level{above: s.tool, base: base, rules: d.Tool[i]}
		}
	}
	if d.Git != nil {
		s.git = &level{above: s.git, base: base, rules: d.Git}
	}
	return s
}

// Empty reports whether no rule holds.
func (s Stack) Empty() bool {
	return s.tool == nil && s.git == nil && s.exclude == nil && s.global == nil
}

// Match reports whether a path from the root is ignored. It assumes that no
// directory above the path is. Search programs' own files go first, then
// .gitignore files, the deepest first, info/exclude, and the person's own.
func (s Stack) Match(rel string, dir bool) bool {
	for _, l := range [...]*level{s.tool, s.git, s.exclude, s.global} {
		for ; l != nil; l = l.above {
			if v := l.match(rel, dir); v != None {
				return v == Ignored
			}
		}
	}
	return false
}

func (l *level) match(rel string, dir bool) Verdict {
	if l.prefix != "" {
		return l.rules.Match(l.prefix+rel, dir)
	}
	return l.rules.Match(rel[l.base:], dir)
}
