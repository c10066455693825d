package nats

import (
	"strconv"
	"testing"

	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/testing/storetest"
)

func TestConformance(t *testing.T) {
	for _, server := range []struct {
		name  string
		start func(t *testing.T) string
	}{
		{"in process", func(t *testing.T) string { return inProcess(t) }},
		{"another process", func(t *testing.T) string { return newProcess(t).address }},
	} {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			address, spaces := server.start(t), 0
			empty := func(t *testing.T) func() store.Store {
				spaces++
				space := "s" + strconv.Itoa(spaces)
				return func() store.Store { return at(t, address, space) }
			}
			storetest.Run(t, empty)
			storetest.Consumers(t, empty)
		})
	}
}
