//go:build !linux

package workspace

var openers = map[string]func(string, Options) (*Root, error){"os.Root": Open}
