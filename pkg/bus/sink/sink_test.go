package sink_test

import (
	"errors"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/fault"
)

// message returns a message with an id and a content.
func message(id, content string) bus.Message {
	return bus.Message{
		ID: id, Seq: 7, Channel: "telegram", To: "42", From: "main", Session: "s", Kind: bus.KindReminder, Content: content,
		Origin: &bus.Origin{Kind: "cron", Job: "j", Run: "j@2026-01-02T15:04:05Z"}, CreatedAt: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC), Deliveries: 1,
	}
}

const (
	id1 = "01KE00000000000000000000A1"
	id2 = "01KE00000000000000000000A2"
)

// line returns how the message with an id and a content is delivered.
func line(id, content string) string {
	return `{"id":"` + id + `","seq":7,"channel":"telegram","to":"42","from":"main","session":"s","kind":"reminder","content":"` + content +
		`","origin":{"kind":"cron","job":"j","run_id":"j@2026-01-02T15:04:05Z"},"created_at":"2026-01-02T15:04:05Z"}` + "\n"
}

// failed checks that err is a failure of an outcome and a code, and returns what it says
// and how long the receiver asks to wait.
func failed(t *testing.T, err error, outcome sink.Outcome, code fault.Code) (says string, after time.Duration) {
	t.Helper()
	f, ok := errors.AsType[*sink.Failure](err)
	if !ok {
		t.Fatalf("%v is no failure", err)
	}
	if f.Outcome != outcome || f.Err.Code != code || !fault.Is(err, code) {
		t.Errorf("%v is of outcome %d, want %s of %d", f, f.Outcome, code, outcome)
	}
	return f.Err.Message.String(), f.After
}
