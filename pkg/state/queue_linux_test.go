package state

import (
	"context"
	"encoding/binary"
	"os"
	"testing"
	"time"
)

// drawn waits until so many have stood in the queue of a key.
func drawn(t *testing.T, d *Dir, key string, n uint64) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) { //nolint:forbidigo // another process would tell nothing, too: the queue is a file
		b, err := os.ReadFile(at(t, d, lockName(key)+".queue"))
		if err == nil && len(b) == 8 && binary.LittleEndian.Uint64(b) >= n {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("%d have not come: %v %v", n, b, err)
		}
	}
}

// Those who wait have the lock in the order in which they came, whoever comes meanwhile, and
// also if one before them gives up.
func TestLockInTurn(t *testing.T) {
	t.Parallel()
	const waiters, weary = 20, 7
	d := fresh(t, Options{LockWait: time.Minute})
	unlock, err := d.Lock(context.Background(), "a")
	check(t, err)
	tired, giveUp := context.WithCancel(context.Background())
	defer giveUp()
	got, gaveUp := make(chan int, waiters), make(chan error, 1)
	for i := range waiters {
		go func() {
			ctx := context.Background()
			if i == weary {
				ctx = tired
			}
			unlock, err := d.Lock(ctx, "a")
			if i == weary {
				gaveUp <- err
				return
			}
			got <- i
			if err == nil {
				err = unlock()
			}
			if err != nil {
				t.Error(err)
			}
		}()
		drawn(t, d, "a", uint64(i)+2)
	}
	giveUp()
	if err := <-gaveUp; err == nil {
		t.Error("one who gave up has the lock")
	}
	check(t, unlock())
	last := -1
	for range waiters - 1 {
		if i := <-got; i <= last {
			t.Errorf("%d after %d", i, last)
		} else {
			last = i
		}
	}
}
