package server

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// maxBase limits the bytes of a session's name that begin the names derived from it.
const maxBase = 96

// world returns the world of one session of clients by its id; "" stands for clients
// without one. Each client's session has its own record of the files it has read. The
// name derived from the id does not reveal the id, with which others could impersonate
// the client.
func (s *Server) world(id string) func() (*tool.Env, *tools.Catalog, error) {
	if id == "" {
		return s.World
	}
	sum := sha256.Sum256([]byte(id))
	suffix := "-" + hex.EncodeToString(sum[:6])
	return func() (*tool.Env, *tools.Catalog, error) {
		env, catalog, err := s.World()
		if err != nil {
			return nil, nil, err
		}
		name := strings.ToValidUTF8(env.Session[:min(len(env.Session), maxBase)], "") + suffix
		return within(env, name), catalog, nil
	}
}

// within returns an environment, and those of the other projects, with another session.
func within(env *tool.Env, session string) *tool.Env {
	if env == nil {
		return nil
	}
	own := *env
	own.Session = session
	if enter := env.Enter; enter != nil {
		own.Enter = func(id string) *tool.Env { return within(enter(id), session) }
	}
	return &own
}
