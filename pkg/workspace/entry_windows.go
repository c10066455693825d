package workspace

import (
	"errors"
	"io/fs"
	"os"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// openEntry opens a bare name of an open directory itself, not what it links to. The
// handle is to be closed.
func openEntry(dir *os.File, name string, access, options uint32) (windows.Handle, error) {
	text, err := windows.NewNTUnicodeString(name)
	if err != nil {
		return windows.InvalidHandle, err
	}
	at := windows.OBJECT_ATTRIBUTES{RootDirectory: windows.Handle(dir.Fd()), ObjectName: text, Attributes: windows.OBJ_CASE_INSENSITIVE}
	at.Length = uint32(unsafe.Sizeof(at))
	var h windows.Handle
	err = windows.NtCreateFile(&h, access|windows.SYNCHRONIZE, &at, &windows.IO_STATUS_BLOCK{}, nil, 0,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, windows.FILE_OPEN,
		windows.FILE_OPEN_REPARSE_POINT|windows.FILE_OPEN_FOR_BACKUP_INTENT|windows.FILE_SYNCHRONOUS_IO_NONALERT|options, 0, 0)
	return h, errnoOf(err)
}

// moveNew gives an entry of a directory a name in another one. It fails if the name is
// taken, even if another process takes it meanwhile.
func moveNew(from *os.File, name string, into *os.File, to string) error {
	h, err := openEntry(from, name, windows.DELETE, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h) //nolint:errcheck // nothing was written through it
	// renameInformation is FILE_RENAME_INFORMATION.
	type renameInformation struct {
		replace   uint32 // and padding
		directory windows.Handle
		length    uint32 // of the name, in bytes
		name      [1]uint16
	}
	wide := utf16.Encode([]rune(to))
	buffer := make([]byte, int(unsafe.Sizeof(renameInformation{}))+2*len(wide))
	info := (*renameInformation)(unsafe.Pointer(&buffer[0]))
	info.directory, info.length = windows.Handle(into.Fd()), uint32(2*len(wide))
	copy(unsafe.Slice(&info.name[0], len(wide)), wide)
	return errnoOf(windows.NtSetInformationFile(h, &windows.IO_STATUS_BLOCK{}, &buffer[0], uint32(len(buffer)), windows.FileRenameInformation))
}

// removeOnClose removes an entry the old way, for file systems that do not know how to
// remove a name while others have the file open, such as those of network drives.
func removeOnClose(dir *os.File, name string) error {
	h, err := openEntry(dir, name, windows.DELETE, windows.FILE_DELETE_ON_CLOSE)
	if err != nil {
		return err
	}
	return windows.CloseHandle(h)
}

// errnoOf returns the error of Windows for a status of the kernel.
func errnoOf(err error) error {
	var status windows.NTStatus
	switch {
	case !errors.As(err, &status):
		return err
	case status == windows.STATUS_OBJECT_NAME_COLLISION:
		return fs.ErrExist
	}
	return status.Errno()
}
