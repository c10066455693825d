package calls

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
)

// overHTTP holds the flags with which "helve mcp" serves over HTTP.
type overHTTP struct {
	address, tokenFile string
	open, remote       bool
	hosts, origins     []string
}

func (o *overHTTP) flags(f *pflag.FlagSet, p *out.Printer) {
	f.StringVar(&o.address, "http", "", p.Text("serve over HTTP at this address instead, as in 127.0.0.1:8080; port 0 is any that is free. The URL is printed"))
	f.StringVar(&o.tokenFile, "token-file", "", p.Text("file with the token that clients must send (Authorization: Bearer TOKEN); without it a token is made and kept, and its file printed"))
	f.BoolVar(&o.open, "no-token", false, p.Text("let in every process of this machine without a token: each can run commands, and approvals are left to helve approve"))
	f.BoolVar(&o.remote, "allow-remote", false, p.Text("let --http listen for other machines; the token and all else is sent in the clear"))
	f.StringSliceVar(&o.hosts, "allow-host", nil, p.Text("further names by which clients call the server, comma separated"))
	f.StringSliceVar(&o.origins, "allow-origin", nil, p.Text("further origins of web pages that may call, as in https://example.com, comma separated"))
}

// wanted reports whether to serve over HTTP. Flags that have no meaning so are a fault.
func (o *overHTTP) wanted(f *pflag.FlagSet) (bool, error) {
	if !f.Changed("http") {
		for _, name := range []string{"token-file", "no-token", "allow-remote", "allow-host", "allow-origin"} {
			if f.Changed(name) {
				return false, fault.New(fault.Usage, fault.T("--%s needs --http", name)).
					WithHint(fault.T("add --http 127.0.0.1:0, or leave it out"))
			}
		}
		return false, nil
	}
	if o.open && (f.Changed("token-file") || o.remote) {
		return false, fault.New(fault.Usage, fault.T("--no-token excludes --token-file and --allow-remote")).
			WithHint(fault.T("leave out --no-token"))
	}
	name, _, err := net.SplitHostPort(o.address)
	if err != nil {
		return false, fault.New(fault.Usage, fault.T("--http %q: want an address and a port", o.address)).
			WithHint(fault.T("write it as 127.0.0.1:8080")).Because(err)
	}
	if a, err := netip.ParseAddr(name); !o.remote && name != "localhost" && (err != nil || !a.Unmap().IsLoopback()) {
		return false, reachable(o.address)
	}
	return true, nil
}

func reachable(address string) error {
	return fault.New(fault.Usage, fault.T("--http %s: other machines could reach it", address)).
		WithHint(fault.T("use 127.0.0.1, or pass --allow-remote"))
}

// serve serves until ctx ends.
func (o *overHTTP) serve(ctx context.Context, h *host.Host, p *out.Printer, s *server.Server) error {
	token, file, err := o.token(ctx, h)
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.address)
	if err != nil {
		return fault.New(fault.Unavailable, fault.T("cannot listen at %s: %v", o.address, err)).
			WithHint(fault.T("choose another port, or 0 for any that is free")).Because(err)
	}
	if at, ok := l.Addr().(*net.TCPAddr); !o.remote && (!ok || !at.IP.IsLoopback()) { // whatever names are said to mean here
		return errors.Join(reachable(o.address), l.Close())
	}
	url := "http://" + l.Addr().String() + server.Path
	said := p.Text("serving at %s; Ctrl-C ends that", url)
	document := schema.Document{{Name: "url", Value: url}}
	if file != "" {
		said += p.Text("; the token is in %s", file)
		document = append(document, schema.Member{Name: "token_file", Value: file})
	}
	if !p.AsText() {
		p.Note(said)
	}
	if err := p.Report(out.Report{Data: document, Text: said}); err != nil {
		return errors.Join(err, l.Close())
	}
	return s.Listen(ctx, l, server.HTTP{Token: token, Hosts: o.hosts, Origins: o.origins})
}

// token returns the token that clients must send, and the file that it is in.
func (o *overHTTP) token(ctx context.Context, h *host.Host) (token, file string, err error) {
	switch {
	case o.open:
		return "", "", nil
	case o.tokenFile == "":
		dir, err := h.Workspace().State()
		if err != nil {
			return "", "", err
		}
		return keptToken(ctx, dir)
	}
	data, err := state.ReadPrivate(o.tokenFile, server.MaxToken)
	if err != nil {
		return "", "", err
	}
	if token, err = server.ParseToken(data); err != nil {
		return "", "", err
	}
	file, err = filepath.Abs(o.tokenFile)
	return token, file, err
}

// tokenOfWorkspace is the file of the state directory that keeps the token of servers of
// the workspace, so that clients need to be set up only once.
const tokenOfWorkspace = "mcp/token"

// keptToken returns the token of a workspace, and its file. It makes one if there is none.
func keptToken(ctx context.Context, dir *state.Dir) (token, file string, err error) {
	unlock, err := dir.Lock(ctx, tokenOfWorkspace)
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	base, err := dir.Path()
	if err != nil {
		return "", "", err
	}
	file = filepath.Join(base, filepath.FromSlash(tokenOfWorkspace))
	data, err := dir.ReadFile(tokenOfWorkspace)
	if errors.Is(err, fs.ErrNotExist) {
		token = server.NewToken()
		return token, file, dir.WriteFile(tokenOfWorkspace, slices.Concat([]byte(token), []byte("\n")))
	}
	if err != nil {
		return "", "", err
	}
	token, err = server.ParseToken(data)
	return token, file, err
}
