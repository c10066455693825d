package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
)

// upgraded runs "helve upgrade --check" where a server answers about releases.
func upgraded(t *testing.T, answer http.HandlerFunc) (u upgrade, e *fault.Error) {
	t.Helper()
	site := httptest.NewServer(answer)
	defer site.Close()
	return upgradedAt(t, site.URL)
}

func upgradedAt(t *testing.T, address string) (u upgrade, e *fault.Error) {
	t.Helper()
	t.Setenv(host.ReleasesVariable, address)
	h := host.New(host.FromEnvironment())
	defer h.Close()
	var b strings.Builder
	p := out.New(&b, io.Discard)
	p.Format = "json"
	c := upgradeCommand(h, p)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs([]string{"--check"})
	if err := c.ExecuteContext(t.Context()); err != nil {
		return u, fault.As(err)
	}
	var answered struct{ Data *upgrade }
	answered.Data = &u
	if err := json.Unmarshal([]byte(b.String()), &answered); err != nil {
		t.Fatalf("%v: %s", err, b.String())
	}
	return u, nil
}

const released = `{"tag_name":"v1.3.0","html_url":"https://example.org/v1.3.0","published_at":"2026-05-06T07:08:09Z","assets":[]}`

func TestUpgrade(t *testing.T) {
	_, settings := cmdtest.Home(t)
	if err := os.WriteFile(settings, []byte(`{"web":{"allow_private":true}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var asked *http.Request
	u, e := upgraded(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		_, _ = io.WriteString(w, released) // the client may be gone
	})
	if e != nil || u.Latest != "1.3.0" || u.Status != unknown || u.Published != "2026-05-06T07:08:09Z" || u.URL != "https://example.org/v1.3.0" || u.Installed.By != "source" || u.Command != "" {
		t.Errorf("%+v, %v", u, e)
	}
	if asked.Method != http.MethodGet || asked.Header.Get("Accept") != "application/vnd.github+json" || !strings.HasPrefix(asked.UserAgent(), "helve ") {
		t.Errorf("asked %s with %v", asked.Method, asked.Header)
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		code   fault.Code
		hint   string
	}{
		"no release": {http.NotFound, fault.HTTPStatus, "no release yet"},
		"too many requests": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.WriteHeader(http.StatusForbidden)
		}, fault.RateLimited, "in an hour"},
		"something else":   {func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "<html>log in") }, fault.UnsupportedContent, host.ReleasesVariable},
		"a tag of no kind": {func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"tag_name":"nightly"}`) }, fault.UnsupportedContent, host.ReleasesVariable},
		"forbidden":        {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, fault.HTTPStatus, releasesPage},
	} {
		if _, e := upgraded(t, c.answer); e == nil || e.Code != c.code || !strings.Contains(e.Hint.In(fault.English), c.hint) {
			t.Errorf("%s: %+v, want %s with a hint about %s", name, e, c.code, c.hint)
		}
	}
	// Nobody listens: as without a network.
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	if _, e := upgradedAt(t, closed.URL); e == nil || e.Code != fault.Unavailable || e.Code.Exit() != 6 || !strings.Contains(e.Hint.In(fault.English), "without --check") {
		t.Errorf("offline: %+v", e)
	}
}

// The address is no way round the guard.
func TestUpgradeIsGuarded(t *testing.T) {
	cmdtest.Home(t)
	_, e := upgraded(t, func(http.ResponseWriter, *http.Request) { t.Error("a private address was reached") })
	if e == nil || e.Code != fault.BlockedAddress {
		t.Errorf("%+v", e)
	}
}

func TestCompared(t *testing.T) {
	for _, c := range []struct{ version, latest, want string }{
		{"1.2.3", "1.3.0", outdated}, {"1.9.0", "1.10.0", outdated}, {"1.3.0-rc.1", "1.3.0", outdated},
		{"1.3.0", "1.3.0", upToDate}, {"1.3.0+build", "1.3.0", upToDate},
		{"2.0.0", "1.3.0", ahead}, {"dev", "1.3.0", unknown}, {"", "1.3.0", unknown},
	} {
		if got := compared(c.version, c.latest); got != c.want {
			t.Errorf("%s and %s: %s, want %s", c.version, c.latest, got, c.want)
		}
	}
}

// What is said of a copy in each way that it may be installed and be compared.
func TestUpgradeTexts(t *testing.T) {
	for _, c := range []struct {
		upgrade upgrade
		en, zh  string
	}{
		{upgrade{Status: outdated, Latest: "1.3.0", URL: "https://u", Command: "npm install"}, "1.3.0 is newer: https://u\nto upgrade: npm install\n", "有新版本 1.3.0：https://u\n升级命令：npm install\n"},
		{upgrade{Status: upToDate}, "this is the latest release\n", "已是最新版本\n"},
		{upgrade{Status: ahead, Latest: "1.3.0"}, "the latest release is older: 1.3.0\n", "最新发布版本较旧：1.3.0\n"},
		{upgrade{}, "helve upgrade --check names the command that upgrades it\n", "helve upgrade --check 会给出升级命令\n"},
	} {
		for lang, want := range map[fault.Lang]string{fault.English: c.en, fault.Chinese: c.zh} {
			p := out.New(io.Discard, io.Discard)
			p.Lang = lang
			if _, got, _ := strings.Cut(c.upgrade.text(p), "\n"); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
}
