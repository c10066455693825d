package bolt

import "golang.org/x/sys/unix"

// remote returns the name of a file system that is on another host; "" for one that is
// on this one. The numbers are those of statfs(2); x/sys has not all of them. 9p is not
// among them: sandboxes and virtual machines have the files of their own host by it. One
// that runs in user space, such as sshfs, looks like a local one.
func remote(dir string) (kind string, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return "", err
	}
	return remoteKind(uint32(s.Type)), nil
}

func remoteKind(magic uint32) string {
	switch magic {
	case unix.NFS_SUPER_MAGIC:
		return "nfs"
	case unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC:
		return "smb"
	case unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC:
		return "afs"
	case unix.CODA_SUPER_MAGIC:
		return "coda"
	case unix.NCP_SUPER_MAGIC:
		return "ncp"
	case unix.CEPH_SUPER_MAGIC:
		return "ceph"
	case 0x0bd00bd0:
		return "lustre"
	case 0x47504653:
		return "gpfs"
	case 0x01161970:
		return "gfs2"
	case 0x7461636f:
		return "ocfs2"
	case 0x19830326:
		return "beegfs"
	}
	return ""
}
