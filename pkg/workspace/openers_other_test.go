//go:build !linux

package workspace

var openers = map[string]func(string, Options) (asked, error){"os.Root": opened}
