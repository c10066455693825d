package catalog_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestLoginOfRegisteredClient has a person log in at a server whose authorization server
// lets nobody register, with the id and the secret that it gave them.
func TestLoginOfRegisteredClient(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	var exchanged []string // the client, its secret
	mux := http.NewServeMux()
	site := httptest.NewServer(mux)
	defer site.Close()
	reply := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(v); err != nil {
			t.Error(err)
		}
	}
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{"resource": site.URL + "/mcp", "authorization_servers": []string{site.URL}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{"issuer": site.URL, "authorization_endpoint": site.URL + "/authorize", "token_endpoint": site.URL + "/token", "response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"}})
	})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("client_id") != "registered" {
			t.Errorf("the login asks for %v", q)
		}
		http.Redirect(w, r, q.Get("redirect_uri")+"?code=c&state="+q.Get("state"), http.StatusFound)
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		id, secret, ok := r.BasicAuth()
		if !ok {
			id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
		}
		exchanged = append(exchanged, id, secret)
		reply(w, map[string]any{"access_token": "token-of-it", "token_type": "Bearer", "expires_in": 3600})
	})
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer token-of-it" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		result, ok := map[string]any{
			"initialize": map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "s", "version": "1"}},
			"tools/list": map[string]any{"tools": []any{map[string]any{"name": "look", "inputSchema": map[string]any{"type": "object"}}}},
		}[m.Method]
		switch {
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case ok:
			reply(w, map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
		default:
			reply(w, map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32601, "message": "no such method"}})
		}
	})
	args := []string{"tools", "import", "far", site.URL + "/mcp", "--client-id", "registered", "--client-secret", "FAR_SECRET"}
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, args...)); a.Error.Code != "not_configured" || !strings.Contains(a.Error.Message, "FAR_SECRET") {
		t.Fatalf("without the secret: %+v", a)
	}
	c := cmdtest.Person(t, dir, args...)
	c.Env = append(c.Environ(), "FAR_SECRET=whisper")
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(said); s.Scan(); {
		if address := s.Text(); strings.HasPrefix(address, site.URL) {
			r, err := http.Get(address)
			if err != nil {
				t.Fatal(err)
			}
			r.Body.Close()
		}
	}
	if err := c.Wait(); err != nil || strings.Join(exchanged, " ") != "registered whisper" {
		t.Fatalf("%v: %q", err, exchanged)
	}
	record, err := os.ReadFile(filepath.Join(cmdtest.HomeOf(dir), "servers", "far.json"))
	if err != nil || !strings.Contains(string(record), "FAR_SECRET") || strings.Contains(string(record), "whisper") {
		t.Errorf("%v: %s", err, record)
	}
}
