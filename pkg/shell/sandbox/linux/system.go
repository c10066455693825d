//go:build linux && (amd64 || arm64)

package linux

import (
	"net"
	"os"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// System implements [sandbox.System].
type System struct{}

// confined is a profile that is enforced for one command at a time.
type confined struct {
	*sandbox.Confinement
	snapshot *snapshot       // of the protected paths, while a command runs
	watch    *watch          // of the whole tree
	nursery  *nursery        // makes the files of the command
	veil     *veil           // before what is hidden in writable directories
	laid     []sandbox.Moved // what the nursery has laid aside
	file     *os.File        // says how to finish if this process is killed
	listener net.Listener
	loopback *sandbox.Loopback
}

// New implements [sandbox.System].
func (System) New(p sandbox.Profile, s sandbox.Support, k sandbox.Kind) (sandbox.Sandbox, error) {
	sb, err := newConfined(p, s, k)
	if err != nil {
		return nil, err
	}
	return sb, nil
}

func newConfined(p sandbox.Profile, s sandbox.Support, k sandbox.Kind) (*confined, error) {
	c, err := sandbox.Confine(p, s, k)
	if err != nil {
		return nil, err
	}
	for _, word := range missing(k) {
		c.Degrade(word)
	}
	return &confined{Confinement: c}, nil
}

// Listener implements [sandbox.Sandbox].
func (sb *confined) Listener() net.Listener { return sb.listener }

// Loopback implements [sandbox.Sandbox].
func (sb *confined) Loopback() *sandbox.Loopback { return sb.loopback }
