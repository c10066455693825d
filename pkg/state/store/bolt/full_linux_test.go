package bolt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// TestFullDisk fills a small file system: what does not fit is an error that says so, nothing
// of it is there, and the store works on when there is room again.
func TestFullDisk(t *testing.T) {
	mount := t.TempDir()
	if err := unix.Mount("none", mount, "tmpfs", 0, "size=1m,mode=700"); err != nil {
		t.Skipf("no small file system to fill: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(mount, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s := openAt(t, filepath.Join(mount, "state"), t.TempDir())
	written := 0
	var failure error
	for ; failure == nil && written < 100; written++ {
		failure = s.Update(t.Context(), func(tx store.Tx) error {
			if _, _, err := tx.Append("s", fmt.Sprint(written), bytes.Repeat([]byte{byte(written)}, 50<<10)); err != nil {
				return err
			}
			return tx.Put("count", []byte(fmt.Sprint(written)))
		})
	}
	written-- // the last one failed
	if !fault.Is(failure, fault.IOError) || !strings.Contains(fault.As(failure).Message.String(), "no space left") || written < 5 {
		t.Fatalf("after %d messages: %v", written, failure)
	}
	for range 2 {
		err := s.View(t.Context(), func(r store.Reader) error {
			messages, err := r.Read("s", 0, 1000)
			if err != nil {
				return err
			}
			e, err := r.Get("count")
			if len(messages) != written || string(e.Value) != fmt.Sprint(written-1) {
				t.Errorf("%d messages and the count %s, want %d", len(messages), e.Value, written)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if report, err := s.Check(t.Context()); err != nil || len(report.Damage) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
	// A file cannot be made smaller where there is no room for another one.
	if _, err := s.Compact(t.Context()); !fault.Is(err, fault.IOError) {
		t.Errorf("compact: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(mount, "state", "*", folder, "*.new")); err != nil || len(left) > 0 {
		t.Errorf("left are %v: %v", left, err)
	}
	if err := unix.Mount("none", mount, "tmpfs", unix.MS_REMOUNT, "size=8m,mode=700"); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), func(tx store.Tx) error {
		_, _, err := tx.Append("s", "more", bytes.Repeat([]byte("x"), 300<<10))
		return err
	}); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

func TestRemoteKinds(t *testing.T) {
	for _, magic := range []uint32{unix.NFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.AFS_SUPER_MAGIC} {
		if remoteKind(magic) == "" {
			t.Errorf("%#x is taken for a local file system", magic)
		}
	}
	for _, magic := range []uint32{unix.EXT4_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.V9FS_MAGIC} {
		if kind := remoteKind(magic); kind != "" {
			t.Errorf("%#x is taken for %s", magic, kind)
		}
	}
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("no /proc")
	}
	if kind, err := remote("/proc"); err != nil || kind != "" {
		t.Errorf("/proc is on %q: %v", kind, err)
	}
}
