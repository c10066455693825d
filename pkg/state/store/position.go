package store

import "encoding/json"

// ConsumerPosition is the progress of a consumer.
type ConsumerPosition struct {
	Name   string `json:"name"`
	Filter string `json:"filter,omitzero"`
	Began  uint64 `json:"-"`     // it was never to be given this message or one before
	After  uint64 `json:"after"` // the last message that it was given or passed over
	Open   int    `json:"open"`  // messages that are not acknowledged
	// Waiting are the sequence numbers of these messages, in their order.
	Waiting []uint64 `json:"-"`
}

// ConsumerPositions lists the positions of a stream's consumers.
func ConsumerPositions(r Reader, stream string) ([]ConsumerPosition, error) {
	prefix := "consumers/" + stream + "/"
	entries, err := r.List(prefix)
	if err != nil {
		return nil, err
	}
	all := make([]ConsumerPosition, 0, len(entries))
	for _, e := range entries {
		var p position
		if err := json.Unmarshal(e.Value, &p); err != nil {
			continue // its own faults are reported when it is used
		}
		s := ConsumerPosition{Name: e.Key[len(prefix):], Filter: p.Filter, Began: p.Began, After: p.After, Open: len(p.Open)}
		for _, o := range p.Open {
			s.Waiting = append(s.Waiting, o.Seq)
		}
		all = append(all, s)
	}
	return all, nil
}
