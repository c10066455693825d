//go:build linux

#include "textflag.h"

// func vfork(flags uintptr) (pid uintptr, errno syscall.Errno)
TEXT ·vfork(SB),NOSPLIT|NOFRAME,$0-24
	MOVQ	flags+0(FP), DI
	XORL	SI, SI	// the same stack
	XORL	DX, DX
	XORL	R10, R10
	XORL	R8, R8
	MOVL	$56, AX	// clone
	POPQ	R12	// where to return to, which the new process overwrites
	SYSCALL
	PUSHQ	R12
	CMPQ	AX, $-4095
	JCC	failed
	MOVQ	AX, pid+8(FP)
	MOVQ	$0, errno+16(FP)
	RET
failed:
	NEGQ	AX
	MOVQ	$0, pid+8(FP)
	MOVQ	AX, errno+16(FP)
	RET

// func forkOn(top uintptr) (pid uintptr, errno syscall.Errno)
TEXT ·forkOn(SB),NOSPLIT|NOFRAME,$0-24
	MOVQ	top+0(FP), R9
	SUBQ	$512, R9	// carried
	MOVQ	SP, SI
	MOVQ	R9, DI
	MOVQ	$64, CX
	CLD
	REP
	MOVSQ
	MOVL	$0x80000, DI	// CLONE_SETTLS, and no signal
	MOVQ	R9, SI
	XORL	DX, DX
	XORL	R10, R10
	MOVQ	R9, R8	// the caller looks there for its g, which a thread of Go has on the heap
	MOVL	$56, AX	// clone
	SYSCALL
	CMPQ	AX, $-4095
	JCC	failed
	MOVQ	AX, pid+8(FP)
	MOVQ	$0, errno+16(FP)
	RET
failed:
	NEGQ	AX
	MOVQ	$0, pid+8(FP)
	MOVQ	AX, errno+16(FP)
	RET
