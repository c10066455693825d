package nats

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// streamConfig holds the required settings of the stream. An administrator may have made it
// with further settings.
//
// https://docs.nats.io/nats-concepts/jetstream/streams
type streamConfig struct {
	Name         string     `json:"name"`
	Subjects     []string   `json:"subjects"`
	Retention    string     `json:"retention"`
	Storage      string     `json:"storage"`
	Discard      string     `json:"discard"`
	MaxConsumers int        `json:"max_consumers"`
	MaxMsgs      int64      `json:"max_msgs"`
	MaxBytes     int64      `json:"max_bytes"`
	MaxAge       int64      `json:"max_age"`
	MaxSubject   int64      `json:"max_msgs_per_subject"`
	MaxSize      int        `json:"max_msg_size"`
	Replicas     int        `json:"num_replicas"`
	Direct       bool       `json:"allow_direct"`
	Atomic       bool       `json:"allow_atomic"`
	TTL          bool       `json:"allow_msg_ttl"`
	DenyDelete   bool       `json:"deny_delete"`
	Republish    *republish `json:"republish,omitempty"`
}

type republish struct {
	Source      string `json:"src"`
	Destination string `json:"dest"`
	HeadersOnly bool   `json:"headers_only"`
}

const clusterReplicas = 3 // survive the loss of one server

// wanted is the stream as it is made. A full stream refuses what is new: it must not
// forget what is old.
func (s subjects) wanted(replicas int) streamConfig {
	return streamConfig{
		Name: s.stream(), Subjects: s.all(), Retention: "limits", Storage: "file", Discard: "new",
		MaxConsumers: -1, MaxMsgs: -1, MaxBytes: -1, MaxSubject: 1, MaxSize: -1, Replicas: replicas, Direct: true, Atomic: true, TTL: true,
		Republish: &republish{">", s.bell(), true},
	}
}

// missing names what a stream lacks; it is empty for one that will do.
func (s subjects) missing(c streamConfig) []string {
	var lacks []string
	want := func(ok bool, setting string) {
		if !ok {
			lacks = append(lacks, setting)
		}
	}
	for _, subject := range s.all() {
		want(slices.ContainsFunc(c.Subjects, func(have string) bool { return covers(have, subject) }), "subjects: "+subject)
	}
	want(c.Retention == "limits", "retention: limits")
	want(c.Storage == "file", "storage: file")
	want(c.Discard == "new" || c.MaxMsgs < 0 && c.MaxBytes < 0, "discard: new")
	want(c.MaxAge == 0, "max_age: 0")
	want(c.MaxSubject == 1, "max_msgs_per_subject: 1")
	want(c.Atomic, "allow_atomic: true")
	want(c.TTL, "allow_msg_ttl: true")
	return lacks
}

// covers reports whether a subject with wildcards matches all that another one does.
func covers(wide, narrow string) bool {
	w, n := strings.Split(wide, "."), strings.Split(narrow, ".")
	for i, part := range w {
		switch {
		case part == ">":
			return len(n) > i
		case i >= len(n) || n[i] == ">" || part != "*" && part != n[i]:
			return false
		}
	}
	return len(w) == len(n)
}

// streamAnswer is the server's description of a stream.
type streamAnswer struct {
	Error  *apiError     `json:"error"`
	Config *streamConfig `json:"config"`
}

// prepare makes sure that the server can do what is needed and has the stream.
func (l *link) prepare(ctx context.Context, replicas int) error {
	n := l.names
	// The library knows its server only while it is connected: that is asked before all else.
	version := l.ConnectedServerVersion()
	jetStream, _ := l.ConnectedServerJetStream()
	if version == "" {
		return l.lost(l.LastError())
	}
	if !atLeast(version, 2, 12) {
		return fault.New(fault.Unsupported, fault.T("the store's server is nats-server %s, and 2.12 or later is needed", version)).
			WithHint(fault.T("update the server, or name another one with store.url"))
	}
	config, err := l.stream(ctx, "INFO", nil)
	if is(err, codeNoStream) {
		config, err = l.create(ctx, replicas)
	}
	if errors.Is(err, errNobody) && !jetStream {
		return noJetStream("JetStream not enabled")
	}
	if err != nil {
		return err
	}
	if lacks := n.missing(*config); len(lacks) > 0 {
		return fault.New(fault.NotConfigured, fault.T("the stream %s of the store's server cannot be used; it needs %s", n.stream(), strings.Join(lacks, ", "))).
			WithHint(fault.T("change the stream, or use another namespace: store.url = nats://host/NAMESPACE"))
	}
	l.direct = config.Direct && config.Replicas <= 1
	return nil
}

// create makes the stream. Where the settings do not say how often it is kept, it is
// kept on three servers if the cluster has as many, and else on one.
func (l *link) create(ctx context.Context, replicas int) (*streamConfig, error) {
	try := replicas
	if try == 0 && l.ConnectedClusterName() != "" {
		try = clusterReplicas
	}
	config, err := l.createWith(ctx, max(try, 1))
	if tooFew := is(err, codeNoPeers, codeNoCluster); tooFew && replicas == 0 && !strings.Contains(err.Error(), "offline") {
		config, err = l.createWith(ctx, 1)
	}
	return config, err
}

func (l *link) createWith(ctx context.Context, replicas int) (*streamConfig, error) {
	body, err := json.Marshal(l.names.wanted(replicas))
	if err != nil {
		return nil, err
	}
	return l.stream(ctx, "CREATE", body)
}

// stream asks about the stream, or makes it. Making one that another process has just
// made is no error.
func (l *link) stream(ctx context.Context, verb string, body []byte) (*streamConfig, error) {
	m, err := l.ask(ctx, l.names.api("STREAM."+verb), body)
	if err != nil {
		return nil, err
	}
	var answer streamAnswer
	if err := json.Unmarshal(m.Data, &answer); err != nil {
		return nil, errAnswer
	}
	if answer.Error != nil {
		return nil, answer.Error
	}
	if answer.Config == nil {
		return nil, errAnswer
	}
	return answer.Config, nil
}

// atLeast reports whether a version such as 2.15.2 is a later one, or the same.
func atLeast(version string, major, minor int) bool {
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	a, err := strconv.Atoi(first)
	b, err2 := strconv.Atoi(second)
	return err == nil && err2 == nil && (a > major || a == major && b >= minor)
}
