package browser

import (
	"context"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/web"
)

const (
	// maxMemory is the most that the browser may hold with all its processes, in bytes.
	maxMemory = 2 << 30
	// startTime limits the time of the browser's start.
	startTime = 30 * time.Second
	// closeGrace limits the time until it ends by itself.
	closeGrace = 2 * time.Second
	// stderrTail limits the bytes kept of its error messages.
	stderrTail = 4 << 10
)

// process is a running browser.
type process struct {
	*connection
	program  string
	confined confinement
	proxy    *switchboard
	kill     context.CancelFunc
	done     chan struct{} // closed when nothing of it is left
	used     bool          // a page was shown in it; whoever has the turn changes it

	mu     sync.Mutex
	stderr []byte
	result *run.Result // once it is done
	err    error
}

// start starts a browser and waits until it answers. It goes on when ctx ends, unless that
// is before it answers.
func start(ctx context.Context, o *Options) (p *process, err error) {
	p = &process{connection: newConnection(), done: make(chan struct{})}
	if p.program, err = find(o.Program, o.Environ); err != nil {
		return nil, err
	}
	dir, err := o.State()
	if err != nil {
		return nil, err
	}
	profile, err := newProfile(dir, o.Now())
	if err != nil {
		return nil, err
	}
	command, err := p.prepare(profile, o)
	if err != nil {
		if p.proxy != nil {
			p.proxy.close()
		}
		profile.remove()
		return nil, err
	}
	life, kill := context.WithCancel(context.WithoutCancel(ctx))
	p.kill = kill
	go p.run(life, command, profile)
	limited, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := p.call(limited, "", "Browser.getVersion", nil, nil); err != nil {
		p.close()
		return nil, p.whyNot(ctx, err)
	}
	return p, nil
}

// prepare returns the command of the browser.
func (p *process) prepare(profile *profile, o *Options) (c run.Command, err error) {
	if _, err = profile.state.Directory(profiles + "/" + profile.id + "/tmp"); err != nil { // /tmp in the sandbox
		return c, err
	}
	if p.confined, err = confine(o.Support(), os.Geteuid(), p.program, profile.path, o); err != nil {
		return c, err
	}
	at := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	if !p.confined.network {
		l, err := web.Loopback()
		if err != nil {
			return c, err
		}
		p.proxy, at = newSwitchboard(l), l.Addr().String()
	}
	temp := "/tmp"
	if p.confined.sandbox == nil {
		if temp, err = profile.shortTemp(); err != nil {
			return c, err
		}
	}
	vars := run.Environment{Parent: o.Environ, Temp: temp, Sandboxed: p.confined.sandbox != nil, Set: []string{
		"HOME=" + profile.path, "XDG_CONFIG_HOME=" + profile.path, "XDG_CACHE_HOME=" + profile.path, "XDG_DATA_HOME=" + profile.path,
	}}
	c = run.Command{
		Argv: command(p.program, arguments(profile.path, "http://"+at, p.confined)), Dir: profile.path,
		Stdin: p, Stream: p.printed, Closed: p.closedOutput, Split: true, Raw: true, Head: 1, Tail: 1, Budget: run.Budget{Memory: maxMemory}, Sandbox: p.confined.sandbox,
		Started: p.started,
	}
	c.Env, _ = vars.Build()
	return c, nil
}

// run runs the browser to its end.
func (p *process) run(life context.Context, c run.Command, profile *profile) {
	r, err := run.Run(life, c)
	p.kill()
	p.mu.Lock()
	p.result, p.err = r, err
	proxy := p.proxy
	p.mu.Unlock()
	if proxy != nil {
		proxy.close()
	}
	profile.remove()
	p.end(errGone)
	close(p.done)
}

// started takes the listener of the sandbox.
func (p *process) started() {
	if p.confined.network {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.proxy = newSwitchboard(p.confined.sandbox.Listener())
	}
}

// switchboard returns what the browser's connections come to.
func (p *process) switchboard() *switchboard {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.proxy
}

// printed takes a piece of what the browser says or complains about.
func (p *process) printed(c run.Chunk) {
	if !c.Stderr {
		p.received(c.Data)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stderr = append(p.stderr, c.Data...)
	p.stderr = p.stderr[max(0, len(p.stderr)-stderrTail):]
}

// closedOutput ends a browser that says nothing any more.
func (p *process) closedOutput(stderr bool) {
	if !stderr {
		p.end(errGone)
	}
}

// close ends the browser, and returns when nothing of it is left.
func (p *process) close() {
	p.tell("", "Browser.close", nil)
	grace := time.NewTimer(closeGrace)
	defer grace.Stop()
	select {
	case <-p.done:
	case <-grace.C:
	}
	p.end(errGone) // its input ends, too
	p.kill()
	<-p.done
}

// lives reports whether the browser can show another page.
func (p *process) lives() bool { return p.why() == nil }

// whyNot returns why a browser did not start. It has ended.
func (p *process) whyNot(ctx context.Context, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	said := strings.TrimSpace(secret.Mask(run.Text(p.stderr, false)))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p.err != nil:
		return p.err
	case p.confined.own && (strings.Contains(said, "No usable sandbox") || strings.Contains(said, "SUID sandbox")):
		return noOwnSandbox(p.program)
	case said == "":
		said = err.Error()
	}
	lines := strings.Split(said, "\n")
	last := lines[len(lines)-1]
	for _, line := range lines { // others follow from this one
		if strings.Contains(line, ":FATAL:") {
			last = line
			break
		}
	}
	return notStarted(p.program, last, err)
}

// lost returns why a page was lost, once the connection has ended.
func (p *process) lost(url string) error {
	p.kill() // a browser that says nothing more is of no use
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	return ended(url, p.result, p.err)
}
