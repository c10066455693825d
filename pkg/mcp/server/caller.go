package server

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// callerOf names the client of a request: its user, its session and its program. The
// connections of one client are the same caller, as each of its requests may come by
// another one.
func callerOf(env *tool.Env, r interface {
	GetExtra() *mcp.RequestExtra
	ClientInfo() *mcp.Implementation
}) (string, error) {
	var caller struct{ Session, User, Client string }
	caller.Session = env.Session
	if extra := r.GetExtra(); extra != nil && extra.TokenInfo != nil {
		caller.User = extra.TokenInfo.UserID
	}
	if info := r.ClientInfo(); info != nil {
		caller.Client = info.Name
	}
	text, err := schema.Marshal(caller)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}
