package darwin

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

func TestSeatbelt(t *testing.T) {
	p := sandbox.Profile{
		Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: `/w/a "b"`, Temp: "/t",
		Protected: []string{`/w/a "b"/.git/hooks`}, Secrets: []string{"/Users/ann/.ssh"},
	}
	got := seatbeltProfile(p)
	for _, want := range []string{
		"(deny default)\n", `(allow file-write* (subpath "/w/a \"b\""))`, `(allow file-write* (subpath "/t"))`,
		`(deny file-write* (subpath "/w/a \"b\"/.git/hooks")`, `[gG][iI][tT]/[hH][oO][oO][kK][sS](/.*)?$"`,
		`(deny file-write-unlink file-write-create (literal "/w/a \"b\"/.git"))`, `(deny file-read* file-write* (subpath "/Users/ann/.ssh"))`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Index(got, "(deny file-write*") < strings.Index(got, "(allow file-write* (subpath") {
		t.Error("what is denied must come after what is allowed")
	}
	for _, never := range []string{"network", "appleevents", "launchservices"} {
		if strings.Contains(got, never) {
			t.Errorf("%q is in\n%s", never, got)
		}
	}
	p.Filesystem, p.Network = sandbox.ReadOnly, sandbox.Full
	got = seatbeltProfile(p)
	if strings.Contains(got, `(allow file-write* (subpath "/w`) || !strings.Contains(got, "(allow network*)") {
		t.Error(got)
	}
	if open, shut := strings.Count(got, "("), strings.Count(got, ")"); open != shut {
		t.Errorf("%d parentheses open, %d close", open, shut)
	}
}
