package sandbox

import "cmp"

// Kind is the means by which a profile is enforced.
type Kind string

// The kinds.
const (
	Namespaces Kind = "namespaces" // Linux: own mounts, processes and network, with Landlock and seccomp on top
	Landlock   Kind = "landlock"   // Linux without user namespaces: Landlock and seccomp
	Seatbelt   Kind = "seatbelt"   // macOS
	Job        Kind = "job"        // Windows: a job object, which ends and limits processes and confines nothing
	None       Kind = "none"
)

// Confines reports whether the kind keeps a process away from files.
func (k Kind) Confines() bool { return k == Namespaces || k == Landlock || k == Seatbelt }

// Support lists the abilities of this machine, as [System.Probe] finds them.
type Support struct {
	Namespaces     bool   `json:"namespaces"`
	Reason         string `json:"reason,omitempty"`          // why there are no namespaces
	LandlockABI    int    `json:"landlock_abi"`              // 0 without Landlock
	LandlockReason string `json:"landlock_reason,omitempty"` // why there is no Landlock
	Filtered       bool   `json:"filtered,omitempty"`        // an outer filter may refuse what the kernel has
	Seccomp        bool   `json:"seccomp"`
	Broker         bool   `json:"broker,omitempty"`  // seccomp can hand calls to another process
	Sockets        bool   `json:"sockets,omitempty"` // and that one may give sockets their addresses
	Seatbelt       bool   `json:"seatbelt,omitempty"`
	Job            bool   `json:"job,omitempty"`
}

// Has reports whether a kind is supported.
func (s Support) Has(k Kind) bool {
	switch k {
	case Namespaces:
		return s.Namespaces
	case Landlock:
		return s.LandlockABI > 0 && s.Seccomp
	case Seatbelt:
		return s.Seatbelt
	case Job:
		return s.Job
	}
	return k == None
}

// Why returns why a kind is not supported, as the system says it.
func (s Support) Why(k Kind) string {
	if k == Landlock {
		return cmp.Or(s.LandlockReason, "seccomp")
	}
	return s.Reason
}

// Best returns the strongest kind that is supported.
func (s Support) Best() Kind {
	for _, k := range [...]Kind{Namespaces, Landlock, Seatbelt, Job} {
		if s.Has(k) {
			return k
		}
	}
	return None
}

// Cache keeps the result of [System.Probe]. Either func may be nil.
type Cache struct {
	Load  func() ([]byte, error)
	Store func([]byte) error
}
