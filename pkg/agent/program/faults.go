package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// notThere returns the fault of a program that is not installed.
func notThere(a config.Agent) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("there is no program %s, which spawn.agents names for %s", a.Argv[0], a.Name)).
		WithHint(fault.T("the person can install it, or correct argv of %s in spawn.agents; the runtime builtin needs no program", a.Name))
}

// unstarted returns the fault of a program that did not start.
func (p *program) unstarted(err error) error {
	if fault.Is(err, fault.NotFound) {
		return notThere(p.Agent).Because(err)
	}
	return fault.New(fault.As(err).Code, fault.T("%s did not start: %s", p.Agent.Name, fault.As(err).Message)).
		WithHint(fault.T("the person can correct argv of %s in spawn.agents", p.Agent.Name)).Because(err)
}

func (p *program) unconfined() error {
	f := fault.New(fault.SandboxUnavailable, fault.T("%s would not be confined: there is no sandbox here", p.Agent.Name))
	if p.Env.ReadOnly {
		return f.WithHint(fault.T("in a run that only reads, use the runtime builtin"))
	}
	return f.WithHint(fault.T("use the runtime builtin; the person can allow programs without a sandbox: helve config set exec.sandbox off"))
}

func (p *program) hasNUL() error {
	return fault.New(fault.InvalidArguments, fault.T("the task contains a NUL, which no argument of a program can")).
		WithHint(fault.T("leave it out"))
}

func (p *program) tooLong(bytes int) error {
	return fault.New(fault.TooLarge, fault.T("the task makes an argument of %d bytes for %s; the system allows %d", bytes, p.Agent.Name, maxWord)).
		WithHint(fault.T("put the long part into a file and name it in the task; the person can let %s read the task from its standard input: without {task} in argv", p.Agent.Name))
}

func (p *program) timedOut() error {
	what := fault.T("the time of %s was over, and it was ended", p.Agent.Name)
	if p.Timeout > 0 {
		what = fault.T("%s took longer than %v and was ended", p.Agent.Name, p.Timeout)
	}
	return fault.New(fault.Timeout, what).
		WithHint(fault.T("give it a smaller task, or a longer timeout"))
}

func (p *program) killed(why, end string) error {
	return fault.New(fault.IOError, fault.T("%s was killed: %s", p.Agent.Name, with(why, end))).WithHint(p.look())
}

func (p *program) tookTooMuch(excess fault.Text) error {
	return fault.New(fault.IOError, fault.T("%s was killed: %s", p.Agent.Name, excess)).WithHint(p.look())
}

func (p *program) exited(status int, end string) error {
	if end == "" {
		return fault.New(fault.IOError, fault.T("%s failed with status %d and printed nothing", p.Agent.Name, status)).WithHint(p.look())
	}
	return fault.New(fault.IOError, fault.T("%s failed with status %d: %s", p.Agent.Name, status, end)).WithHint(p.look())
}

// silent returns the fault of a program that ended well and said nothing: that is no
// result for the caller.
func (p *program) silent(end string, binary bool) error {
	what := fault.T("%s ended without a result", p.Agent.Name)
	if binary {
		what = fault.T("what %s printed is not text", p.Agent.Name)
	}
	if end != "" {
		what = fault.T("%s: %s", what, end)
	}
	return fault.New(fault.IOError, what).WithHint(fault.T("it may have changed files all the same; the person can try it by hand, and say by result in spawn.agents where its result is"))
}

func (p *program) noFile() error {
	return fault.New(fault.NotFound, fault.T("%s ended and did not write the file for its result, which {result} names", p.Agent.Name)).WithHint(p.look())
}

func (p *program) unreadable(err error) error {
	return fault.New(fault.As(err).Code, fault.T("the file that %s wrote for its result cannot be read: %s", p.Agent.Name, fault.As(err).Message)).
		WithHint(p.look()).Because(err)
}

// look says where to find out more.
func (p *program) look() fault.Text {
	return fault.T("read what it printed with helve spawn logs %s", p.JobID)
}

// omitted stands for the output that is no event.
func (p *program) omitted() string {
	return "[" + fault.T("more was printed, which is left out here").In(p.Env.Lang) + "]\n"
}

func with(why, end string) string {
	if end == "" {
		return why
	}
	return why + ": " + end
}

// lastLines returns the end of what a program printed, cut to what fits in a message.
func lastLines(text string) string {
	const most, lines = 600, 5 // characters
	all := strings.Split(strings.TrimSpace(text), "\n")
	end := []rune(strings.TrimSpace(strings.Join(all[max(0, len(all)-lines):], "\n")))
	if len(end) > most {
		return "…" + string(end[len(end)-most:])
	}
	return string(end)
}
