package nats

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/state/store"
)

var _ store.Lister = (*Store)(nil)

// Streams implements [store.Lister]. It reads all messages, as the server can list their
// subjects only to those who may manage its streams.
func (s *Store) Streams(ctx context.Context) ([]string, error) {
	found := map[string]bool{}
	err := s.View(ctx, func(store.Reader) error {
		r := &reader{ctx, s}
		return r.walk(s.names.prefix()+"m.>", 1, maxBatch, func() { clear(found) }, func(one record) bool {
			stream, _, ok := strings.Cut(strings.TrimPrefix(one.subject, s.names.prefix()+"m."), ".")
			if ok && !one.removed {
				found[decode(stream)] = true
			}
			return true
		})
	})
	return slices.Sorted(maps.Keys(found)), err
}
