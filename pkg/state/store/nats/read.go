package nats

import (
	"context"
	"encoding/json"
	"time"

	client "github.com/nats-io/nats.go"
)

// record is the last message of a subject.
type record struct {
	subject string
	seq     uint64 // 0 says that there is nothing
	data    []byte
	time    time.Time
	removed bool   // it is a tombstone
	last    uint64 // of a message's tombstone, or a head: the last sequence number of the stream then
}

const (
	statusEnd          = 204 // of a batch
	statusNotFound     = 404
	statusNoResponders = 503

	fieldSubject  = "Nats-Subject"
	fieldSequence = "Nats-Sequence"
	fieldTime     = "Nats-Time-Stamp"
	fieldPending  = "Nats-Num-Pending"
	fieldRemoved  = "Helve-Removed" // marks tombstones
	fieldLast     = "Helve-Last"    // is record.last
)

const (
	maxBatch      = 256     // records at once
	maxBatchBytes = 4 << 20 // after which the server ends a batch
)

// question is a request for records.
type question struct {
	Seq      uint64 `json:"seq,omitempty"` // the first to look at
	Last     string `json:"last_by_subj,omitempty"`
	Next     string `json:"next_by_subj,omitempty"`
	Batch    int    `json:"batch,omitempty"`
	MaxBytes int    `json:"max_bytes,omitempty"`
}

// get returns the last record of a subject, which may have wildcards.
func (l *link) get(ctx context.Context, subject string) (record, error) {
	found, _, err := l.read(ctx, question{Last: subject})
	if err != nil || len(found) == 0 {
		return record{}, err
	}
	return found[0], nil
}

// walk calls f with the records of a subject from a sequence number on, in their order,
// until there are no more or f returns false.
func (l *link) walk(ctx context.Context, subject string, from uint64, batch int, f func(record) bool) error {
	for {
		found, more, err := l.read(ctx, question{Seq: from, Next: subject, Batch: min(batch, maxBatch), MaxBytes: maxBatchBytes})
		if err != nil {
			return err
		}
		for _, r := range found {
			if !f(r) {
				return nil
			}
			from = r.seq + 1
		}
		if !more || len(found) == 0 {
			return nil
		}
	}
}

// read asks for records. more says that there may be others after them.
func (l *link) read(ctx context.Context, q question) (found []record, more bool, err error) {
	if !l.direct {
		q.Batch, q.MaxBytes = 0, 0
		body, err := json.Marshal(q)
		if err != nil {
			return nil, false, err
		}
		m, err := l.ask(ctx, l.names.api("STREAM.MSG.GET"), body)
		if err != nil {
			return nil, false, err
		}
		r, err := decodeStored(m.Data)
		if err != nil || r.seq == 0 {
			return nil, false, err
		}
		return []record{r}, true, nil
	}
	body, err := json.Marshal(q)
	if err != nil {
		return nil, false, err
	}
	a, err := l.publish(&client.Msg{Subject: l.names.api("DIRECT.GET"), Data: body})
	if err != nil {
		return nil, false, err
	}
	defer a.close()
	for {
		m, err := a.next(ctx, requestTimeout)
		if err != nil {
			return nil, false, err
		}
		switch status := statusOf(m); status {
		case 0:
		case statusNotFound:
			return found, false, nil
		case statusEnd:
			return found, number(m.Header, fieldPending) > 0, nil
		default:
			return nil, false, &apiError{Code: status, Description: m.Header.Get("Description")}
		}
		r, err := decodeDirect(m)
		if err != nil {
			return nil, false, err
		}
		found = append(found, r)
		if q.Batch == 0 {
			return found, false, nil
		}
	}
}

// decodeDirect decodes a record whose place is in the header.
func decodeDirect(m *client.Msg) (record, error) {
	r := record{subject: m.Header.Get(fieldSubject), seq: number(m.Header, fieldSequence), data: m.Data}
	var err error
	if r.time, err = time.Parse(time.RFC3339Nano, m.Header.Get(fieldTime)); err != nil || r.seq == 0 || r.subject == "" {
		return record{}, errAnswer
	}
	r.mark(m.Header)
	return r, nil
}

// decodeStored decodes a record in JSON. The one that is not there has no sequence
// number.
func decodeStored(body []byte) (record, error) {
	var answer struct {
		Error   *apiError `json:"error"`
		Message *struct {
			Subject string    `json:"subject"`
			Seq     uint64    `json:"seq"`
			Header  []byte    `json:"hdrs"`
			Data    []byte    `json:"data"`
			Time    time.Time `json:"time"`
		} `json:"message"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return record{}, errAnswer
	}
	switch {
	case answer.Error != nil && answer.Error.ErrCode == codeNoMessage:
		return record{}, nil
	case answer.Error != nil:
		return record{}, answer.Error
	case answer.Message == nil || answer.Message.Seq == 0:
		return record{}, errAnswer
	}
	m := answer.Message
	r := record{subject: m.Subject, seq: m.Seq, data: m.Data, time: m.Time}
	if len(m.Header) > 0 {
		header, err := client.DecodeHeadersMsg(m.Header)
		if err != nil {
			return record{}, errAnswer
		}
		r.mark(header)
	}
	return r, nil
}

func (r *record) mark(h client.Header) {
	r.removed = h.Get(fieldRemoved) != ""
	r.last = number(h, fieldLast)
}
