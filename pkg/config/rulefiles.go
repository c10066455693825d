package config

import (
	"path/filepath"
	"strings"
)

const (
	rulesSuffix = ".rules"
	// maxRuleFiles limits the files of rules read.
	maxRuleFiles = 200
)

// RuleFile is a file of the person's own rules about the output of programs. What its
// text means, package output knows.
type RuleFile struct {
	Path string // absolute
	Text string
	Err  error // it cannot be read; then there is no text
}

// Name returns the name of the file without its suffix.
func (f RuleFile) Name() string { return strings.TrimSuffix(filepath.Base(f.Path), rulesSuffix) }

// RuleFiles reads the files in a directory that end in .rules, sorted by their names.
// The directory need not exist; if it cannot be read, it takes the place of its files.
func RuleFiles(dir string) []RuleFile {
	names, err := Names(dir, rulesSuffix)
	if err != nil {
		return []RuleFile{{Path: dir, Err: err}}
	}
	var all []RuleFile
	for _, name := range names[:min(len(names), maxRuleFiles)] {
		if f, exists := ReadRules(filepath.Join(dir, name)); exists {
			all = append(all, f)
		}
	}
	return all
}

// ReadRules reads one file of rules.
func ReadRules(path string) (f RuleFile, exists bool) {
	data, err := Read(File{Source: User, Path: path})
	return RuleFile{Path: path, Text: string(data), Err: err}, err != nil || data != nil
}

// IsRules reports whether a file holds rules about output, by its name.
func IsRules(path string) bool { return strings.HasSuffix(path, rulesSuffix) }
