//go:build windows

package windows

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// commandLine returns the command line of a program that does not read it as others
// do; "" is for the usual way. Windows gives a program one text, which nearly all take
// apart by the rules of the C library: a quote in an argument is written \". cmd has
// rules of its own, to which a backslash is nothing special: behind /c it takes the
// rest as it is, and with /s it removes the first quote and the last one.
func commandLine(path string, argv []string) string {
	if name := strings.ToLower(filepath.Base(path)); name != "cmd.exe" && name != "cmd" {
		return ""
	}
	at := slices.IndexFunc(argv, func(arg string) bool { return strings.EqualFold(arg, "/c") || strings.EqualFold(arg, "/k") })
	if at < 1 {
		return ""
	}
	return `"` + path + `" ` + strings.Join(argv[1:at+1], " ") + ` "` + strings.Join(argv[at+1:], " ") + `"`
}

// batchArguments returns a fault for arguments that a file which cmd runs must not get:
// cmd takes them for text of its own, and no quotes keep it from running what is in
// them.
func batchArguments(path string, argv []string) error {
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".bat" && ext != ".cmd" {
		return nil
	}
	for _, arg := range argv[min(1, len(argv)):] {
		if strings.ContainsAny(arg, "\"%!^&|<>()\r\n") {
			return fault.New(fault.InvalidArguments, fault.T("cmd would not take %q for text when it runs %s", arg, filepath.Base(path))).
				WithHint(fault.T("call the program behind the batch file, or write a command line for cmd"))
		}
	}
	return nil
}
