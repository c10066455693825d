package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// notThere returns the fault of a program that is not installed.
func notThere(a config.Agent) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("there is no program %s, which spawn.agents names for %s", "找不到程序 %s，spawn.agents 为 %s 指定了它", a.Argv[0], a.Name)).
		WithHint(fault.T("the person can install it, or correct argv of %s in spawn.agents; the runtime builtin needs no program", "用户可安装它，或修正 spawn.agents 中 %s 的 argv；runtime builtin 不需要程序", a.Name))
}

// unstarted returns the fault of a program that did not start.
func (p *program) unstarted(err error) error {
	if fault.Is(err, fault.NotFound) {
		return notThere(p.Agent).Because(err)
	}
	return fault.New(fault.As(err).Code, fault.T("%s did not start: %s", "%s 未能启动：%s", p.Agent.Name, fault.As(err).Message)).
		WithHint(fault.T("the person can correct argv of %s in spawn.agents", "用户可修正 spawn.agents 中 %s 的 argv", p.Agent.Name)).Because(err)
}

func (p *program) unconfined() error {
	f := fault.New(fault.SandboxUnavailable, fault.T("%s would not be confined: there is no sandbox here", "%s 将不受约束：此处没有沙箱", p.Agent.Name))
	if p.Env.ReadOnly {
		return f.WithHint(fault.T("in a run that only reads, use the runtime builtin", "只读运行请使用 runtime builtin"))
	}
	return f.WithHint(fault.T("use the runtime builtin; the person can allow programs without a sandbox: helve config set exec.sandbox off",
		"请使用 runtime builtin；用户可允许程序在没有沙箱时运行：helve config set exec.sandbox off"))
}

func (p *program) hasNUL() error {
	return fault.New(fault.InvalidArguments, fault.T("the task contains a NUL, which no argument of a program can", "任务包含 NUL，程序参数中不允许")).
		WithHint(fault.T("leave it out", "请去掉它"))
}

func (p *program) tooLong(bytes int) error {
	return fault.New(fault.TooLarge, fault.T("the task makes an argument of %d bytes for %s; the system allows %d", "任务使 %[2]s 的一个参数长达 %[1]d 字节，系统最多允许 %[3]d 字节", bytes, p.Agent.Name, maxWord)).
		WithHint(fault.T("put the long part into a file and name it in the task; the person can let %s read the task from its standard input: without {task} in argv", "请将较长的部分写入文件并在任务中注明；用户可让 %s 从标准输入读取任务：argv 中不写 {task}", p.Agent.Name))
}

func (p *program) timedOut() error {
	what := fault.T("the time of %s was over, and it was ended", "%s 的时间已用完，已被终止", p.Agent.Name)
	if p.Timeout > 0 {
		what = fault.T("%s took longer than %v and was ended", "%s 用时超过 %v，已被终止", p.Agent.Name, p.Timeout)
	}
	return fault.New(fault.Timeout, what).
		WithHint(fault.T("give it a smaller task, or a longer timeout", "请给出更小的任务，或更长的 timeout"))
}

func (p *program) killed(why, end string) error {
	return fault.New(fault.IOError, fault.T("%s was killed: %s", "%s 已被终止：%s", p.Agent.Name, with(why, end))).WithHint(p.look())
}

func (p *program) exited(status int, end string) error {
	if end == "" {
		return fault.New(fault.IOError, fault.T("%s failed with status %d and printed nothing", "%s 失败，状态 %d，且没有任何输出", p.Agent.Name, status)).WithHint(p.look())
	}
	return fault.New(fault.IOError, fault.T("%s failed with status %d: %s", "%s 失败，状态 %d：%s", p.Agent.Name, status, end)).WithHint(p.look())
}

// silent returns the fault of a program that ended well and said nothing: that is no
// result that whoever gave the task could go by.
func (p *program) silent(end string, binary bool) error {
	what := fault.T("%s ended without a result", "%s 结束但没有结果", p.Agent.Name)
	if binary {
		what = fault.T("what %s printed is not text", "%s 的输出不是文本", p.Agent.Name)
	}
	if end != "" {
		what = fault.T("%s: %s", "%s：%s", what, end)
	}
	return fault.New(fault.IOError, what).WithHint(fault.T("it may have changed files all the same; the person can try it by hand, and say by result in spawn.agents where its result is",
		"它仍可能改动了文件；用户可手动试运行，并在 spawn.agents 的 result 中说明结果的位置"))
}

func (p *program) noFile() error {
	return fault.New(fault.NotFound, fault.T("%s ended and did not write the file for its result, which {result} names", "%s 结束但未写入 {result} 指定的结果文件", p.Agent.Name)).WithHint(p.look())
}

func (p *program) unreadable(err error) error {
	return fault.New(fault.As(err).Code, fault.T("the file that %s wrote for its result cannot be read: %s", "无法读取 %s 写入的结果文件：%s", p.Agent.Name, fault.As(err).Message)).
		WithHint(p.look()).Because(err)
}

// look says where to find out more.
func (p *program) look() fault.Text {
	return fault.T("read what it printed with helve spawn logs %s", "用 helve spawn logs %s 查看其输出", p.JobID)
}

// omitted stands for the output that is no event.
func (p *program) omitted() string {
	return "[" + fault.T("more was printed, which is left out here", "其余输出在此省略").In(p.Env.Lang) + "]\n"
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
