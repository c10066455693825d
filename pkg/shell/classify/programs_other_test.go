//go:build unix && !linux

package classify_test

import "syscall"

func changed(st *syscall.Stat_t) any { return st.Ino }
