package worker

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// endedEarly is for a process that has ended before it answered. words are the last ones
// that it has left.
func endedEarly(words string) error {
	if words != "" {
		return crashed(words)
	}
	return fault.New(fault.Unavailable, fault.T("the worker ended before it had started", "工作进程在启动前已结束")).
		WithHint(fault.T("spawn the task again", "请重新创建该任务"))
}

func notInTime() error {
	return fault.New(fault.Timeout, fault.T("the worker did not start in time", "工作进程未能及时启动")).
		WithHint(fault.T("spawn the task again, when the machine has less to do", "请在机器负载较低时重新创建该任务"))
}

func asked() error {
	return fault.New(fault.Unavailable, fault.T("the worker was asked to end before the job had: the machine is shutting down, or somebody ended it", "工作进程在任务完成前被要求结束：机器正在关闭，或有人结束了它")).
		WithHint(fault.T("spawn the task again", "请重新创建该任务"))
}

func orphaned() error {
	return fault.New(fault.Unavailable, fault.T("the process that looked after the worker has died", "看管工作进程的进程已终止")).
		WithHint(fault.T("spawn the task again", "请重新创建该任务"))
}

// crashed is for a worker that has left words about its end.
func crashed(words string) error {
	return fault.New(fault.Internal, fault.T("the worker crashed: %s", "工作进程崩溃：%s", strings.TrimSpace(words))).
		WithHint(fault.T("this is a bug in helve; please report it with these words", "这是 helve 的缺陷，请附上这段文字报告"))
}

func badOrder(err error) error {
	return fault.New(fault.Internal, fault.T("the process was not told what to do", "进程未收到要做的事")).
		WithHint(fault.T("this is a bug in helve; please report it", "这是 helve 的缺陷，请报告")).Because(err)
}
