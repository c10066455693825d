package state

import (
	"strconv"
)

// Stamp returns a text that differs once a file or the names in a directory have changed;
// "" for what is not there. It reads nothing.
func (d *Dir) Stamp(name string) string {
	p, err := d.use()
	if err != nil || checkName(name) != nil {
		return ""
	}
	info, err := p.dir.Stat(name)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.Size(), 36) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 36)
}
