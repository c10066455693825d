package job

import "github.com/helve-dev/helve/pkg/fault"

func unknown(id string) error {
	return fault.New(fault.NotFound, fault.T("there is no job %q", "没有作业 %q", id)).
		WithHint(fault.T("action=list lists the jobs", "action=list 会列出现有作业"))
}

func damaged(id string, err error) error {
	return fault.New(fault.IOError, fault.T("the record of job %s is damaged", "作业 %s 的记录已损坏", id)).
		WithHint(fault.T("start the command again", "请重新启动该命令")).Because(err)
}

func stillRuns(id string) error {
	return fault.New(fault.Timeout, fault.T("job %s does not stop", "作业 %s 未能停止", id)).
		WithHint(fault.T("look again later with action=list", "请稍后用 action=list 查看"))
}

func noBackground() error {
	return fault.New(fault.Unsupported, fault.T("commands cannot run in the background here", "此处无法在后台运行命令")).
		WithHint(fault.T("run it without background, with a timeout", "请不使用 background，并设置 timeout"))
}

func tooMany(running int) error {
	return fault.New(fault.RateLimited, fault.T("%d jobs are running already", "已有 %d 个作业在运行", running)).
		WithHint(fault.T("stop one that is no longer needed: the tool job with action=stop", "请停止不再需要的作业：使用工具 job，action=stop"))
}

func notInTime() error {
	return fault.New(fault.Timeout, fault.T("the job did not start in time", "作业未能及时启动")).
		WithHint(fault.T("try again", "请重试"))
}

func endedEarly() error {
	return fault.New(fault.Unavailable, fault.T("the supervisor of the job ended early", "作业的监管进程提前结束"))
}

func badSpec(err error) error {
	return fault.New(fault.Internal, fault.T("the job is not understood", "无法理解该作业")).Because(err)
}
