package watch

import "golang.org/x/sys/unix"

// silent returns why a folder's file system tells of no changes that others make;
// empty: it tells of all. The numbers are those of statfs(2).
func silent(root string) string {
	var st unix.Statfs_t
	if err := unix.Statfs(root, &st); err != nil {
		return ""
	}
	names := map[uint32]string{
		unix.NFS_SUPER_MAGIC:  "NFS",
		unix.SMB_SUPER_MAGIC:  "SMB",
		unix.CIFS_SUPER_MAGIC: "SMB",
		unix.SMB2_SUPER_MAGIC: "SMB",
		unix.V9FS_MAGIC:       "9p",
		unix.FUSE_SUPER_MAGIC: "FUSE, such as sshfs",
		unix.AFS_SUPER_MAGIC:  "AFS",
		unix.CODA_SUPER_MAGIC: "Coda",
		unix.CEPH_SUPER_MAGIC: "Ceph",
		0x786f4256:            "a shared folder of VirtualBox",
	}
	if name, ok := names[uint32(st.Type)]; ok {
		return "the file system tells of no changes made elsewhere (" + name + ")"
	}
	return ""
}
