package run

import (
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// Budget limits what a command and all that it starts take. Zero is no limit. Only Linux
// tells what they take; elsewhere nothing is limited.
type Budget struct {
	// Memory limits the bytes of memory that no file could give back.
	Memory int64
	// Machine is the memory that the machine had left when the budget was made. Once a
	// command has taken nearly all of it, together with others, it is ended, too.
	Machine sandbox.Memory
	// Temp is a directory that commands leave to others, in which they may keep Kept bytes.
	Temp string
	Kept int64
	// Disks are directories on whose file systems the command must leave something. Written
	// limits the bytes by which they fill up while it runs.
	Disks   []string
	Written int64
}

const (
	// leastMemory is the memory, in bytes, that a command may always hold.
	leastMemory = 256 << 20
	// A command must leave a fiftieth of a disk, of a large one mostReserved bytes, and
	// half of what there was.
	reservedShare = 50
	mostReserved  = 256 << 20
	// keptShare of what may be kept is the growth that a look at all temporary files is
	// worth.
	keptShare = 256
	// fillTime and writeTime are the times in which a fast command takes a gigabyte of
	// memory and of a disk. The next look is before the rest of a budget can be taken, but
	// not before leastInterval, and not after countInterval.
	fillTime      = 250 * time.Millisecond
	writeTime     = 500 * time.Millisecond
	leastInterval = 50 * time.Millisecond
)

// MemoryBudget returns a budget of nine tenths of the memory that is left, or of limit bytes
// if that is not 0. More would make the kernel end programs of its own choice.
func MemoryBudget(limit int64) Budget {
	m, ok := native.MemoryLeft()
	switch {
	case limit > 0:
	case ok:
		limit = max(m.Left/10*9, leastMemory)
	}
	return Budget{Memory: limit, Machine: m}
}

// limits returns what the kernel enforces.
func (b Budget) limits() sandbox.Limits {
	l := sandbox.Limits{OpenFiles: openFiles, FileBytes: fileBytes, TempBytes: uint64(b.Kept), Processes: processes}
	if b.Written > 0 {
		l.FileBytes = uint64(b.Written)
	}
	return l
}

// reached returns what there is to say of a command that ended with a state: nil unless it
// wrote a file of the largest size.
func (b Budget) reached(s sandbox.State) *fault.Text {
	const ofShells = 128 + 25
	if s.Signal != "SIGXFSZ" && s.ExitCode != ofShells {
		return nil
	}
	said := fault.T("it wrote a file of %d MB, the largest that it may: let it write less; a person can change the limit by exec.disk", b.limits().FileBytes>>20)
	return &said
}

// meter compares what a command takes with its budget.
type meter struct {
	Budget
	process sandbox.Process
	disks   []disk
	begin   time.Time
	temp    int64 // bytes left on the disk of Temp at the last look at all files there
	kept    int64 // bytes in Temp then
}

// disk is a file system that a command must not fill.
type disk struct {
	dir     string // a directory of it
	left    int64  // bytes at the beginning
	reserve int64  // the bytes that stay free
}

func newMeter(b Budget, process sandbox.Process) *meter {
	m := &meter{Budget: b, process: process, begin: time.Now()}
	for _, dir := range b.Disks {
		if size, left := space(dir); size > 0 {
			m.disks = append(m.disks, disk{dir, left, min(size/reservedShare, mostReserved, left/2)})
		}
	}
	if b.Temp == "" {
		m.Kept = 0
	} else {
		_, m.temp = space(b.Temp)
	}
	return m
}

// first returns the time of the first look after the start.
func (m *meter) first() time.Duration {
	wait := countInterval
	if m.Memory > 0 {
		wait = min(wait, before(m.Memory, fillTime))
	}
	if m.Kept > 0 {
		wait = min(wait, before(m.Kept, writeTime))
	}
	for _, d := range m.disks {
		wait = min(wait, before(d.room(m.Written, d.left), writeTime))
	}
	return wait
}

// before returns the time of the next look while there is room for so many bytes.
func before(room int64, perGigabyte time.Duration) time.Duration {
	if room > 4<<30 {
		return countInterval
	}
	return max(min(time.Duration(room>>20)*perGigabyte/1024, countInterval), leastInterval)
}

// look returns why the command must end, if it must, with the words for that, and else when
// to look again.
func (m *meter) look() (why Reason, said fault.Text, wait time.Duration) {
	wait = countInterval
	if m.process.Count() > processes {
		return TooMany, fault.T("it had more than %d processes at a time", processes), 0
	}
	if m.Memory > 0 {
		held := m.process.Memory()
		if held > m.Memory {
			return TooLarge, fault.T("it held %d MB of memory, and may hold %d MB: let it do less at a time; a person can change the limit by exec.memory", held>>20, m.Memory>>20), 0
		}
		if m.exhausted(held) {
			return TooLarge, fault.T("it held %d MB of memory, and the machine had nearly none left: let it do less at a time", held>>20), 0
		}
		wait = min(wait, before(m.Memory-held, fillTime))
	}
	for _, d := range m.disks {
		_, left := space(d.dir)
		switch room := d.room(m.Written, left); {
		case room >= 0:
			wait = min(wait, before(room, writeTime))
		case left >= d.reserve && m.byOthers(d):
		case left < d.reserve:
			return DiskFull, fault.T("it had nearly filled the disk of %s: remove what it left, and let it write less", d.dir), 0
		default:
			return TooMuchWritten, fault.T("the disk of %s had %d MB less, and it may write %d MB: let it write less; a person can change the limit by exec.disk", d.dir, (d.left-left)>>20, m.Written>>20), 0
		}
	}
	if m.Kept > 0 {
		kept, over := m.overKept()
		if over {
			return TooMuchKept, fault.T("the temporary files of the session ($TMPDIR) took %d MB, and may take %d MB: remove those that nobody needs; a person can change the limit by exec.temp", kept>>20, m.Kept>>20), 0
		}
		if kept < m.Kept {
			wait = min(wait, before(m.Kept-kept, writeTime))
		}
	}
	return NoReason, fault.Text{}, wait
}

// exhausted reports whether nearly nothing is left of what the machine had, and the command
// has a part in that. held is what it holds. Shared memory is nobody's.
func (m *meter) exhausted(held int64) bool {
	now, ok := native.MemoryLeft()
	return ok && now.Left < m.Machine.Left/20 && held+now.Shared-m.Machine.Shared > leastMemory
}

// byOthers reports whether the command wrote less than it may, so that others took the rest.
func (m *meter) byOthers(d disk) bool {
	wrote, ok := m.process.Written()
	return ok && wrote < m.Written && counted(d.dir)
}

// room returns how many bytes a command may still write where so many are left.
func (d disk) room(written, left int64) int64 {
	room := left - d.reserve
	if written > 0 {
		room = min(room, written-(d.left-left))
	}
	return room
}

// overKept returns how many bytes the temporary files take, as far as that is known, and
// whether that is too much and the command has a part in it. It looks at all of them only
// when the disk has lost what makes a difference.
func (m *meter) overKept() (kept int64, over bool) {
	_, left := space(m.Temp)
	lost := m.temp - left
	if lost < m.Kept/keptShare || lost < m.Kept-m.kept && m.kept > 0 {
		return m.kept, false
	}
	all, fresh := taken(m.Temp, m.begin)
	m.temp, m.kept = left, all
	return all, all > m.Kept && fresh >= m.Kept/keptShare
}
