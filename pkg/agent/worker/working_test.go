package worker

import (
	"encoding/json"
	"testing"

	"github.com/helve-dev/helve/pkg/policy/secret"
)

// A command outside of a sandbox can find the key; the model and the transcript do not
// get to see it.
func TestHide(t *testing.T) {
	messages := func(text string) []json.RawMessage {
		return []json.RawMessage{json.RawMessage(`{"content":"` + text + `"}`)}
	}
	for _, one := range []struct{ text, key, want string }{
		{"KEY=sk-abcdefgh; sk-abcdefgh.", "sk-abcdefgh", "KEY=" + secret.Hidden + "; " + secret.Hidden + "."},
		{"the key is x", "x", "the key is x"},
		{"nothing", "", "nothing"},
	} {
		if got := hide(messages(one.text), one.key); string(got[0]) != string(messages(one.want)[0]) {
			t.Errorf("%s: %s", one.text, got[0])
		}
	}
}
