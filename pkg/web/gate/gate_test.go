package gate_test

import (
	"net/http"
	"testing"

	"github.com/helve-dev/helve/pkg/web/gate"
)

func TestShown(t *testing.T) {
	token := gate.NewToken()
	sum := gate.Sum(token)
	for header, want := range map[string]bool{
		"Bearer " + token: true, "bearer " + token: true, "Bearer  " + token + " ": true,
		token: false, "Basic " + token: false, "Bearer " + token + "x": false, "Bearer " + token[1:]: false, "Bearer": false, "": false,
	} {
		r := &http.Request{Header: http.Header{"Authorization": {header}}}
		if got := sum.Shown(r); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	if sum.Shown(&http.Request{Header: http.Header{"Authorization": {"Bearer " + token, "Bearer " + token}}}) || sum.Shown(&http.Request{}) {
		t.Error("two tokens, or none, are one")
	}
}

func TestLocal(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:80": true, "localhost": true, "LOCALHOST:1": true, "[::1]": true, "[::1]:80": true, "127.8.8.8": true, "::ffff:127.0.0.1": true,
		"": false, "example.com": false, "127.0.0.1.example.com": false, "localhost.example.com": false, "10.0.0.1:80": false, "[fe80::1%lo]:80": false, "0.0.0.0": false, "127.1": false, "localhost.": false,
	} {
		if got := gate.Local(gate.Bare(host)); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}
