package ignore

// Stack is the rules that apply in one directory: its own and those of the
// directories above it. The zero value has none. A Stack is a value: its methods
// return a new one and do not change it.
type Stack struct {
	tool, git *level // deepest first
	exclude   *level // of the repository
	global    *level // the user's own, relative to the top of the repository
	mine      *Rules // those of global, as they are without fold
	fold      bool   // core.ignorecase is set in the repository
}

// level is the rules of one directory, whose entries start after base bytes of a
// path.
type level struct {
	above  *level
	base   int
	prefix string // the path from the directory to the root, if it is above the root
	rules  *Rules
}

// Directory holds the rules that a directory adds.
type Directory struct {
	// Tool are the rules of .helveignore and .ignore, which only search programs
	// read. The first of them that matches a path decides.
	Tool [2]*Rules
	// Git are those of .gitignore.
	Git *Rules
	// Repository says that a repository starts here. The rules of .gitignore files
	// above end, and those of Exclude (info/exclude) begin.
	Repository bool
	Exclude    *Rules
	Fold       bool // core.ignorecase is set in the repository
}

// New returns the stack at the root. global are the rules of the user's own ignore
// file, or nil. They are relative to the top of the repository, from which the path
// top leads to the root ("" if the root is the top).
func New(global *Rules, top string) Stack {
	if global == nil {
		return Stack{}
	}
	if top != "" {
		top += "/"
	}
	return Stack{mine: global, global: &level{prefix: top, rules: global}}
}

// Folded returns the stack for a root in a repository in which core.ignorecase is set.
// Call it before Above and AboveExclude.
func (s Stack) Folded() Stack {
	s.fold = true
	if s.global != nil {
		s.global = &level{prefix: s.global.prefix, base: s.global.base, rules: s.mine.Folded()}
	}
	return s
}

// folds returns the rules as they are in the repository.
func (s Stack) folds(r *Rules) *Rules {
	if s.fold {
		return r.Folded()
	}
	return r
}

// Above adds the rules of a .gitignore above the root. prefix is the path from its
// directory to the root. Call it for the farthest directory first.
func (s Stack) Above(prefix string, git *Rules) Stack {
	if git != nil {
		s.git = &level{above: s.git, prefix: prefix + "/", rules: s.folds(git)}
	}
	return s
}

// AboveExclude adds the rules of the info/exclude of a repository that starts above
// the root. prefix is the path from its top to the root.
func (s Stack) AboveExclude(prefix string, exclude *Rules) Stack {
	if exclude != nil {
		s.exclude = &level{prefix: prefix + "/", rules: s.folds(exclude)}
	}
	return s
}

// Enter returns the stack in a directory. The paths of its entries, relative to it,
// start after base bytes of the path that [Stack.Match] receives.
func (s Stack) Enter(base int, d Directory) Stack {
	if d.Repository {
		s.git, s.exclude, s.fold = nil, nil, d.Fold
		if d.Exclude != nil {
			s.exclude = &level{base: base, rules: s.folds(d.Exclude)}
		}
		if s.global != nil {
			s.global = &level{base: base, rules: s.folds(s.mine)}
		}
	}
	// The first of the two decides, so it is added last.
	for i := len(d.Tool) - 1; i >= 0; i-- {
		if d.Tool[i] != nil {
			s.tool = &level{above: s.tool, base: base, rules: d.Tool[i]}
		}
	}
	if d.Git != nil {
		s.git = &level{above: s.git, base: base, rules: s.folds(d.Git)}
	}
	return s
}

// Empty reports whether there are no rules.
func (s Stack) Empty() bool {
	return s.tool == nil && s.git == nil && s.exclude == nil && s.global == nil
}

// Match reports whether a path from the root is ignored. It assumes that no
// directory above the path is. The first rules that match decide: .helveignore and
// .ignore, then .gitignore (both from the deepest directory up), then info/exclude,
// then the user's own file.
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
