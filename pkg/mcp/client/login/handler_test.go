package login_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client/login"
	"github.com/helve-dev/helve/pkg/state"
)

func TestLogin(t *testing.T) {
	w := newWorld(t)
	h := w.handler(nil)
	if s, err := h.TokenSource(t.Context()); s != nil || err != nil {
		t.Fatalf("before the login: %v, %v", s, err)
	}
	err := w.refuse(h, http.StatusUnauthorized, "Bearer")
	if !fault.Is(err, fault.NotConfigured) || !strings.Contains(fault.As(err).Hint.In(fault.English), "helve tools login files") {
		t.Fatalf("nobody is there: %v", err)
	}
	own, err := w.token(loggedIn(t, w))
	if err != nil || own.AccessToken == "" {
		t.Fatal(own, err)
	}
	other, err := w.token(h) // as another process
	if err != nil || other.AccessToken != own.AccessToken {
		t.Fatalf("another process gets %v, %v", other, err)
	}
}

func TestTokensArePrivate(t *testing.T) {
	w := newWorld(t)
	loggedIn(t, w)
	found := 0
	err := filepath.WalkDir(w.base, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), "secret-") {
			return err
		}
		found++
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
			t.Errorf("%s: others may read it: %v", name, info.Mode())
		}
		return err
	})
	if err != nil || found != 1 {
		t.Fatal(found, err)
	}
}

func TestRefreshOnce(t *testing.T) {
	w := newWorld(t)
	loggedIn(t, w)
	w.now = w.now.Add(2 * time.Hour)
	var all sync.WaitGroup
	got := make([]string, 8)
	for i := range got {
		all.Go(func() { // each as a process of its own
			token, err := w.token(w.handler(nil))
			if err != nil {
				t.Error(err)
				return
			}
			got[i] = token.AccessToken
		})
	}
	all.Wait()
	if slices.ContainsFunc(got, func(s string) bool { return s == "" || s != got[0] }) || w.refreshes != 1 {
		t.Errorf("%d refreshes gave %q", w.refreshes, got)
	}
}

func TestRevoked(t *testing.T) {
	w := newWorld(t)
	h := loggedIn(t, w)
	w.now, w.revoked = w.now.Add(2*time.Hour), true
	if _, err := w.token(h); !fault.Is(err, fault.NotConfigured) {
		t.Errorf("a login that was revoked: %v", err)
	}
}

// A server that is asked at another address is another server.
func TestTokenStaysWithAddress(t *testing.T) {
	w := newWorld(t)
	loggedIn(t, w)
	other := login.New(login.Options{Name: "files", URL: w.URL + "/other", State: func() (*state.Dir, error) { return w.open(), nil }, HTTP: w.Client()})
	if s, err := other.TokenSource(t.Context()); s != nil || err != nil {
		t.Errorf("another address gets %v, %v", s, err)
	}
}

func TestFurtherScopes(t *testing.T) {
	w := newWorld(t)
	h := loggedIn(t, w)
	if err := w.refuse(h, http.StatusForbidden, `Bearer error="insufficient_scope", scope="admin"`); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(w.scopes, "admin") || !slices.Contains(w.scopes, "files") {
		t.Errorf("asked for %v", w.scopes)
	}
}

func TestForget(t *testing.T) {
	w := newWorld(t)
	h := loggedIn(t, w)
	for _, want := range []bool{true, false} {
		if had, err := h.Forget(); had != want || err != nil {
			t.Fatal(had, err)
		}
	}
	if known, err := h.Known(); known || err != nil {
		t.Error(known, err)
	}
}

// Whoever does not know the state of a login cannot end it.
func TestOtherPages(t *testing.T) {
	w := newWorld(t)
	h := w.handler(func(address string) error {
		u, err := url.Parse(address)
		if err != nil {
			return err
		}
		back := u.Query().Get("redirect_uri")
		for _, page := range []string{back, back + "?code=forged", back + "?code=forged&state=guess", strings.TrimSuffix(back, "callback") + "?state=" + u.Query().Get("state")} {
			r, err := w.Client().Get(page)
			if err != nil {
				return err
			}
			r.Body.Close()
			if r.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s", page, r.Status)
			}
		}
		return w.browse(address)
	})
	if err := w.refuse(h, http.StatusUnauthorized, "Bearer"); err != nil {
		t.Fatal(err)
	}
}

func TestRefusedByPerson(t *testing.T) {
	w := newWorld(t)
	h := w.handler(func(address string) error {
		u, err := url.Parse(address)
		if err != nil {
			return err
		}
		return w.browse(u.Query().Get("redirect_uri") + "?error=access_denied&error_description=no%1b%5b31m&state=" + u.Query().Get("state"))
	})
	err := w.refuse(h, http.StatusUnauthorized, "Bearer")
	if !fault.Is(err, fault.Rejected) || strings.ContainsRune(fault.As(err).Message.In(fault.English), 0x1b) {
		t.Errorf("got %v", err)
	}
}

// A server that is not the person's friend names a program instead of a page.
func TestOddAddress(t *testing.T) {
	w := newWorld(t)
	w.endpoint = "file:///bin/sh"
	h := w.handler(func(address string) error { t.Errorf("opened %s", address); return nil })
	if err := w.refuse(h, http.StatusUnauthorized, "Bearer"); err == nil {
		t.Error("no fault")
	}
}

// No character of the address that a person reads changes how other text is shown.
func TestAddressIsShownPlain(t *testing.T) {
	errSeen := errors.New("seen")
	for given, want := range map[string]string{
		"https://a.example/\u202eelpmaxe":     "https://a.example/%E2%80%AEelpmaxe?",
		"https://a\u200b.example/":            "https://a%E2%80%8B.example/?",
		"https://a.example/a%2Fb?x=\u202e%20": "https://a.example/a%2Fb?x=%E2%80%AE%20&",
	} {
		w := newWorld(t)
		w.endpoint = given
		shown := ""
		h := w.handler(func(address string) error { shown = address; return errSeen })
		if err := w.refuse(h, http.StatusUnauthorized, "Bearer"); err == nil || !strings.HasPrefix(shown, want) || !strings.Contains(shown, "&state=") {
			t.Errorf("%q: showed %q, want %q: %v", given, shown, want, err)
		}
	}
}

func TestBrokenFile(t *testing.T) {
	w := newWorld(t)
	loggedIn(t, w)
	var file string
	err := filepath.WalkDir(w.base, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(name, "logins") {
			file = name
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "{", "null", "[]", `{"token":{}}`, `{"url":"https://elsewhere.example","token":{"access_token":"x"}}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := w.handler(nil).TokenSource(t.Context()); !fault.Is(err, fault.NotConfigured) {
			t.Errorf("%q: %v", text, err)
		}
	}
	loggedIn(t, w) // a person can mend it
}

func TestNobodyComesBack(t *testing.T) {
	w := newWorld(t)
	away := errors.New("no browser")
	h := w.handler(func(string) error { return away })
	if err := w.refuse(h, http.StatusUnauthorized, "Bearer"); err == nil {
		t.Error("no fault")
	}
}
