package limit

import "time"

// Budgets of the state directory.
const (
	// StateFile is the largest file, in bytes, that is kept whole beside the logs.
	StateFile = 32 << 20
	// LogRecord is the longest line, in bytes, that a log takes.
	LogRecord = 4 << 20
	// LogBytes is the size at which a rotated log starts afresh.
	LogBytes = 8 << 20
	// BlobPlain is the size, in bytes, up to which a blob is not worth compressing.
	BlobPlain = 4 << 10
	// LedgerBytes is how much of what sessions were served is kept, in bytes on
	// disk, beside the blobs that the undo history needs.
	LedgerBytes = 64 << 20
	// LedgerFile is the size, in bytes, from which on the ledger of one file is summed
	// up.
	LedgerFile = 64 << 10
	// SessionAge is how long a session's ledger outlives its last use.
	SessionAge = 7 * 24 * time.Hour
	// SessionName is the longest name of a session, in bytes.
	SessionName = 128
)

// Budgets of the undo history.
const (
	// UndoFile is the largest file, in bytes, whose earlier bytes are kept when
	// a single change replaces or deletes it.
	UndoFile = 16 << 20
	// UndoBytes is what the kept bytes of a workspace may take on disk before
	// old entries go; the newest UndoFloor versions of every file stay.
	UndoBytes = 200 << 20
	// UndoBytesMost is what they may take at all.
	UndoBytesMost = 1 << 30
	// UndoVersions is how many versions of one file are kept.
	UndoVersions = 100
	// UndoFloor is how many versions of a file outlive UndoAge and UndoBytes.
	UndoFloor = 10
	// UndoAge is how long an entry is kept.
	UndoAge = 30 * 24 * time.Hour
	// UndoEntries is how many entries a workspace keeps at all.
	UndoEntries = 20_000
	// JournalBytes and JournalEntries are how much the journal grows before it
	// is thinned out.
	JournalBytes   = 2 << 20
	JournalEntries = 200
)
