package host

import (
	"sync"

	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// Live hands out what calls get in a process that outlives a change of the
// policy.
type Live struct {
	host *Host

	mu    sync.Mutex
	env   *tool.Env
	tools *tools.Catalog
	seen  *sources // that env and tools follow from; nil if there are none
}

// Live returns what hands out the environments of a long-lived process.
func (h *Host) Live() *Live { return &Live{host: h} }

// Env returns the environment of the current project and its tools, as the
// settings, manifests, trust and projects of this moment make them. While no
// source has changed, they are those of the last call, and cost a stat for each
// source; else everything is loaded anew. A call that runs keeps the environment
// that it began with.
//
// Settings with a fault are an error each time, until the fault is mended.
func (l *Live) Env() (*tool.Env, *tools.Catalog, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen != nil && l.seen.unchanged() {
		return l.env, l.tools, nil
	}
	now := l.host.as(l.host.Options)
	now.seen = &sources{}
	l.seen = nil
	env, catalog, err := now.Env()
	if err != nil {
		return nil, nil, err
	}
	l.env, l.tools, l.seen = env, catalog, now.seen
	return env, catalog, nil
}
