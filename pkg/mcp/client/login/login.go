// Package login obtains and keeps the tokens with which other servers of the Model
// Context Protocol know the person, as the protocol's specification of authorization
// says: an authorization code with PKCE, which a browser brings to a port of this
// machine, and refresh tokens after that. Only a person logs in; whoever else makes
// calls uses what was kept, or fails with what the person is to do. Tokens are in the
// state directory, readable by the person alone, and in no message.
//
// https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
package login

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Options configure a login.
type Options struct {
	Name string // of the server, for people
	URL  string // of the server; a token goes nowhere else
	// State opens the directory where tokens are kept.
	State func() (*state.Dir, error)
	// HTTP makes requests of authorization servers, under the rules of the network.
	HTTP *http.Client
	// Show has the person open an address, in a browser. Nil if no person is there: then
	// nobody can log in.
	Show func(address string) error

	// ClientID is helve's id at the authorization server, if it was registered there
	// before, or the https address of a document that describes helve; "" registers it.
	// ClientSecret goes with an id; "" is none.
	ClientID, ClientSecret string
}

// Handler has the tokens for one server. The library asks it for one before each request,
// and to log in when a server refuses a request. Its methods may be called from several
// goroutines.
type Handler struct {
	Options
	kept kept

	mu     sync.Mutex // held while a person logs in
	source *source    // nil before the first use
}

var _ auth.OAuthHandler = (*Handler)(nil)

// New returns the handler of a server. It opens nothing.
func New(o Options) *Handler { return &Handler{Options: o, kept: kept{o}} }

// TokenSource returns the source of the tokens that were kept; nil if there are none.
func (h *Handler) TokenSource(ctx context.Context) (oauth2.TokenSource, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.source == nil {
		g, err := h.kept.read()
		if err != nil || g == nil {
			return nil, err
		}
		h.source = &source{kept: h.kept, ctx: context.WithoutCancel(ctx)}
	}
	return h.source, nil
}

// Authorize has the person log in, because the server refused a request. The fault is
// not_configured where no person is there.
func (h *Handler) Authorize(ctx context.Context, request *http.Request, response *http.Response) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.Show == nil {
		drop(response)
		return h.kept.unknown(nil)
	}
	back, err := listen()
	if err != nil {
		drop(response)
		return err
	}
	defer back.close()
	flow, err := auth.NewAuthorizationCodeHandler(h.flow(back))
	if err != nil {
		drop(response)
		return fault.New(fault.NotConfigured, fault.T("%s: nobody can log in: %v", h.Name, err)).
			WithHint(fault.T("check --client-id"))
	}
	if err := flow.Authorize(ctx, request, response); err != nil {
		return h.failed(err)
	}
	h.source = &source{kept: h.kept, ctx: context.WithoutCancel(ctx)}
	return nil
}

// flow returns how a person logs in whose browser comes back to a port.
func (h *Handler) flow(back *callback) *auth.AuthorizationCodeHandlerConfig {
	c := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: back.address(), RequestRefreshToken: true, Client: h.HTTP,
		AuthorizationCodeFetcher: func(ctx context.Context, a *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			return back.fetch(ctx, a.URL, h.Show)
		},
		ScopeFilter: h.kept.scopes,
		NewTokenSource: func(ctx context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			if err := h.kept.write(ctx, &grant{Config: *c, Token: *t}); err != nil {
				return nil, err
			}
			return oauth2.StaticTokenSource(t), nil // it outlives the login in the kept file alone
		},
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "helve", RedirectURIs: []string{back.address()}, TokenEndpointAuthMethod: "none",
			GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
		}},
	}
	switch {
	case isAddress(h.ClientID):
		c.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: h.ClientID}
	case h.ClientID != "":
		c.PreregisteredClient = &oauthex.ClientCredentials{ClientID: h.ClientID}
		if h.ClientSecret != "" {
			c.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: h.ClientSecret}
		}
	}
	return c
}

// failed is the fault of a login that did not succeed.
func (h *Handler) failed(err error) error {
	var e *fault.Error
	switch {
	case errors.As(err, &e):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fault.As(err)
	}
	return fault.New(fault.PermissionDenied, fault.T("%s: the login failed: %s", h.Name, reason(err))).
		WithHint(fault.T("try again: helve tools login %s", h.Name))
}

// Forget removes the tokens of a server, and reports whether there were any.
func (h *Handler) Forget() (bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.source = nil
	return h.kept.remove()
}

// Known reports whether a person has logged in.
func (h *Handler) Known() (bool, error) {
	g, err := h.kept.read()
	return g != nil, err
}

// reason returns what an authorization server said, without what it was sent.
func reason(err error) string {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return shown(err.Error())
	}
	text := refused.ErrorCode
	if refused.ErrorDescription != "" {
		text += ": " + refused.ErrorDescription
	}
	if text == "" && refused.Response != nil {
		text = refused.Response.Status
	}
	return shown(text)
}

// drop ends a response whose content does not matter.
func drop(r *http.Response) {
	if r == nil || r.Body == nil {
		return
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 1<<20)) // so that the connection can be used again
	r.Body.Close()
}
