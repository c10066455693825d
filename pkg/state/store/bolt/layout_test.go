package bolt

import (
	"bytes"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

func FuzzRecord(f *testing.F) {
	at, sealed := sealEntry("jobs/a", []byte("value"), 7)
	f.Add(at, sealed)
	at, sealed = sealMessage(&store.Message{Stream: "s", ID: "id", Seq: 3, Data: []byte("data"), Time: time.Unix(1, 2)})
	f.Add(at, sealed)
	at = nameKey("s", "id")
	f.Add(at, sealNumber(at, 3))
	at = newestKey("s")
	f.Add(at, sealNumber(at, 3))
	f.Add([]byte{messageTag, 's', 0}, []byte{1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, at, value []byte) {
		sealed := value
		if _, err := unseal(at, sealed); err != nil {
			sealed = seal(at, value) // nobody guesses a checksum
		}
		// What is read back is what was written, whatever the bytes are.
		if e, err := unsealEntry(at, sealed); err == nil {
			again, bytesAgain := sealEntry(e.Key, e.Value, e.Revision)
			if !bytes.Equal(at, again) || !bytes.Equal(sealed, bytesAgain) {
				t.Errorf("entry %+v", e)
			}
		}
		if m, err := unsealMessage(at, sealed); err == nil {
			again, bytesAgain := sealMessage(&m)
			if !bytes.Equal(at, again) || !bytes.Equal(sealed, bytesAgain) {
				t.Errorf("message %+v", m)
			}
		}
		if n, err := unsealNumber(at, sealed); err == nil && !bytes.Equal(sealed, sealNumber(at, n)) {
			t.Errorf("number %d", n)
		}
		if stream, id, ok := splitNameKey(at); ok && !bytes.Equal(at, nameKey(stream, id)) {
			t.Errorf("name %q %q", stream, id)
		}
		_ = shown(string(at))
	})
}

func TestRecordsAreChecked(t *testing.T) {
	at, sealed := sealEntry("jobs/a", []byte("value"), 7)
	for i := range sealed {
		bad := bytes.Clone(sealed)
		bad[i] ^= 0x10
		if e, err := unsealEntry(at, bad); err == nil {
			t.Errorf("byte %d was changed: %+v", i, e)
		}
	}
	if _, err := unsealEntry(entryKey("jobs/b"), sealed); err == nil {
		t.Error("the value of another key is taken")
	}
}
