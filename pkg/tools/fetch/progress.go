package fetch

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/web"
)

// ask sends a request of a call, which says meanwhile how far it has come.
func ask(ctx context.Context, client *web.Client, call *tool.Call, q web.Request) (*web.Response, error) {
	if call.Watched() {
		q.Progress = func(p web.Progress) { call.Progress(float64(p.Received), float64(p.Total), told(p)) }
	}
	return client.Get(ctx, q)
}

// told says how far a request has come.
func told(p web.Progress) fault.Text {
	switch {
	case p.Pause > 0:
		return fault.T("%s failed; asking again in %.1f s", p.Host, p.Pause.Seconds())
	case p.Received == 0:
		return fault.T("waiting for %s", p.Host)
	case p.Total > 0:
		return fault.T("%s of %s from %s", screen.Size(p.Received), screen.Size(p.Total), p.Host)
	}
	return fault.T("%s from %s", screen.Size(p.Received), p.Host)
}
