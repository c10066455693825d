package imported

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/tool"
)

// talker says so often how far it has come, and then hangs.
type talker struct {
	Caller
	words int
}

func (s talker) Call(ctx context.Context, _ *upstream.Server, _ *upstream.Tool, _ json.RawMessage, progress client.Progress) (*client.Answer, error) {
	for range s.words {
		select {
		case <-time.After(silence - time.Second):
			progress(1, 0, "")
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// A call whose server tells how far it has come has more time than one whose server is silent,
// also where nobody listens.
func TestSilence(t *testing.T) {
	for _, words := range []int{0, 1, 5} {
		synctest.Test(t, func(t *testing.T) {
			var said int
			began := time.Now()
			call := &tool.Call{Home: &tool.Env{}}
			if words > 1 {
				call.Home.Progress = func(float64, float64, string) { said++ }
			}
			_, err := (&imported{}).answer(t.Context(), talker{words: words}, call, &request{})
			if took, want := time.Since(began), silence+time.Duration(words)*(silence-time.Second); !errors.Is(err, context.DeadlineExceeded) || took != want {
				t.Errorf("%d words: %v after %v, not %v", words, err, took, want)
			}
			if words > 1 && said != words {
				t.Errorf("%d of %d words were passed on", said, words)
			}
		})
	}
}
