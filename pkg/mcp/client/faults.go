package client

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// Stderr are the details of the fault of a server that is a command.
type Stderr struct {
	Stderr string `json:"stderr,omitzero"` // the end of what it printed there
}

// errForgotten is the cause of the failure of a call that the server did not carry out,
// because it has forgotten the session.
var errForgotten = errors.New("the server has forgotten the session")

// rejected is the code of the errors that the library makes of requests that did not arrive.
const rejected = -32005

func forgotten(err error) bool { return errors.Is(err, errForgotten) }

// notStarted returns the fault of a handshake that did not succeed.
func (l *link) notStarted(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ended(ctx, l.server.Name)
	case errors.Is(context.Cause(l.life), errSlow) && l.child != nil:
		return slow(l.server, l.start, l.child.complaint()).Because(err)
	case errors.Is(context.Cause(l.life), errSlow):
		return fault.New(fault.Timeout, fault.T("the server %s did not answer within %v", l.server.Name, l.start)).
			WithHint(fault.T("try again later, or check its address: helve tools show %s", l.server.Name)).Because(err)
	}
	return l.explain(ctx, err)
}

// explain returns the fault of a request that failed.
func (l *link) explain(ctx context.Context, err error) error {
	var known *fault.Error
	var refused *jsonrpc.Error
	name := l.server.Name
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ended(ctx, name)
	case errors.Is(context.Cause(l.life), errClosed):
		return closedPool()
	case errors.As(err, &known):
		return err
	case l.child != nil && l.child.ending():
		return l.child.failure()
	case errors.As(err, &refused) && refused.Code != rejected:
		return refusal(name, refused)
	case l.remote != nil:
		if why := l.remote.failure(); why != nil {
			return why.Because(errors.Join(why.Unwrap(), err))
		}
	}
	return fault.New(fault.UnsupportedContent, fault.T("the server %s did not answer as the protocol says: %s", name, shown(err.Error(), maxLine))).
		WithHint(fault.T("the server is at fault; update it, or use another")).Because(err)
}

// webPage is the fault of an address where no server is but a page for people.
func webPage(name string, at *url.URL) *fault.Error {
	return fault.New(fault.UnsupportedContent, fault.T("at %s is a web page (text/html), not the server %s", shown(at.Redacted(), maxLine), name)).
		WithHint(fault.T("find the address of the server in its documentation, and import it from there"))
}

// ended is the fault of a call whose context is done.
func ended(ctx context.Context, name string) error {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return fault.New(fault.Timeout, fault.T("the server %s did not answer in time", name)).
			WithHint(fault.T("try again with a longer timeout, or ask for less")).Because(ctx.Err())
	}
	return fault.As(ctx.Err())
}

func closedPool() error {
	return fault.New(fault.Canceled, fault.T("the connection was closed, since helve ends"))
}

// withStderr adds what a command printed to a fault about it.
func withStderr(e *fault.Error, name, said string) *fault.Error {
	if said == "" {
		return e.WithHint(fault.T("it printed nothing to standard error; check its command: helve tools show %s", name))
	}
	hint := fault.T("it printed: %s", shown(telling(said), maxLine))
	if refusedBySystem(said) {
		hint = fault.T("%s; if that is the sandbox, in which only the workspace and the server's own temporary directory can be written, name what it needs in exec.writable or exec.readable, or import it with --unconfined", hint)
	}
	return e.WithHint(hint).WithDetails(Stderr{said})
}

// telling returns the line that says what went wrong: the last one that begins with an
// error, as programs in Node, Python, Go and Java print them, or else the last one that is
// no frame of a trace.
func telling(said string) (found string) {
	var named, before string
	traced := false
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		switch {
		case namesError(line):
			named = line
		case traced, strings.HasPrefix(line, "goroutine "): // a trace of Go follows its error
			traced = true
		case strings.Contains(line, " +0x"): // in Go the place of the function before it
			found = before
		case line != "" && !strings.HasPrefix(line, "at ") && !strings.HasPrefix(line, "from "):
			before, found = found, line
		}
	}
	return cmp.Or(named, found)
}

// namesError reports whether a line begins with an error or an exception.
func namesError(line string) bool {
	for _, before := range []string{"Uncaught ", "Unhandled exception. ", `Exception in thread "main" `} {
		line = strings.TrimPrefix(line, before)
	}
	kind, _, _ := strings.Cut(line, ":")
	word, rest, _ := strings.Cut(kind, " ")
	if rest != "" && !strings.HasPrefix(rest, "[") { // a sentence
		return strings.EqualFold(kind, "fatal error")
	}
	return strings.EqualFold(word, "error") || word == "panic" || strings.HasPrefix(word, "SIG") || strings.HasSuffix(word, "Error") || strings.HasSuffix(word, "Exception")
}

