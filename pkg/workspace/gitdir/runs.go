package gitdir

import (
	"slices"
	"strings"
)

// Runs reports whether git may run the value of a setting as a program, or part of it.
func (s Setting) Runs() bool {
	switch s.Section {
	case "alias", "pager", "sequence":
		return true
	case "core":
		return slices.Contains([]string{"fsmonitor", "pager", "sshcommand", "editor", "gitproxy", "askpass", "alternaterefscommand"}, s.Key)
	case "filter":
		return slices.Contains([]string{"clean", "smudge", "process"}, s.Key)
	case "diff":
		return slices.Contains([]string{"external", "command", "textconv"}, s.Key)
	case "merge":
		return s.Key == "driver"
	case "difftool", "mergetool", "man", "browser", "guitool":
		return s.Key == "cmd" || s.Key == "path"
	case "credential":
		return s.Key == "helper"
	case "gpg":
		return s.Key == "program" || s.Key == "defaultkeycommand"
	case "interactive":
		return s.Key == "difffilter"
	case "remote":
		return slices.Contains([]string{"uploadpack", "receivepack", "vcs"}, s.Key)
	case "submodule":
		return s.Key == "update" && strings.HasPrefix(s.Value, "!")
	case "trailer":
		return s.Key == "command" || s.Key == "cmd"
	case "tar":
		return s.Key == "command"
	case "uploadpack":
		return s.Key == "packobjectshook"
	case "sendemail":
		return strings.HasSuffix(s.Key, "cmd") || s.Key == "smtpserver"
	case "web", "help", "instaweb":
		return true
	}
	return false
}

// Recorded reports whether a file of settings changed from old to text only as git
// changes it when it makes or removes a branch or a submodule.
func Recorded(old, text []byte) bool {
	before, err := Parse(old)
	if err != nil {
		return false
	}
	after, err := Parse(text)
	if err != nil {
		return false
	}
	kept := func(all []Setting) []Setting {
		return slices.DeleteFunc(slices.Clone(all), func(s Setting) bool {
			return s.Section == "branch" || s.Section == "submodule" || s.Is("core", "worktree")
		})
	}
	return slices.Equal(kept(before), kept(after)) && !slices.ContainsFunc(after, func(s Setting) bool {
		return !slices.Contains(before, s) && !s.Harmless()
	})
}

// Harmless reports whether a setting is one of those that git itself writes when it
// makes a repository, a branch or a submodule, and by which it neither runs a program
// nor reads another file. What is not known to be harmless is not.
func (s Setting) Harmless() bool {
	switch s.Section {
	case "core":
		return s.Name == "" && slices.Contains([]string{
			"repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode", "symlinks", "worktree",
			"autocrlf", "eol", "safecrlf", "quotepath", "longpaths", "sharedrepository", "sparsecheckout", "sparsecheckoutcone",
			"untrackedcache", "preloadindex", "commitgraph", "multipackindex", "splitindex", "abbrev", "compression", "bigfilethreshold",
			"trustctime", "checkstat",
		}, s.Key)
	case "remote":
		switch s.Key {
		case "url", "pushurl":
			return !strings.Contains(s.Value, "::") // which names a helper program
		case "fetch", "push", "mirror", "tagopt", "prune", "promisor", "partialclonefilter", "skipdefaultupdate", "skipfetchall":
			return true
		}
	case "submodule":
		switch s.Key {
		case "url":
			return !strings.Contains(s.Value, "::")
		case "update":
			return !strings.HasPrefix(s.Value, "!")
		case "active", "branch", "ignore", "shallow", "fetchrecursesubmodules", "recurse":
			return true
		}
	case "branch":
		return slices.Contains([]string{"remote", "pushremote", "merge", "rebase", "description"}, s.Key)
	case "extensions":
		return slices.Contains([]string{"objectformat", "compatobjectformat", "refstorage", "partialclone", "worktreeconfig", "relativeworktrees", "noop", "noop-v1"}, s.Key)
	case "user":
		return s.Key == "name" || s.Key == "email"
	case "init":
		return s.Key == "defaultbranch"
	case "lfs":
		return s.Key == "repositoryformatversion" || s.Key == "access"
	case "advice", "color", "gc", "pack", "index", "feature", "push", "fetch", "pull", "rerere", "status", "receive":
		return !strings.Contains(s.Key, "command") && !strings.Contains(s.Key, "program") && !strings.Contains(s.Key, "hook")
	}
	return false
}
