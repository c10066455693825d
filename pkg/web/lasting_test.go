package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// What a later request would meet again is told apart from what may pass.
func TestLasting(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = quiet()
	untrusted.StartTLS()
	defer untrusted.Close()
	for address, want := range map[string]bool{gone.URL: false, untrusted.URL: true} {
		_, err := client(t, nil).Get(t.Context(), Request{URL: At(address), Base: true, NoRetry: true})
		if !fault.Is(err, fault.Unavailable) || Lasting(err) != want {
			t.Errorf("%s: %v, lasting: %v", address, err, Lasting(err))
		}
	}
	for dns, want := range map[*net.DNSError]bool{{IsNotFound: true}: true, {IsTemporary: true}: false} {
		if err := networkFault("x", dns); Lasting(err) != want {
			t.Errorf("%v, lasting: %v", err, !want)
		}
	}
	if Lasting(nil) {
		t.Error("no fault lasts")
	}
}
