package sandbox

import (
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// testRoot returns an absolute path of this system.
func testRoot() string {
	if runtime.GOOS == "windows" {
		return `C:\work`
	}
	return "/work"
}

func TestReports(t *testing.T) {
	all := Support{Namespaces: true, LandlockABI: 4, Seccomp: true, Seatbelt: true, Job: true}
	for _, c := range []struct {
		kind Kind
		want Report
	}{
		{Namespaces, Report{Namespaces, Workspace, Local, nil}},
		{Landlock, Report{Landlock, Workspace, NoNetwork, []string{
			"file_metadata", "landlock_abi<5:devices", "landlock_abi<6:scope", "no_loopback", "no_namespaces", "no_unix_sockets", "protected_paths_restored",
		}}},
		{Seatbelt, Report{Seatbelt, Workspace, Local, []string{"file_metadata"}}},
		{Job, Report{Job, Host, Full, []string{"no_sandbox"}}},
		{None, Report{None, Host, Full, []string{"no_sandbox"}}},
	} {
		sb, err := Confine(Profile{Filesystem: Workspace, Network: Local, Workspace: testRoot()}, all, c.kind)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, sb.Report()); d != "" {
			t.Errorf("%s: %s", c.kind, d)
		}
	}
}

func TestRefusals(t *testing.T) {
	good := Profile{Filesystem: Workspace, Network: Local, Workspace: testRoot()}
	for _, c := range []struct {
		change  func(*Profile)
		support Support
		kind    Kind
		code    fault.Code
	}{
		{func(p *Profile) { p.Workspace = "relative" }, Support{}, None, fault.InvalidArguments},
		{func(p *Profile) { p.Secrets = []string{testRoot() + "/../x"} }, Support{}, None, fault.InvalidArguments},
		{func(p *Profile) { p.Network = "some" }, Support{}, None, fault.InvalidArguments},
		{func(p *Profile) { p.Filesystem = Host }, Support{}, None, fault.InvalidArguments},
		{func(*Profile) {}, Support{}, Namespaces, fault.SandboxUnavailable},
		{func(*Profile) {}, Support{LandlockABI: 3}, Landlock, fault.SandboxUnavailable},
		{func(p *Profile) { p.Preview = &Preview{testRoot(), testRoot()} }, Support{}, None, fault.SandboxUnavailable},
	} {
		p := good
		c.change(&p)
		if _, err := Confine(p, c.support, c.kind); !fault.Is(err, c.code) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
