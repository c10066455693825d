package nats

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"time"

	client "github.com/nats-io/nats.go"

	"github.com/helve-dev/helve/pkg/fault"
)

// apiError is an error that JetStream answers.
type apiError struct {
	Code        int    `json:"code"` // as in HTTP
	ErrCode     int    `json:"err_code"`
	Description string `json:"description"`
}

func (e *apiError) Error() string { return e.Description }

// Some of the codes in github.com/nats-io/nats-server/server/errors.json.
const (
	codeNoPeers        = 10005 // the cluster has too few servers
	codeNotAvailable   = 10008 // there is no leader
	codeNotLeader      = 10009
	codeNoMessage      = 10037
	codeNotEnabled     = 10039 // for the account
	codeTooLarge       = 10054
	codeNoStream       = 10059
	codeWrongLast      = 10071
	codeNoCluster      = 10074 // a single server keeps one copy
	codeNotEnabledAll  = 10076
	codeStoreFailed    = 10077
	codeBusySubject    = 10164 // another message of the subject is about to be stored
	codeIncomplete     = 10176 // the server gave the batch up
	codeTooManyBatches = 10210
	codeTooManyBatch2  = 10211
)

var (
	errNobody = errors.New("JetStream did not answer")
	errAnswer = errors.New("the answer cannot be read")
)

// is reports whether an error is one of JetStream with one of the codes.
func is(err error, codes ...int) bool {
	e, ok := errors.AsType[*apiError](err)
	return ok && slices.Contains(codes, e.ErrCode)
}

// passing reports whether an error may be over in a moment: the connection was lost,
// or the server starts.
func passing(err error) bool {
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, errLost) || errors.Is(err, errSilent) || errors.Is(err, errNobody) || errors.Is(err, io.EOF) || is(err, codeNotAvailable, codeNotLeader, codeNoStream)
}

// pause waits a moment, longer with each attempt, by chance: others wait as well.
func (s *Store) pause(ctx context.Context, attempt int) error {
	t := time.NewTimer(time.Millisecond + rand.N(time.Millisecond<<min(attempt, 8)))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-s.closed:
		return s.fault(errClosed)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fault translates an error.
func (s *Store) fault(err error) error {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	at := s.shown()
	if e, ok := errors.AsType[authError](err); ok {
		return fault.New(fault.PermissionDenied, fault.T("the store's server does not let this user in: %s", e.Error())).
			WithHint(fault.T("correct store.credentials, or the user or token in store.url")).Because(err)
	}
	if errors.Is(err, client.ErrPermissionViolation) {
		what := strings.TrimPrefix(err.Error(), client.ErrPermissionViolation.Error()+": ")
		inbox := cmp.Or(s.options.InboxPrefix, "_INBOX")
		return fault.New(fault.PermissionDenied, fault.T("the store's server does not allow this user enough: %s", what)).
			WithHint(fault.T("allow the user to publish %s>, %s, %s and %s, and to subscribe to %s.> and %s",
				s.names.prefix(), s.names.api("STREAM.*"), s.names.api("STREAM.MSG.GET"), s.names.api("DIRECT.GET"), inbox, s.names.bell())).Because(err)
	}
	if e, ok := errors.AsType[*apiError](err); ok {
		return s.refused(e)
	}
	if errors.Is(err, client.ErrSecureConnWanted) {
		return fault.New(fault.NotConfigured, fault.T("the store's server %s does not offer TLS", at)).
			WithHint(fault.T("set up TLS on the server, or write nats:// in store.url and leave store.ca and store.cert empty")).Because(err)
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok && s.options.TLSHandshakeFirst {
		return fault.New(fault.NotConfigured, fault.T("the store's server %s does not begin with TLS", at)).
			WithHint(fault.T("leave tls_first out of store.url, or set handshake_first in the server's configuration")).Because(err)
	}
	if errors.Is(err, client.ErrNoInfoReceived) {
		return fault.New(fault.NotConfigured, fault.T("%s is not a NATS server", at)).
			WithHint(fault.T("name the server with helve config set store.url nats://HOST:PORT")).Because(err)
	}
	if distrusted(err) {
		return fault.New(fault.NotConfigured, fault.T("the store's server %s cannot be trusted: %s", at, err.Error())).
			WithHint(fault.T("name the file of its authority in store.ca")).Because(err)
	}
	if errors.Is(err, errClosed) {
		return fault.New(fault.Canceled, fault.T("the store is closed")).Because(err)
	}
	return fault.New(fault.Unavailable, fault.T("the store's server %s cannot be reached: %s", at, err.Error())).
		WithHint(fault.T("try again; see with helve store check whether store.url is right and the server runs")).Because(err)
}

// shown returns the servers of the settings.
func (s *Store) shown() string {
	var hosts []string
	for _, server := range s.options.Servers {
		hosts = append(hosts, hostOf(server))
	}
	return strings.Join(hosts, ", ")
}

// refused translates an error of JetStream.
func (s *Store) refused(e *apiError) error {
	switch e.ErrCode {
	case codeNotEnabled, codeNotEnabledAll:
		return noJetStream(e.Description)
	case codeTooLarge:
		return tooLarge(e.Description)
	case codeNoPeers, codeNoCluster:
		return fault.New(fault.NotConfigured, fault.T("the store's server cannot keep so many replicas: %s", e.Description)).
			WithHint(fault.T("set store.replicas to at most the number of servers that run")).Because(e)
	case codeNotAvailable, codeNotLeader, codeNoStream, codeTooManyBatches, codeTooManyBatch2, codeIncomplete:
		return fault.New(fault.Unavailable, fault.T("the store's server is not ready: %s", e.Description)).
			WithHint(fault.T("try again")).Because(e)
	}
	return fault.New(fault.IOError, fault.T("the store's server refused: %s (%d)", e.Description, e.ErrCode)).
		WithHint(fault.T("look at its disk, and at the limits of the account and the stream %s", s.names.stream())).Because(e)
}

func noJetStream(what string) error {
	return fault.New(fault.Unsupported, fault.T("the store's server has no JetStream: %s", what)).
		WithHint(fault.T("start it with nats-server -js, or enable JetStream for the account"))
}

func tooLarge(what string) error {
	return fault.New(fault.TooLarge, fault.T("too large for the store's server: %s", what)).
		WithHint(fault.T("write it to a file and name the file, or raise max_payload in the server's configuration to 1MB"))
}

// distrusted reports whether a certificate was not accepted, by this side or the other.
func distrusted(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return true
	}
	_, ok := errors.AsType[tls.AlertError](err)
	return ok || strings.Contains(err.Error(), "remote error: tls")
}
