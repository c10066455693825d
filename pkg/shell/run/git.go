package run

import (
	"strconv"
)

// gitForReading returns the variables that keep git from running programs that the
// settings of a repository name, and from writing to the repository; see
// GIT_CONFIG_COUNT in git-config(1). It cannot take a setting back, only override
// it, so what has a name of the repository's choice is looked up in the repositories
// of dirs. With alone, no sandbox holds what is missed, and git does not look into
// the working trees of submodules, for which it drops these variables.
func gitForReading(home string, alone bool, dirs ...string) []string {
	settings := [][2]string{
		{"core.fsmonitor", "false"}, {"core.hooksPath", "/dev/null"}, {"core.pager", "cat"}, {"core.sshCommand", "false"},
		{"protocol.ext.allow", "never"}, {"safe.bareRepository", "explicit"}, {"gpg.program", "false"}, {"gpg.ssh.program", "false"},
		{"gpg.x509.program", "false"}, {"interactive.diffFilter", "cat"}, {"credential.helper", ""}, {"core.alternateRefsCommand", "false"},
		{"log.showSignature", "false"}, {"help.format", "man"}, {"man.man.path", "man"}, {"man.woman.path", "false"},
		{"man.konqueror.path", "false"}, {"submodule.recurse", "false"}, {"diff.submodule", "short"},
	}
	if alone {
		settings = append(settings, [2]string{"diff.ignoreSubmodules", "dirty"})
	}
	g := gitSettings{home: home}
	for _, dir := range dirs {
		g.repository(dir)
	}
	if g.Has("diff", "external") {
		settings = append(settings, [2]string{"diff.external", plainDiff})
	}
	for _, s := range g.sections {
		settings = append(settings, g.overrides(s, alone)...)
	}
	env := []string{"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=http:https", "GIT_CONFIG_COUNT=" + strconv.Itoa(len(settings))}
	if g.Unclear {
		env = append(env, "GIT_DIR=/dev/null") // then git does not run
	}
	for i, s := range settings {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+s[0], "GIT_CONFIG_VALUE_"+n+"="+s[1])
	}
	return env
}

// plainDiff compares two files as git does without an external program, of which
// there is no other way to have none. Git runs it with a shell.
const plainDiff = `f() { printf 'diff --git a/%s b/%s\n' "$1" "$1"; diff -u --label "a/$1" --label "b/$1" "$2" "$5"; :; }; f`

// overrides returns the settings under which a section with a name runs nothing.
func (g *gitSettings) overrides(s gitSection, alone bool) (all [][2]string) {
	at := s.section + "." + s.name + "."
	switch s.section {
	case "filter":
		return [][2]string{{at + "clean", ""}, {at + "smudge", ""}, {at + "process", ""}, {at + "required", "false"}}
	case "diff":
		// A driver may just as well say where functions begin.
		if g.Has("diff", "command") {
			all = append(all, [2]string{at + "command", plainDiff})
		}
		if g.Has("diff", "textconv") {
			all = append(all, [2]string{at + "textconv", "cat"}, [2]string{at + "cachetextconv", "false"})
		}
		return all
	case "merge":
		return [][2]string{{at + "driver", "false"}}
	case "man", "browser":
		return [][2]string{{at + "cmd", "false"}}
	case "gpg":
		return [][2]string{{at + "program", "false"}}
	case "credential":
		return [][2]string{{at + "helper", ""}}
	case "remote":
		return [][2]string{{at + "uploadpack", "false"}}
	case "submodule":
		if alone {
			return [][2]string{{at + "ignore", "dirty"}}
		}
	}
	return nil
}
