// Package sandbox starts a process that can reach only what its profile names,
// as far as the kernel lends itself to it. It does not decide which profile a
// command gets, nor does it wait for output or keep time.
package sandbox

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Kind is the means by which a profile is enforced.
type Kind string

// The kinds.
const (
	Namespaces Kind = "namespaces" // Linux: own mounts, processes, network; Landlock and seccomp besides
	Landlock   Kind = "landlock"   // Linux without user namespaces: Landlock and seccomp
	Seatbelt   Kind = "seatbelt"   // macOS
	Job        Kind = "job"        // Windows: the processes are held together and limited, nothing else
	None       Kind = "none"
)

// Confines reports whether the kind keeps a process away from files at all.
func (t Kind) Confines() bool { return t == Namespaces || t == Landlock || t == Seatbelt }

// Filesystem is what may be written.
type Filesystem string

// What may be written.
const (
	ReadOnly  Filesystem = "readonly"  // nothing but a private temporary directory
	Workspace Filesystem = "workspace" // the workspace, without its protected paths
	Host      Filesystem = "host"      // everything: what is enforced when nothing is
)

// Network is what may be reached.
type Network string

// What may be reached.
const (
	NoNetwork Network = "none"
	Local     Network = "local" // the sandbox's own loopback
	Full      Network = "full"
)

// Profile is what a process may reach. All paths are absolute and free of links.
type Profile struct {
	Filesystem Filesystem
	Network    Network
	// Workspace is the directory that [Workspace] makes writable, and Writable
	// are further ones.
	Workspace string
	Writable  []string
	// Temp is a private temporary directory of the caller's that stays writable
	// where /tmp cannot be replaced by one that is private.
	Temp string
	// Protected are paths in the writable directories that must stay as they
	// are, whether they exist or not.
	Protected []string
	// Secrets are files and directories that must not be read.
	Secrets []string
	// Preview, if not nil, sends what is written in the workspace to another
	// place. Only [Namespaces] can.
	Preview *Preview
}

// Preview names two directories of one file system, outside the workspace. Upper
// takes the changes, Work is for the kernel; both must be empty.
type Preview struct{ Upper, Work string }

// Report says what is enforced for a process, not what was asked for.
type Report struct {
	Kind       Kind       `json:"tier"`
	Filesystem Filesystem `json:"filesystem"`
	Network    Network    `json:"network"`
	// Degraded are stable words for what the profile asks for and the kind does
	// not give, sorted.
	Degraded []string `json:"degraded,omitempty"`
}

// Support is what this machine lends itself to. It is found by trying.
type Support struct {
	Namespaces  bool   `json:"namespaces"`
	Reason      string `json:"reason,omitempty"` // why there are no namespaces
	LandlockABI int    `json:"landlock_abi"`     // 0 without Landlock
	Seccomp     bool   `json:"seccomp"`
	Broker      bool   `json:"broker,omitempty"` // seccomp can hand calls over
	Seatbelt    bool   `json:"seatbelt,omitempty"`
	Job         bool   `json:"job,omitempty"`
}

// Best is the strongest kind that is supported.
func (s Support) Best() Kind {
	switch {
	case s.Namespaces:
		return Namespaces
	case s.LandlockABI > 0 && s.Seccomp:
		return Landlock
	case s.Seatbelt:
		return Seatbelt
	case s.Job:
		return Job
	}
	return None
}

// Sandbox is a profile made ready for a kind. It is for one command at a time.
type Sandbox struct {
	profile Profile
	support Support
	kind    Kind
	report  Report
	guard   *tripwire
}

