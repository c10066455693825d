// Command put keeps messages in a store without the rest of helve, to be compared with:
//
//	put nothing              does nothing
//	put jsonl DIR ID         adds a line to a file under a lock, and synchronises it
//	put jsonl-ids DIR        prints the ids of all lines, in order
//	put bolt DIR ID          adds a message to the store of helve
//	put bolt-ids DIR         prints the ids of all its messages, in order
//	put bus-ids DIR          prints the first words of the messages that helve has sent there
//	put nats URL ID          adds a message to the store on a server of NATS
//	put nats-ids URL         prints the ids of all its messages, in order
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
	"github.com/helve-dev/helve/pkg/state/store/nats"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "put:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	args = append(args, "", "", "")
	switch what, where, id := args[0], args[1], args[2]; what {
	case "nothing":
		return nil
	case "jsonl":
		return jsonl(where, message(id))
	case "jsonl-ids":
		return jsonlIDs(where)
	case "bolt":
		return inFile(where, func(s store.Store) error { return add(s, message(id)) })
	case "bolt-ids":
		return inFile(where, list)
	case "bus-ids":
		return inFile(where, listSent)
	case "nats":
		return onServer(where, func(s store.Store) error { return add(s, message(id)) })
	case "nats-ids":
		return onServer(where, list)
	}
	return errors.New("usage: see the source")
}

// line is a message of the size that most have.
type line struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

func message(id string) line { return line{ID: id, Content: strings.Repeat("a word ", 30)} }

// jsonl adds a line that stays. It does not look whether there is one with the id.
func jsonl(dir string, m line) (err error) {
	lock := flock.New(filepath.Join(dir, "lock"))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, "messages.jsonl"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}

func jsonlIDs(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "messages.jsonl"))
	if err != nil {
		return err
	}
	for one := range strings.Lines(string(text)) {
		var m line
		if err := json.Unmarshal([]byte(one), &m); err != nil {
			return err
		}
		fmt.Println(m.ID)
	}
	return nil
}

// stream is the stream of the messages.
const stream = "messages"

// inFile opens the store of the workspace in a directory.
func inFile(parent string, do func(store.Store) error) error {
	dir, err := state.Open(filepath.Join(parent, "state"), filepath.Join(parent, "workspace"), state.Options{})
	if err != nil {
		return err
	}
	s := bolt.Open(dir)
	return errors.Join(do(s), s.Close())
}

// onServer opens the store on a server.
func onServer(url string, do func(store.Store) error) error {
	s, err := nats.Open(nats.Options{URL: url})
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

func add(s store.Store, m line) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return s.Update(context.Background(), func(tx store.Tx) error {
		_, _, err := tx.Append(stream, m.ID, data)
		return err
	})
}

func listSent(s store.Store) error {
	b := bus.New(s, time.Now)
	for after := uint64(0); ; {
		all, next, unread, err := b.Read(context.Background(), after, 1000, bus.Filter{})
		if err != nil || unread > 0 {
			return fmt.Errorf("%d messages cannot be read: %w", unread, err)
		}
		if len(all) == 0 {
			return nil
		}
		for _, m := range all {
			fmt.Println(strings.Fields(m.Content)[0])
		}
		after = next
	}
}

func list(s store.Store) error {
	return s.View(context.Background(), func(r store.Reader) error {
		for after := uint64(0); ; {
			page, err := r.Read(stream, after, 1000)
			if err != nil || len(page) == 0 {
				return err
			}
			for _, m := range page {
				fmt.Println(m.ID)
				after = m.Seq
			}
		}
	})
}
