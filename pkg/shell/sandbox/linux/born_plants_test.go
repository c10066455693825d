//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// evil is in every file that must not come into being under a name that others obey.
const evil = "[core]\n\tfsmonitor = evil\n"

// plant is one way to have such a file made, in an empty directory. It returns the error of
// the call that should make it.
type plant struct {
	name string
	do   func() error
}

// plants are all ways.
func plants() []plant {
	return slices.Concat(plantsByName(), plantsOfGit(), plantsByThreads(), oldPlants())
}

// flags make a file and open it for writing.
const flags = unix.O_CREAT | unix.O_WRONLY

func open(name string, flags int) error { return fill(unix.Open(name, flags, 0o644)) }

// plantsByName give a file a name that others obey.
func plantsByName() []plant {
	return []plant{
		{"open", func() error { return open(".envrc", flags) }},
		{"open exclusively", func() error { return open(".envrc", flags|unix.O_EXCL) }},
		{"open for reading and writing", func() error { return open(".envrc", unix.O_CREAT|unix.O_RDWR) }},
		{"create for reading", func() error { return open(".envrc", unix.O_CREAT) }},
		{"by the absolute path", func() error {
			dir, err := os.Getwd()
			return first(err, open(dir+"/.envrc", flags))
		}},
		{"in another spelling", func() error {
			return first(open(".EnvRC", flags), open(".envrc.", flags), open("./d/../.envrc", flags))
		}},
		{"below a directory", func() error { return first(os.MkdirAll("d/e", 0o755), open("d/e/.envrc", flags)) }},
		{"by a descriptor of the directory", func() error {
			dir, err := unix.Open(".", unix.O_PATH, 0)
			return first(err, fill(unix.Openat(dir, ".envrc", flags, 0o644)))
		}},
		{"through /proc/self/cwd", func() error { return open("/proc/self/cwd/.envrc", flags) }},
		{"through a thread's directory", func() error { return open(fmt.Sprintf("/proc/self/task/%d/cwd/.envrc", unix.Gettid()), flags) }},
		{"through /proc/self/fd", func() error {
			dir, err := unix.Open(".", unix.O_PATH, 0)
			return first(err, open(fmt.Sprintf("/proc/self/fd/%d/.envrc", dir), flags))
		}},
		{"through a linked directory", func() error { return first(os.Mkdir("d", 0o755), os.Symlink("d", "l"), open("l/.envrc", flags)) }},
		{"through a link that leads nowhere", func() error { return first(os.Symlink(".envrc", "l"), open("l", flags)) }},
		{"through two of them", func() error {
			return first(os.Symlink("m", "l"), os.Symlink("../"+base()+"/.envrc", "m"), open("l", flags))
		}},
		{"openat2", func() error {
			how := unix.OpenHow{Flags: flags, Mode: 0o644}
			return fill(unix.Openat2(unix.AT_FDCWD, ".envrc", &how))
		}},
		{"rename", func() error { return first(put("x", evil), os.Rename("x", ".envrc")) }},
		{"renameat2", func() error {
			return first(put("x", evil), unix.Renameat2(unix.AT_FDCWD, "x", unix.AT_FDCWD, ".envrc", unix.RENAME_NOREPLACE))
		}},
		{"exchange", func() error {
			return first(put("x", evil), put("d/y", ""), os.Mkdir(".vscode", 0o755), unix.Renameat2(unix.AT_FDCWD, "d", unix.AT_FDCWD, ".vscode", unix.RENAME_EXCHANGE))
		}},
		{"a hard link", func() error { return first(put("x", evil), os.Link("x", ".envrc")) }},
		{"a file without a name", func() error {
			fd, err := unix.Open(".", unix.O_TMPFILE|unix.O_RDWR, 0o644)
			if err != nil {
				return err
			}
			_, err = unix.Write(fd, []byte(evil))
			return first(err, unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, ".envrc", unix.AT_SYMLINK_FOLLOW))
		}},
		{"a symbolic link", func() error { return first(put("x", evil), os.Symlink("x", ".envrc")) }},
		{"mknod", func() error { return first(unix.Mknod(".envrc", unix.S_IFREG|0o644, 0), open(".envrc", unix.O_WRONLY)) }},
		{"a directory", func() error { return first(os.Mkdir(".vscode", 0o755), put(".vscode/tasks.json", evil)) }},
		{"a directory inside", func() error { return put(".vscode/a/b/tasks.json", evil) }},
		{"from inside a directory", func() error {
			return first(os.Mkdir(".vscode", 0o755), os.Chdir(".vscode"), open("tasks.json", flags), os.Chdir(".."))
		}},
		{"a directory renamed into place", func() error { return first(put("x/tasks.json", evil), os.Rename("x", ".vscode")) }},
		{"an empty one, filled through its descriptor", func() error {
			err := os.Mkdir("x", 0o755)
			dir, err2 := unix.Open("x", unix.O_PATH, 0)
			return first(err, err2, os.Rename("x", ".vscode"), fill(unix.Openat(dir, "tasks.json", flags, 0o644)))
		}},
		{"a directory above renamed", func() error { return first(put("x/workflows/ci.yml", evil), os.Rename("x", ".github")) }},
		{"a directory of dependencies renamed", func() error {
			return first(put("node_modules/x/.vscode/tasks.json", evil), os.Rename("node_modules/x", "x"))
		}},
		{"a temporary file renamed into place", func() error { return first(put(".vscode/x", evil), os.Rename(".vscode/x", ".vscode/tasks.json")) }},
		{"a link to a directory that leads to one", func() error {
			return first(put("x/lefthook.json", evil), os.Symlink("x", ".config"))
		}},
		{"a link renamed to one", func() error {
			return first(put("x/workflows/ci.yml", evil), os.Symlink("x", "l"), os.Rename("l", ".github"))
		}},
		{"a link to one given another name", func() error {
			return first(put("x/workflows/ci.yml", evil), os.Symlink("x", "l"), os.Link("l", ".github"))
		}},
		{"a directory with a link to one renamed", func() error {
			return first(put("x/a/releases/y", evil), os.Mkdir("d", 0o755), os.Symlink("../x/a", "d/y"), os.Rename("d/y", "d/.yarn"), os.Rename("d", "e"))
		}},
		{"through the directory of another process", func() error { return open(fmt.Sprintf("/proc/%d/cwd/.envrc", os.Getppid()), flags) }},
		{"through the root of another process", func() error {
			dir, err := os.Getwd()
			return first(err, open(fmt.Sprintf("/proc/%d/root%s/.envrc", os.Getppid(), dir), flags))
		}},
		{"by a handle", func() error {
			handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, ".", 0)
			if err != nil {
				return err
			}
			dir, err := unix.OpenByHandleAt(unix.AT_FDCWD, handle, unix.O_PATH)
			return first(err, fill(unix.Openat(dir, ".envrc", flags, 0o644)))
		}},
		{"a file in memory", func() error {
			fd, err := unix.MemfdCreate("x", 0)
			if err != nil {
				return err
			}
			_, err = unix.Write(fd, []byte(evil))
			link := fmt.Sprintf("/proc/self/fd/%d", fd)
			return first(err, unix.Linkat(unix.AT_FDCWD, link, unix.AT_FDCWD, ".envrc", unix.AT_SYMLINK_FOLLOW))
		}},
		{"a file without a name by its descriptor", func() error {
			fd, err := unix.Open(".", unix.O_TMPFILE|unix.O_RDWR, 0o644)
			if err != nil {
				return err
			}
			_, err = unix.Write(fd, []byte(evil))
			return first(err, unix.Linkat(fd, "", unix.AT_FDCWD, ".envrc", unix.AT_EMPTY_PATH))
		}},
		{"in mounts of its own", func() error {
			return first(unix.Unshare(unix.CLONE_NEWUSER|unix.CLONE_NEWNS), unix.Mount(".", "/tmp", "", unix.MS_BIND, ""), open("/tmp/.envrc", flags))
		}},
		{"in a root of its own", func() error { return first(unix.Chroot("."), open("/.envrc", flags)) }},
	}
}

