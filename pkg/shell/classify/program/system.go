package program

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// systemTools are the programs that work on the system, its devices, or other
// processes. No argument makes them harmless, so none is looked at.
func systemTools() []Row {
	return []Row{
		{names: "kill", builtin: true, does: processes, shows: listsSignals},
		{names: "killall pkill xkill skill snice renice taskkill", does: processes, operands: words},
		{names: "crontab", does: scheduled, shows: listsJobs},
		{names: "at batch atrm service initctl update-rc.d chkconfig anacron", does: scheduled, operands: words},
		{names: "systemctl", before: options{"q", "no-pager quiet user system"}, commands: systemctlCommands()},
		{names: "journalctl", harmless: journalOptions, runs: journalChanges, operands: words},
		{names: "docker podman nerdctl", alone: "-v", commands: containerCommands()},
		{names: "docker-compose", commands: composeCommands()},
		{names: "ctr crictl lxc lxc-start lxc-attach vagrant qemu-system-x86_64 virsh buildah", does: containers, operands: words},
		{names: "kubectl", before: options{"n:", "namespace= context= cluster="}, commands: clusterCommands()},
		{names: "ip", does: system, shows: showsNetwork},
		{names: "dmesg", harmless: options{"HTLxkuPrtdef:l:", "human ctime color? decode kernel userspace nopager reltime show-delta facility= level= raw notime"}, operands: none},
		{names: "apt apt-get", alone: "-v", commands: []Row{
			{names: "list show search policy depends rdepends", harmless: options{"aq", "installed upgradable all-versions quiet names-only full no-all-versions"}, operands: words},
			{does: system, operands: words},
		}},
		{names: "apt-cache", commands: []Row{
			{
				names:    "policy search show showpkg madison depends rdepends stats pkgnames",
				harmless: options{"nq", "names-only quiet full installed all-versions no-all-versions"}, operands: words,
			},
			{does: system, operands: words},
		}},
		{names: "dpkg", does: system, shows: queriesDebian},
		{names: "rpm pacman", does: system, shows: queriesPackages},
		{names: "snap flatpak", commands: []Row{{names: "list version info", harmless: options{"a", "all"}, operands: words}, {does: system, operands: words}}},
		{names: "sysctl", does: system, shows: printsSettings},
		{names: "timedatectl hostnamectl localectl loginctl", does: system, shows: statusOnly},
		{names: "mount swapon", does: system, shows: bare},
		{names: "ifconfig route", does: system, shows: bare},
		{names: "fdisk sfdisk cfdisk gdisk sgdisk parted mkswap newfs mke2fs blkdiscard mkfs", does: disks, operands: words},
		{
			names: "shutdown reboot halt poweroff init telinit swapoff modprobe insmod rmmod depmod kexec umount losetup " +
				"cryptsetup lvm lvremove vgremove pvremove zpool zfs btrfs iptables ip6tables nft ufw firewall-cmd tc brctl " +
				"hwclock useradd userdel usermod adduser deluser groupadd groupdel passwd chpasswd chsh chfn " +
				"visudo vipw aptitude yum dnf zypper apk emerge mknod setcap chcon semanage setenforce " +
				"update-alternatives ldconfig debugfs tune2fs e2fsck fsck badblocks hdparm nvme smartctl efibootmgr grub-install dmsetup mdadm " +
				"defaults csrutil spctl dscl softwareupdate nvram pmset logger wall write mail sendmail mutt mailx",
			does: system, operands: words,
		},
		{names: "helve", does: hidden, judge: helve},
	}
}

// SameAnywhere reports whether a program of that name does what its name says wherever its
// file lies.
func SameAnywhere(name string) bool {
	return word.Listed("pip pip3 rm rmdir shred unlink dd truncate mkfs fdisk kill killall pkill sudo su crontab wipefs", name) || strings.HasPrefix(name, "mkfs.")
}

// listsSignals reports whether kill only lists the signals.
func listsSignals(c Call) bool {
	return len(c.Args) == 0 || len(c.Args) == 1 && (c.Args[0].Text == "-l" || c.Args[0].Text == "-L")
}

// helve judges helve itself: a process that it started may use its tools, but may
// neither approve anything nor change what is allowed.
func helve(c Call) (f findings) {
	if slices.ContainsFunc(c.Args, func(w word.Word) bool { return !w.Known() }) {
		f.raise(policy.Destructive, finding.DynamicArgs, fault.T("helve is given computed arguments"))
	}
	for i, w := range c.Args {
		if w.Text == "init" && onlyFlags(c.Args[:i]) {
			f.forbidHelve(w) // elsewhere it may be any name
			return f
		}
		switch w.Text {
		case "approve", "deny", "approvals", "config", "memory", "policy", "trust", "tools", "call", "mcp":
			f.forbidHelve(w)
			return f
		case "exec", "spawn", "cron", "job", "jobs", "delete":
			f.raise(policy.Destructive, finding.Opaque, fault.T("helve %s runs further commands", w.Text))
			return f
		}
		if strings.HasPrefix(w.Text, "--approval") || strings.HasPrefix(w.Text, "--config") {
			f.forbidHelve(w)
		}
	}
	return f
}

// onlyFlags reports whether words are flags and what may be their values.
func onlyFlags(words []word.Word) bool {
	flag := false
	for _, w := range words {
		value := flag
		if flag = strings.HasPrefix(w.Text, "-"); !flag && !value {
			return false
		}
	}
	return true
}

func (f *findings) forbidHelve(w word.Word) {
	f.forbid(fault.T("a command may not use helve %s", w.Text))
}