// refusedBySystem reports whether a program says that the system did not let it.
func refusedBySystem(said string) bool {
	for _, words := range []string{"EACCES", "EPERM", "EROFS", "ermission denied", "ead-only file system", "peration not permitted"} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

// fetches reports whether a program downloads the server that it starts, at its first use.
func fetches(program string) bool {
	switch strings.TrimSuffix(path.Base(filepath.ToSlash(program)), ".exe") {
	case "npx", "uvx", "bunx", "pipx", "npm", "pnpm", "yarn", "uv", "docker", "podman":
		return true
	}
	return false
}

// slow is the fault of a command that does not shake hands in time.
func slow(server *upstream.Server, limit time.Duration, said string) *fault.Error {
	e := withStderr(fault.New(fault.Timeout, fault.T("the server %s did not start within %v", server.Name, limit)), server.Name, said)
	if fetches(server.Command[0]) {
		return e.WithHint(fault.T("%s downloads the server at its first use: run the command once in a terminal, or import it with a longer --start-timeout, or raise tools.start_timeout; %s", server.Command[0], e.Hint))
	}
	return e.WithHint(fault.T("%s; a longer --start-timeout of helve tools import, or tools.start_timeout, gives it more time", e.Hint))
}

// exited is the fault of a command that has ended.
func exited(name string, r *run.Result, said string) *fault.Error {
	how := fault.T("status %d", r.ExitCode)
	switch {
	case r.Excess != nil:
		how = *r.Excess
	case r.Signal != "":
		how = fault.T("signal %s", r.Signal)
	}
	return withStderr(fault.New(fault.Unavailable, fault.T("the server %s has ended (%s)", name, how)), name, said)
}

// closedItself is the fault of a command that closed its output and went on.
func closedItself(name, said string) *fault.Error {
	return withStderr(fault.New(fault.Unavailable, fault.T("the server %s has closed its output", name)), name, said)
}

// tooLong is the fault of a message that is too large.
func tooLong(name string) *fault.Error {
	return fault.New(fault.TooLarge, fault.T("the server %s sent a message of more than %d bytes", name, maxMessage)).
		WithHint(fault.T("ask it for less at once"))
}

// refusal is the fault of a request that the server answered with an error.
func refusal(name string, e *jsonrpc.Error) *fault.Error {
	code := fault.IOError
	switch e.Code {
	case jsonrpc.CodeInvalidParams:
		code = fault.InvalidArguments
	case jsonrpc.CodeMethodNotFound:
		code = fault.Unsupported
	}
	return fault.New(code, fault.T("the server %s refused: %s (%d)", name, shown(e.Message, maxLine), e.Code)).
		WithHint(fault.T("check the arguments; if its tools have changed: helve tools refresh %s", name)).Because(e)
}

// asks is the fault of a call during which the server asks what nobody answers.
func asks(name, tool string) error {
	return fault.New(fault.Unsupported, fault.T("%s of the server %s asks a person before it goes on, and nobody can be asked here", tool, name)).
		WithHint(fault.T("use another tool, or tell the person"))
}

// answered is the fault of a response of HTTP that is not a success.
func answered(name string, status int, location string) *fault.Error {
	text := http.StatusText(status)
	if text == "" {
		text = strconv.Itoa(status)
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fault.New(fault.PermissionDenied, fault.T("the server %s does not let helve in: HTTP %d (%s)", name, status, text)).
			WithHint(fault.T("ask the person to log in: helve tools login %s", name))
	case location != "":
		return fault.New(fault.HTTPStatus, fault.T("the server %s has moved to %s", name, location)).
			WithHint(fault.T("ask the person to import it from there, if they trust that address"))
	case status == http.StatusTooManyRequests:
		return fault.New(fault.RateLimited, fault.T("the server %s has had too many requests", name)).
			WithHint(fault.T("try again later"))
	case status >= http.StatusInternalServerError:
		return fault.New(fault.Unavailable, fault.T("the server %s failed: HTTP %d (%s)", name, status, text)).
			WithHint(fault.T("try again later"))
	}
	return fault.New(fault.HTTPStatus, fault.T("the server %s answered HTTP %d (%s)", name, status, text)).
		WithHint(fault.T("check its address: helve tools show %s", name))
}

// noisy is the warning about lines that are no messages.
func noisy(name string, count int, sample string) fault.Text {
	return fault.T("the server %s printed %d lines that are no messages; they were dropped: %s", name, count, sample)
}

// leftOut is the warning about a tool that cannot be used.
func leftOut(name, tool string, why fault.Text) fault.Text {
	return fault.T("the tool %q of the server %s is left out: %s", tool, name, why)
}

func tooManyTools(name string) fault.Text {
	return fault.T("the server %s has more than %d tools; the rest is left out", name, maxTools)
}

func endlessPages(name string, pages int) fault.Text {
	return fault.T("the list of the tools of the server %s has no end; %d pages were read", name, pages)
}
