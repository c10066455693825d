package login_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/helve-dev/helve/pkg/mcp/client/login"
	"github.com/helve-dev/helve/pkg/state"
)

// authority is a server of the protocol and the authorization server before it.
type authority struct {
	*httptest.Server
	t *testing.T

	mu        sync.Mutex
	challenge string // of PKCE
	redirect  string
	access    int // tokens that were issued
	refresh   string
	refreshes int
	scopes    []string
	revoked   bool
	endpoint  string // where people log in; "" is the usual place
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t}
	mux := http.NewServeMux()
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{"resource": a.URL + "/mcp", "authorization_servers": []string{a.URL}, "scopes_supported": []string{"files"}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{
			"issuer": a.URL, "authorization_endpoint": cmp.Or(a.endpoint, a.URL+"/authorize"), "token_endpoint": a.URL + "/token", "registration_endpoint": a.URL + "/register",
			"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
		})
	})
	mux.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		var m map[string]any
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		m["client_id"] = "registered"
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(m)
	})
	mux.HandleFunc("/authorize", a.authorize)
	mux.HandleFunc("/token", a.token)
	return a
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (a *authority) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	a.mu.Lock()
	defer a.mu.Unlock()
	if q.Get("code_challenge_method") != "S256" || q.Get("resource") != a.URL+"/mcp" || q.Get("client_id") == "" {
		a.t.Errorf("the login asks for %v", q)
	}
	a.challenge, a.redirect, a.scopes = q.Get("code_challenge"), q.Get("redirect_uri"), strings.Fields(q.Get("scope"))
	http.Redirect(w, r, a.redirect+"?code=the-code&state="+url.QueryEscape(q.Get("state")), http.StatusFound)
}

func (a *authority) token(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		a.t.Error(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	seconds := 3600
	switch r.Form.Get("grant_type") {
	case "authorization_code":
		if oauth2.S256ChallengeFromVerifier(r.Form.Get("code_verifier")) != a.challenge || r.Form.Get("code") != "the-code" || r.Form.Get("redirect_uri") != a.redirect {
			a.t.Errorf("the code is exchanged with %v", r.Form)
		}
	case "refresh_token":
		if a.revoked || r.Form.Get("refresh_token") != a.refresh { // it is good for one use
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
			return
		}
		a.refreshes++
		seconds *= 5 // the clock of the test is ahead by two hours
	}
	a.access++
	a.refresh = "refresh-" + string(rune('a'+a.access))
	reply(w, map[string]any{"access_token": "secret-" + string(rune('a'+a.access)), "token_type": "Bearer", "expires_in": seconds, "refresh_token": a.refresh})
}

// world is a person's machine.
type world struct {
	*authority
	now          time.Time
	base, person string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{authority: newAuthority(t), now: time.Now(), base: t.TempDir(), person: t.TempDir()}
	return w
}

func (w *world) open() *state.Dir {
	d, err := state.Open(w.base, w.person, state.Options{Now: func() time.Time { return w.now }})
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

func (w *world) handler(show func(string) error) *login.Handler {
	return login.New(login.Options{
		Name: "files", URL: w.URL + "/mcp", State: func() (*state.Dir, error) { return w.open(), nil }, HTTP: w.Client(), Show: show,
	})
}

// refuse has a server refuse a request, and returns what the handler makes of that.
func (w *world) refuse(h *login.Handler, status int, header string) error {
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.URL+"/mcp", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return h.Authorize(w.t.Context(), r, &http.Response{StatusCode: status, Header: http.Header{"Www-Authenticate": {header}}, Body: http.NoBody})
}

// browse opens an address as a browser does.
func (w *world) browse(address string) error {
	r, err := w.Client().Get(address)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err == nil && !strings.Contains(string(text), "close this page") {
		err = errors.New(string(text))
	}
	return err
}

func (w *world) token(h *login.Handler) (*oauth2.Token, error) {
	w.t.Helper()
	s, err := h.TokenSource(w.t.Context())
	if err != nil || s == nil {
		return nil, errors.Join(err, errors.New("no token"))
	}
	return s.Token()
}

// loggedIn returns the handler of a server that a person has logged in to.
func loggedIn(t *testing.T, w *world) *login.Handler {
	t.Helper()
	h := w.handler(w.browse)
	if err := w.refuse(h, http.StatusUnauthorized, `Bearer resource_metadata="`+w.URL+`/.well-known/oauth-protected-resource/mcp"`); err != nil {
		t.Fatal(err)
	}
	return h
}