// New makes a profile ready. A profile that cannot be is a fault with the code
// sandbox_unavailable or invalid_arguments; one that can in part is reported as
// degraded.
func New(p Profile, s Support, t Kind) (*Sandbox, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if t != None && !supports(s, t) {
		return nil, fault.New(fault.SandboxUnavailable, fault.T("the sandbox %s is not available here", "此处无法使用沙箱 %s", t)).
			WithHint(fault.T("let a person approve the command without it", "请由用户批准在无沙箱的情况下运行该命令"))
	}
	if p.Preview != nil && t != Namespaces {
		return nil, fault.New(fault.SandboxUnavailable, fault.T("a preview needs the sandbox %s", "预览需要沙箱 %s", Namespaces)).
			WithHint(fault.T("run the command without a preview", "请不使用预览运行该命令"))
	}
	p.protectReal()
	sb := &Sandbox{profile: p, support: s, kind: t}
	sb.report = sb.enforced()
	return sb, nil
}

func supports(s Support, t Kind) bool {
	switch t {
	case Namespaces:
		return s.Namespaces
	case Landlock:
		return s.LandlockABI > 0 && s.Seccomp
	case Seatbelt:
		return s.Seatbelt
	case Job:
		return s.Job
	}
	return false
}

// Report says what the sandbox enforces.
func (sb *Sandbox) Report() Report { return sb.report }

func (p Profile) check() error {
	all := slices.Concat([]string{p.Workspace}, p.Writable, p.Protected, p.Secrets)
	if p.Temp != "" {
		all = append(all, p.Temp)
	}
	if p.Preview != nil {
		all = append(all, p.Preview.Upper, p.Preview.Work)
	}
	for _, path := range all {
		if !filepath.IsAbs(path) || filepath.Clean(path) != path || strings.IndexByte(path, 0) >= 0 {
			return fault.New(fault.InvalidArguments, fault.T("the sandbox needs an absolute path, not %q", "沙箱需要绝对路径，而不是 %q", path))
		}
	}
	switch p.Filesystem {
	case ReadOnly, Workspace:
	default:
		return fault.New(fault.InvalidArguments, fault.T("the sandbox knows no file system %q", "沙箱不支持文件系统 %q", p.Filesystem))
	}
	switch p.Network {
	case NoNetwork, Local, Full:
	default:
		return fault.New(fault.InvalidArguments, fault.T("the sandbox knows no network %q", "沙箱不支持网络 %q", p.Network))
	}
	return nil
}

// roots are the directories that may be written to.
func (p Profile) roots() []string {
	if p.Filesystem != Workspace {
		return nil
	}
	return append([]string{p.Workspace}, p.Writable...)
}

// enforced is the report of a kind for a profile.
func (sb *Sandbox) enforced() Report {
	r := Report{Kind: sb.kind, Filesystem: sb.profile.Filesystem, Network: sb.profile.Network}
	lacks := func(words ...string) { r.Degraded = append(r.Degraded, words...) }
	switch sb.kind {
	case Namespaces:
		if sb.support.LandlockABI == 0 {
			lacks("no_landlock")
		}
	case Landlock:
		lacks("no_namespaces", "protected_paths_restored")
		if !sb.support.Broker {
			lacks("file_metadata")
		}
		if sb.profile.Network == Local {
			r.Network = NoNetwork
			lacks("no_local_network")
		}
		for _, need := range landlockGaps {
			if sb.support.LandlockABI < need.abi {
				lacks(fmt.Sprintf("landlock_abi<%d:%s", need.abi, need.what))
			}
		}
	case Seatbelt:
		lacks("file_metadata")
	default:
		r.Filesystem, r.Network = Host, Full
		lacks("no_sandbox")
	}
	slices.Sort(r.Degraded)
	return r
}

// degrade adds to the report what turned out to be missing.
func (sb *Sandbox) degrade(word string) {
	if !slices.Contains(sb.report.Degraded, word) {
		sb.report.Degraded = append(sb.report.Degraded, word)
		slices.Sort(sb.report.Degraded)
	}
}

// landlockGaps are what older versions of Landlock leave open, by the table in
// the kernel's documentation of user space.
var landlockGaps = [...]struct {
	abi  int
	what string
}{{2, "rename"}, {3, "truncate"}, {4, "tcp"}, {5, "devices"}, {6, "scope"}}
