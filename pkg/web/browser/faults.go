package browser

import (
	"context"
	"errors"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// howToAllow says what the person does to allow a browser.
func howToAllow() fault.Text {
	return fault.T("only the person can allow one: helve config set web.browser auto", "只有用户可以允许：helve config set web.browser auto")
}

// NotConfigured is the fault where the person has allowed no browser.
func NotConfigured() *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("no browser is allowed to run the scripts of pages", "未允许使用浏览器运行页面脚本")).WithHint(howToAllow())
}

func notInstalled() error {
	return fault.New(fault.NotConfigured, fault.T("web.browser is auto, but no Chromium or Chrome is installed", "web.browser 为 auto，但未安装 Chromium 或 Chrome")).
		WithHint(fault.T("the person must install one, or set web.browser to its path", "请由用户安装，或将 web.browser 设为其路径"))
}

func noProgram(path string) error {
	return fault.New(fault.NotConfigured, fault.T("web.browser is %s, which is no program", "web.browser 为 %s，它不是可执行程序", path)).
		WithHint(fault.T("the person must set it to auto or to the path of a Chromium or Chrome", "请由用户将其设为 auto，或 Chromium、Chrome 的路径"))
}

func notAbsolute(program string) error {
	return fault.New(fault.NotConfigured, fault.T("web.browser is %q, which is no absolute path", "web.browser 为 %q，不是绝对路径", program)).
		WithHint(fault.T("the person must set it to auto or to the path of a Chromium or Chrome", "请由用户将其设为 auto，或 Chromium、Chrome 的路径"))
}

func unsupported() error {
	return fault.New(fault.Unsupported, fault.T("pages cannot be shown in a browser on this system", "此系统不支持用浏览器打开网页")).
		WithHint(fault.T("read the page with render=never", "请用 render=never 读取该页面"))
}

func noSandbox(reason string) error {
	return fault.New(fault.SandboxUnavailable, fault.T("the browser would run as root without any sandbox, which is refused: %s", "浏览器将以 root 身份在无沙箱的情况下运行，已拒绝：%s", reason)).
		WithHint(fault.T("run helve as an ordinary user, or where user namespaces are allowed", "请以普通用户运行 helve，或在允许用户命名空间的环境中运行"))
}

func closed() error {
	return fault.New(fault.Canceled, fault.T("the browser is being closed", "浏览器正在关闭")).
		WithHint(fault.T("call again", "请重试"))
}

// renderNever is the hint for a page that a browser cannot show.
func renderNever() fault.Text {
	return fault.T("read it with render=never, or call again", "请用 render=never 读取，或重试")
}

func notStarted(program string, said string, err error) error {
	f := fault.New(fault.Unavailable, fault.T("the browser %s did not start: %s", "浏览器 %s 无法启动：%s", program, said)).
		WithHint(fault.T("check that it runs by itself, or set web.browser to another one", "请检查它能否独立运行，或将 web.browser 设为其他浏览器"))
	return f.Because(err)
}

func noOwnSandbox(program string) error {
	return fault.New(fault.SandboxUnavailable, fault.T("the browser %s has no sandbox here: neither user namespaces nor its own helper are available", "浏览器 %s 在此处没有沙箱：用户命名空间及其自带辅助程序均不可用", program)).
		WithHint(fault.T("the person must allow user namespaces, or install the browser with its sandbox", "请由用户启用用户命名空间，或安装带沙箱的浏览器"))
}

// ended returns why a page was lost with the browser.
func ended(url string, r *run.Result, err error) error {
	switch {
	case r != nil && r.Ended == run.TooLarge:
		return tooMuchMemory(url)
	case r != nil && r.Ended == run.TooMany:
		return fault.New(fault.TooLarge, fault.T("the browser was ended because %s made it start too many processes", "%s 使浏览器启动了过多进程，浏览器已被终止", url)).WithHint(renderNever())
	}
	return fault.New(fault.Unavailable, fault.T("the browser ended while it showed %s", "浏览器在打开 %s 时意外退出", url)).WithHint(renderNever()).Because(err)
}

func tooMuchMemory(url string) error {
	return fault.New(fault.TooLarge, fault.T("%s needs more memory in a browser than it may have", "%s 在浏览器中占用的内存超过上限", url)).WithHint(renderNever())
}

func crashed(url string) error {
	return fault.New(fault.Unavailable, fault.T("the browser cannot show %s: the page has crashed", "浏览器无法显示 %s：页面已崩溃", url)).WithHint(renderNever())
}

func download(url string) error {
	return fault.New(fault.UnsupportedContent, fault.T("%s is a download and no page", "%s 是下载文件而不是网页", url)).
		WithHint(fault.T("read it with render=never", "请用 render=never 读取"))
}

func unreachable(url, reason string) error {
	return fault.New(fault.Unavailable, fault.T("the browser did not get %s: %s", "浏览器未能获取 %s：%s", url, reason)).WithHint(renderNever())
}

func elsewhere(url, to string) error {
	return fault.New(fault.UnsupportedScheme, fault.T("%s led the browser to %s, which is no page of the web", "%s 将浏览器引向 %s，这不是网页", url, to)).WithHint(renderNever())
}

// late returns the fault of a call whose context has ended.
func late(ctx context.Context, url string, since time.Time) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fault.New(fault.Canceled, fault.T("the call was canceled while the browser showed %s", "浏览器打开 %s 时调用已取消", url)).
			WithHint(fault.T("call again", "请重试"))
	}
	return fault.New(fault.Timeout, fault.T("the browser did not show %s within %s", "浏览器未能在 %[2]s 内显示 %[1]s", url, time.Since(since).Round(time.Second))).
		WithHint(fault.T("raise timeout, or read it with render=never", "请增大 timeout，或用 render=never 读取"))
}
