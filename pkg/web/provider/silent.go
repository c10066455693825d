package provider

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/web"
)

// How much is said of the engines of a metasearch that did not answer: engines, and
// characters of each.
const (
	maxSilent     = 8
	maxSilentText = 80
)

// unanswered lists the engines of a metasearch that did not answer, and why.
func (f *found) unanswered(secrets []string) string {
	var all []string
	for _, s := range f.silent {
		if s = web.Shorten(secret.Hide(plain(s), secrets...), maxSilentText); s != "" {
			all = append(all, s)
		}
	}
	if more := len(all) - maxSilent; more > 0 {
		all = append(all[:maxSilent], "…")
	}
	return strings.Join(all, ", ")
}

// blocked reports whether those engines refuse: they will not answer soon.
func (f *found) blocked() bool {
	return slices.ContainsFunc(f.silent, func(s string) bool {
		s = strings.ToLower(s)
		return strings.Contains(s, "captcha") || strings.Contains(s, "too many") || strings.Contains(s, "denied") || strings.Contains(s, "suspended")
	})
}

// nothing is the fault of a metasearch whose engines did not answer: that nothing was
// found does not mean that there is nothing.
func nothing(p provider, f *found, secrets []string) *fault.Error {
	code := fault.Unavailable
	if f.blocked() {
		code = fault.RateLimited
	}
	engines := f.unanswered(secrets)
	if engines == "" {
		engines = "?"
	}
	return fault.New(code, fault.T("%s found nothing because its engines did not answer: %s", p.name(), engines)).
		WithHint(tryAnother())
}
