package host

import (
	"cmp"
	"io"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

// Options say what one run was asked for.
type Options struct {
	Root     string // workspace root; "" is the working directory
	Project  string // id of the project that calls work in; "" asks HELVE_PROJECT and the settings
	Session  string // session that the calls belong to
	Channel  string // the medium that the calls come from; "" if unknown
	Chat     string // the conversation in it
	Turn     string // of the agent, as the host numbers them; "" if unknown
	Run      string // id of the run of a job that the calls belong to; "" is none
	Agent    string // id of the job of the sub-agent that makes the calls; "" is none
	As       string // name of the profile that the tools are in; "" asks the settings
	Config   string // a configuration file that takes precedence over the others; "" is none
	Lang     fault.Lang
	Output   string // form of output: json, pretty or text; "" asks the settings
	ReadOnly bool
	// ReadOnlyBy is the variable that asked for ReadOnly; "" is none.
	ReadOnlyBy string

	// Approval is the id of the decision that the call is made with; "" is none.
	Approval string
	// Wait limits the wait for a person's decision elsewhere.
	Wait time.Duration
	// ApprovalFD is the descriptor on which a host answers requests; 0 is none.
	ApprovalFD int
	// NoInput keeps the person at the terminal from being asked.
	NoInput bool
	// Terminal opens the terminal where a person can be asked; nil when nobody is
	// there.
	Terminal func() (io.ReadWriteCloser, error)

	// Stream gets the output of commands as it comes; nil prints none. stderr
	// marks that of standard error.
	Stream func(data []byte, stderr bool)
	// Progress, if not nil, is called with the progress of a call, as in [tool.Env].
	Progress func(done, total float64, message string)
	// Wrong says what is wrong with variables of the environment, by their names.
	Wrong map[string]fault.Text
	// Everywhere has the scheduler of this run serve all workspaces of this machine that
	// share its store.
	Everywhere bool
	// Version returns the version of helve; nil is of no release.
	Version func() string
	// Commands returns the names of the commands that are not tools, which no
	// custom tool can take.
	Commands func() []string
}

// The variables with values that can be wrong.
const (
	OutputVariable   = "HELVE_OUTPUT"
	ReadOnlyVariable = "HELVE_READONLY"
)

// DefaultSession is the session of calls of which nobody says another.
const DefaultSession = "default"

// FromEnvironment returns the options that the environment asks for. A value of
// HELVE_READONLY that cannot be read asks for a run that is read-only.
func FromEnvironment() Options {
	o := Options{
		Root:    os.Getenv("HELVE_ROOT"),
		Session: cmp.Or(os.Getenv("HELVE_SESSION"), DefaultSession),
		Channel: os.Getenv("HELVE_CHANNEL"),
		Chat:    os.Getenv("HELVE_CHAT"),
		Turn:    os.Getenv("HELVE_TURN"),
		Run:     os.Getenv(approval.RunVariable),
		Agent:   os.Getenv(approval.AgentVariable),
		As:      os.Getenv("HELVE_AS"),
		Lang:    fault.Lang(cmp.Or(os.Getenv("HELVE_LANG"), string(fault.English))),
		Wrong:   map[string]fault.Text{},
	}
	switch form := os.Getenv(OutputVariable); form {
	case "", "json", "pretty", "text":
		o.Output = form
	default:
		o.Wrong[OutputVariable] = fault.T("%s: want json, pretty or text, got %q", OutputVariable, form)
	}
	switch value := os.Getenv(ReadOnlyVariable); value {
	case "", "0", "false":
	case "1", "true":
		o.ReadOnly, o.ReadOnlyBy = true, ReadOnlyVariable
	default:
		o.ReadOnly, o.ReadOnlyBy = true, ReadOnlyVariable
		o.Wrong[ReadOnlyVariable] = fault.T("%s: want 1, true, 0 or false, got %q", ReadOnlyVariable, value)
	}
	return o
}

// Release returns the version of helve; "" is of no release.
func (o *Options) Release() string {
	if o.Version == nil {
		return ""
	}
	return o.Version()
}

// Colours reports whether a terminal knows the usual colour sequences and the
// person wants them (https://no-color.org).
func Colours() bool {
	return !noColour() && Screens() && sequences()
}

// Columns returns the width of the terminal that the environment says; 0 where it does
// not, or says nothing that text fits into.
func Columns() int {
	n, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || n < 20 {
		return 0
	}
	return n
}

func noColour() bool { return os.Getenv("NO_COLOR") != "" }

// Redraws reports whether a person looks at a terminal where a line can be drawn anew: not
// in the log of an automatic build, which keeps each of its states.
func Redraws() bool {
	return Screens() && os.Getenv("CI") == "" && sequences()
}

// sequences reports whether the terminal understands escape sequences.
func sequences() bool { return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" }

// Screens reports whether programs can draw on the terminal, beyond writing lines.
func Screens() bool { return os.Getenv("TERM") != "dumb" }