func put(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// fill writes to a descriptor.
func fill(fd int, err error) error {
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte(evil))
	return err
}

// rawOpen makes a call of the kernel that opens a file, as no library does it, and fills the
// file.
func rawOpen(number uintptr, args ...uintptr) error {
	args = append(args, 0, 0, 0, 0)
	fd, _, errno := unix.Syscall6(number, args[0], args[1], args[2], args[3], 0, 0)
	if errno != 0 {
		return errno
	}
	return fill(int(fd), nil)
}

func first(steps ...error) error {
	for _, err := range steps {
		if err != nil {
			return err
		}
	}
	return nil
}

func text(s string) uintptr { return uintptr(unsafe.Pointer(&append([]byte(s), 0)[0])) }

func rawNone(number uintptr, args ...uintptr) error {
	args = append(args, 0, 0, 0, 0)
	if _, _, errno := unix.Syscall6(number, args[0], args[1], args[2], args[3], 0, 0); errno != 0 {
		return errno
	}
	return nil
}

func base() string {
	dir, _ := os.Getwd()
	return filepath.Base(dir)
}

// plantAll goes all ways, each in a directory of its own.
func plantAll() int {
	for i, w := range plants() {
		dir := fmt.Sprintf("w%d", i)
		if err := first(os.Mkdir(dir, 0o755), os.Chdir(dir)); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Printf("%d %s: %v\n", i, w.name, w.do())
		if err := os.Chdir(".."); err != nil {
			return 1
		}
	}
	return 0
}
