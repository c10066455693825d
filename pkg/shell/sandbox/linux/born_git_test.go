//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// plantsOfGit have git run something, or obey settings.
func plantsOfGit() []plant {
	return []plant{
		{"a directory that settings name", func() error { return first(put("x/hooks/post-checkout", evil), os.Rename("x", "../to")) }},
		{"a directory in one that settings name", func() error {
			return first(os.MkdirAll("../to/hooks", 0o755), put("../to/hooks/post-checkout", evil))
		}},
		{"a hook", func() error { return first(repository("n/.git"), put("n/.git/hooks/post-checkout", evil)) }},
		{"a hook renamed", func() error {
			return first(repository("n/.git"), put("x", evil), os.Rename("x", "n/.git/hooks/pre-push"))
		}},
		{"a sample renamed", func() error {
			return first(repository("n/.git"), put("n/.git/hooks/x.sample", evil), os.Rename("n/.git/hooks/x.sample", "n/.git/hooks/pre-push"))
		}},
		{"hooks renamed", func() error {
			return first(repository("n/.git"), os.Remove("n/.git/hooks"), put("h/pre-push", evil), os.Rename("h", "n/.git/hooks"))
		}},
		{"hooks linked", func() error {
			return first(repository("n/.git"), os.Remove("n/.git/hooks"), put("h/pre-push", evil), os.Symlink("../../h", "n/.git/hooks"))
		}},
		{"hooks of a bare repository", func() error { return first(put("b/hooks/pre-push", evil), repository("b")) }},
		{"settings", func() error { return first(repository("n/.git"), put("n/.git/config", evil)) }},
		{"settings as git writes them", func() error {
			return first(repository("n/.git"), put("n/.git/config.lock", evil), os.Rename("n/.git/config.lock", "n/.git/config"))
		}},
		{"settings through a descriptor from before", func() error {
			err := repository("n/.git")
			f, err2 := os.Create("n/.git/config.lock")
			if err = first(err, err2, os.Rename("n/.git/config.lock", "n/.git/config")); err != nil {
				return err
			}
			_, err = f.WriteString(evil)
			return first(err, put("x", ""), f.Sync())
		}},
		{"settings through memory", func() error {
			err := repository("n/.git")
			f, err2 := os.OpenFile("n/.git/config.lock", os.O_CREATE|os.O_RDWR, 0o644)
			if err = first(err, err2, f.Truncate(int64(len(evil)))); err != nil {
				return err
			}
			memory, err := unix.Mmap(int(f.Fd()), 0, len(evil), unix.PROT_WRITE, unix.MAP_SHARED)
			if err = first(err, f.Close(), os.Rename("n/.git/config.lock", "n/.git/config"), put("x", "")); err != nil {
				return err
			}
			copy(memory, evil)
			return unix.Munmap(memory)
		}},
		{"settings of a repository that a link leads to", func() error {
			err := repository("n/.git")
			f, err2 := os.Create("n/.git/config.lock")
			if err = first(err, err2, os.Rename("n/.git/config.lock", "n/.git/config"), os.Rename("n", "m"), os.Symlink("..", "n")); err != nil {
				return err
			}
			aside, err := filepath.Glob("m/.git/config.refused-*")
			if err != nil || len(aside) != 1 {
				return fmt.Errorf("%q %w", aside, err)
			}
			return first(put("n/.git/"+filepath.Base(aside[0]), "[core]\n\tbare = false\n"), f.Close(), put("x", ""))
		}},
		{"settings through another name", func() error {
			return first(repository("n/.git"), put("c", ""), os.Link("c", "n/.git/config"), put("x", ""), put("c", evil))
		}},
		{"settings through a later name", func() error {
			err := first(repository("n/.git"), put("n/.git/config.lock", "[core]\n\tbare = false\n"), os.Rename("n/.git/config.lock", "n/.git/config"))
			return first(err, os.Link("n/.git/config", "c"), put("c", evil))
		}},
		{"settings in place", func() error {
			err := first(repository("n/.git"), put("n/.git/config.lock", "[core]\n\tbare = false\n"), os.Rename("n/.git/config.lock", "n/.git/config"))
			return first(err, open("n/.git/config", unix.O_WRONLY))
		}},
		{"settings through a descriptor for reading", func() error {
			err := first(repository("n/.git"), put("n/.git/config.lock", "[core]\n\tbare = false\n"), os.Rename("n/.git/config.lock", "n/.git/config"))
			fd, err2 := unix.Open("n/.git/config", unix.O_RDONLY, 0)
			return first(err, err2, open(fmt.Sprintf("/proc/self/fd/%d", fd), unix.O_WRONLY))
		}},
		{"settings before the repository", func() error { return first(put("b/config", evil), repository("b")) }},
		{"settings open before the repository", func() error {
			err := os.Mkdir("b", 0o755)
			f, err2 := os.Create("b/config")
			if err = first(err, err2, repository("b")); err != nil {
				return err
			}
			_, err = f.WriteString(evil)
			return err
		}},
		{"a directory renamed to .git", func() error { return first(put("g/config", evil), repository("g"), os.Rename("g", ".git")) }},
		{"a directory with settings renamed to .git", func() error { return first(put("g/config", evil), os.Rename("g", ".git"), repository(".git")) }},
		{"objects renamed into place", func() error {
			return first(put("b/config", evil), put("b/HEAD", "ref: refs/heads/x\n"), os.Mkdir("b/refs", 0o755), os.Mkdir("o", 0o755), os.Rename("o", "b/objects"))
		}},
		{"objects linked", func() error {
			return first(put("b/config", evil), put("b/HEAD", "ref: refs/heads/x\n"), os.Mkdir("b/refs", 0o755), os.Mkdir("o", 0o755), os.Symlink("../o", "b/objects"))
		}},
		{"a common directory", func() error {
			return first(put("c/config", evil), os.Mkdir("c/refs", 0o755), os.Mkdir("c/objects", 0o755), put("e/HEAD", "ref: refs/heads/x\n"), put("e/commondir", "../c\n"))
		}},
		{"a directory that settings name, as a link", func() error {
			_ = os.Rename("../to", "gone") // it may be there
			return first(put("e/hooks/post-checkout", evil), os.Symlink(base()+"/e", "../to"))
		}},
		{"objects as a socket", func() error {
			return first(put("b/HEAD", "ref: refs/heads/x\n"), put("b/config", evil), os.Mkdir("b/refs", 0o755), socket("b/objects"))
		}},
		{"all parts as sockets, and settings before", func() error {
			return first(put("b/config", evil), socket("b/objects"), socket("b/refs"), put("b/HEAD", "ref: refs/heads/x\n"))
		}},
		{"objects as a program", func() error {
			return first(put("b/config", evil), put("b/objects", ""), os.Chmod("b/objects", 0o755), os.Mkdir("b/refs", 0o755), put("b/HEAD", "ref: refs/heads/x\n"))
		}},
		{"a HEAD that is a link", func() error {
			return first(put("b/config", evil), os.Symlink("refs/heads/x", "b/HEAD"), os.Mkdir("b/objects", 0o755), os.Mkdir("b/refs", 0o755))
		}},
		{"the steps of a rebase", func() error {
			return first(repository("n/.git"), put("n/.git/rebase-merge/git-rebase-todo", "exec evil\n"))
		}},
		{"the steps of a rebase, as git writes them", func() error {
			err := first(repository("n/.git"), put("n/.git/rebase-merge/git-rebase-todo.lock", "pick 1\nx evil\n"))
			return first(err, os.Rename("n/.git/rebase-merge/git-rebase-todo.lock", "n/.git/rebase-merge/git-rebase-todo"))
		}},
		{"more steps of a rebase", func() error {
			err := first(repository("n/.git"), put("n/.git/rebase-merge/x", "pick 1\n"), os.Rename("n/.git/rebase-merge/x", "n/.git/rebase-merge/git-rebase-todo"))
			return first(err, put("n/.git/rebase-merge/git-rebase-todo", "exec evil\n"))
		}},
		{"an interrupted rebase renamed into place", func() error {
			return first(repository("n/.git"), put("r/git-rebase-todo", "exec evil\n"), os.Rename("r", "n/.git/rebase-merge"))
		}},
		{"an interrupted rebase linked", func() error {
			return first(repository("n/.git"), put("r/git-rebase-todo", "exec evil\n"), os.Symlink("../../r", "n/.git/rebase-merge"))
		}},
		{"a later descriptor of what lies aside", func() error {
			err := first(repository("n/.git"), put("n/.git/config", evil))
			aside, err2 := filepath.Glob("n/.git/config.refused-*")
			if err = first(err, err2); err != nil || len(aside) != 1 {
				return fmt.Errorf("%q %w", aside, err)
			}
			f, err := os.OpenFile(aside[0], os.O_RDWR|os.O_TRUNC, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("[core]\n\tbare = false\n")
			err = first(err, put("x", ""))
			_, err2 = f.WriteAt([]byte(evil), 0)
			return first(err, err2, put("y", ""))
		}},
	}
}

// repository makes one of git's directories.
func repository(dir string) error {
	return first(os.MkdirAll(dir+"/objects", 0o755), os.MkdirAll(dir+"/refs", 0o755), os.MkdirAll(dir+"/hooks", 0o755), put(dir+"/HEAD", "ref: refs/heads/x\n"))
}

// socket gives a socket a name, which no call that makes files does.
func socket(name string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	return first(err, unix.Bind(fd, &unix.SockaddrUnix{Name: name}))
}
