//go:build linux

#include "textflag.h"

// func vfork(flags uintptr) (pid uintptr, errno syscall.Errno)
//
// Where to return to is in a register here.
TEXT ·vfork(SB),NOSPLIT|NOFRAME,$0-24
	MOVD	flags+0(FP), R0
	MOVD	ZR, R1	// the same stack
	MOVD	ZR, R2
	MOVD	ZR, R3
	MOVD	ZR, R4
	MOVD	$220, R8	// clone
	SVC
	CMN	$4095, R0
	BCS	failed
	MOVD	R0, pid+8(FP)
	MOVD	ZR, errno+16(FP)
	RET
failed:
	NEG	R0, R0
	MOVD	ZR, pid+8(FP)
	MOVD	R0, errno+16(FP)
	RET

// func forkOn(top uintptr) (pid uintptr, errno syscall.Errno)
TEXT ·forkOn(SB),NOSPLIT|NOFRAME,$0-24
	MOVD	top+0(FP), R1
	SUB	$512, R1	// carried
	MOVD	RSP, R9
	MOVD	R1, R10
	MOVD	$64, R11
copy:
	MOVD.P	8(R9), R12
	MOVD.P	R12, 8(R10)
	SUBS	$1, R11
	BNE	copy
	MOVD	ZR, R0	// no signal
	MOVD	ZR, R2
	MOVD	ZR, R3
	MOVD	ZR, R4
	MOVD	$220, R8	// clone
	SVC
	CMN	$4095, R0
	BCS	failed
	MOVD	R0, pid+8(FP)
	MOVD	ZR, errno+16(FP)
	RET
failed:
	NEG	R0, R0
	MOVD	ZR, pid+8(FP)
	MOVD	R0, errno+16(FP)
	RET
