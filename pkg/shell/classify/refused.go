package classify

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// destructiveProgram reports whether the name alone is reason enough.
func destructiveProgram(name string) bool {
	switch name {
	case "rm", "rmdir", "shred", "unlink", "dd", "truncate", "mkfs", "fdisk", "kill", "killall", "pkill", "sudo", "su", "crontab", "wipefs":
		return true
	}
	return strings.HasPrefix(name, "mkfs.")
}

// refused judges what works on the system, its devices or other processes.
func (a *analysis) refused(name string, argv []word.Word) bool {
	switch name {
	case "kill", "killall", "pkill", "xkill", "skill", "snice", "renice", "taskkill":
		if name == "kill" && (len(argv) == 2 && (argv[1].Text == "-l" || argv[1].Text == "-L") || len(argv) == 1) {
			return true
		}
		a.raise(Destructive, "", fault.T("%s stops or changes other processes", "%s 会终止或影响其他进程", name))
	case "crontab", "at", "batch", "atrm", "systemctl", "service", "loginctl", "initctl", "update-rc.d", "chkconfig", "anacron":
		a.raise(Destructive, "", fault.T("%s changes what runs later", "%s 会改变之后运行的内容", name))
	case "shutdown", "reboot", "halt", "poweroff", "init", "telinit", "swapoff", "swapon", "sysctl", "modprobe", "insmod", "rmmod",
		"depmod", "kexec", "mount", "umount", "losetup", "cryptsetup", "lvm", "lvremove", "vgremove", "pvremove", "zpool", "zfs", "btrfs",
		"iptables", "ip6tables", "nft", "ufw", "firewall-cmd", "ip", "ifconfig", "route", "tc", "brctl", "hwclock", "timedatectl",
		"hostnamectl", "localectl", "useradd", "userdel", "usermod", "adduser", "deluser", "groupadd", "groupdel", "passwd", "chpasswd",
		"chsh", "chfn", "visudo", "vipw", "dpkg", "apt", "apt-get", "aptitude", "yum", "dnf", "zypper", "pacman", "apk", "emerge", "snap",
		"flatpak", "rpm", "mknod", "setcap", "chcon", "semanage", "setenforce", "update-alternatives", "ldconfig", "debugfs", "tune2fs", "e2fsck",
		"fsck", "badblocks", "hdparm", "nvme", "smartctl", "efibootmgr", "grub-install", "dmsetup", "mdadm", "defaults", "csrutil", "spctl", "dscl",
		"softwareupdate", "nvram", "pmset", "logger", "wall", "write", "mail", "sendmail", "mutt", "mailx":
		a.raise(Destructive, "", fault.T("%s works on the system itself", "%s 会操作系统本身", name))
	case "docker", "podman", "nerdctl", "ctr", "crictl", "lxc", "lxc-start", "lxc-attach", "vagrant", "qemu-system-x86_64", "virsh", "buildah", "docker-compose":
		a.raise(Destructive, Privilege, fault.T("%s starts containers that reach beyond the sandbox", "%s 启动的容器可越出沙箱", name))
	case "fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk", "parted", "mkswap", "newfs", "mke2fs", "blkdiscard", "mkfs":
		a.forbid(fault.T("%s overwrites disks", "%s 会覆盖磁盘", name))
	default:
		if !strings.HasPrefix(name, "mkfs.") {
			return false
		}
		a.forbid(fault.T("%s overwrites disks", "%s 会覆盖磁盘", name))
	}
	return true
}

// dd judges dd, whose operands are of=file and the like.
func (a *analysis) dd(argv []word.Word) {
	a.raise(Write, "", fault.T("%s changes files", "%s 会修改文件", "dd"))
	for _, w := range argv[1:] {
		key, value, _ := strings.Cut(w.Text, "=")
		v := word.Word{Text: value, Source: w.Source, Lit: w.Lit, Glob: w.Glob, Split: w.Split}
		switch {
		case w.MayBeOption():
			a.dynamic("dd", w)
		case key == "of":
			a.writes(v)
		case key == "if":
			a.reads(v)
		}
	}
}

// helve judges helve itself: a process that it started may use its tools, but
// neither approve nor change what is allowed.
func (a *analysis) helve(argv []word.Word) {
	a.opaque("helve")
	args := argv[1:]
	if slices.ContainsFunc(args, func(w word.Word) bool { return !w.Known() }) {
		a.raise(Destructive, DynamicArgs, fault.T("helve is given computed arguments", "helve 的参数是计算得来的"))
	}
	for _, w := range args {
		switch w.Text {
		case "approve", "deny", "approvals", "config", "memory", "policy", "trust", "tools", "call", "mcp":
			a.forbid(fault.T("a command may not use helve %s", "命令不得使用 helve %s", w.Text))
			return
		case "exec", "spawn", "cron", "job", "jobs", "delete":
			a.raise(Destructive, Opaque, fault.T("helve %s runs further commands", "helve %s 会运行其他命令", w.Text))
			return
		}
		if strings.HasPrefix(w.Text, "--approval") || strings.HasPrefix(w.Text, "--config") {
			a.forbid(fault.T("a command may not use helve %s", "命令不得使用 helve %s", w.Text))
		}
	}
}
