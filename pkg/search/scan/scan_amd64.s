#include "textflag.h"

// All three functions look at n >= 32 positions, 32 at a time. The last block
// is moved back so that it ends at n: positions seen twice did not match the
// first time, so the first match is still the one that is found. They return
// its index, or -1.

// func pairAVX2(p1, p2 *byte, n int, b1, m1, b2, m2 uint8) int
//
// Position i matches if p1[i]|m1 == b1 and p2[i]|m2 == b2.
TEXT ·pairAVX2(SB), NOSPLIT, $0-40
	MOVQ p1+0(FP), SI
	MOVQ p2+8(FP), DI
	MOVQ n+16(FP), CX
	VPBROADCASTB b1+24(FP), Y0
	VPBROADCASTB m1+25(FP), Y1
	VPBROADCASTB b2+26(FP), Y2
	VPBROADCASTB m2+27(FP), Y3
	XORQ AX, AX
	MOVQ CX, DX
	SUBQ $64, DX
	JLT  pairtail

pairloop: // 64 positions a turn
	VPOR (SI)(AX*1), Y1, Y4
	VPOR 32(SI)(AX*1), Y1, Y5
	VPOR (DI)(AX*1), Y3, Y6
	VPOR 32(DI)(AX*1), Y3, Y7
	VPCMPEQB Y0, Y4, Y4
	VPCMPEQB Y0, Y5, Y5
	VPCMPEQB Y2, Y6, Y6
	VPCMPEQB Y2, Y7, Y7
	VPAND Y4, Y6, Y4
	VPAND Y5, Y7, Y5
	VPOR Y4, Y5, Y8
	VPTEST Y8, Y8
	JNZ  pairfound
	ADDQ $64, AX
	CMPQ AX, DX
	JLE  pairloop

pairtail:
	MOVQ CX, DX
	SUBQ $32, DX

pairlast:
	CMPQ AX, CX
	JGE  pairnone
	CMPQ AX, DX
	CMOVQGT DX, AX
	VPOR (SI)(AX*1), Y1, Y4
	VPOR (DI)(AX*1), Y3, Y6
	VPCMPEQB Y0, Y4, Y4
	VPCMPEQB Y2, Y6, Y6
	VPAND Y4, Y6, Y4
	VPMOVMSKB Y4, BX
	TESTL BX, BX
	JNZ  pairhit
	ADDQ $32, AX
	JMP  pairlast

pairfound:
	VPMOVMSKB Y4, BX
	TESTL BX, BX
	JNZ  pairhit
	VPMOVMSKB Y5, BX
	ADDQ $32, AX

pairhit:
	BSFL BX, BX
	ADDQ BX, AX
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET

pairnone:
	MOVQ $-1, ret+32(FP)
	VZEROUPPER
	RET

// func setAVX2(p *byte, n int, tables *[32]byte) int
//
// Position i matches if p[i] is in the set. Byte l of the first 16 of tables
// has bit h set if the byte h<<4|l is a member; the last 16 do the same for
// bytes from 0x80 on. (The technique is known as truffle, from Hyperscan.)
TEXT ·setAVX2(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ tables+16(FP), R8
	VBROADCASTI128 (R8), Y0
	VBROADCASTI128 16(R8), Y1
	MOVQ $0x8040201008040201, BX // bit h for the high nibble h, twice
	MOVQ BX, X2
	VPBROADCASTQ X2, Y2
	MOVQ $0x8080808080808080, BX
	MOVQ BX, X3
	VPBROADCASTQ X3, Y3
	MOVQ $0x0707070707070707, BX
	MOVQ BX, X4
	VPBROADCASTQ X4, Y4
	VPXOR Y5, Y5, Y5
	XORQ AX, AX
	MOVQ CX, DX
	SUBQ $32, DX

setloop:
	CMPQ AX, CX
	JGE  setnone
	CMPQ AX, DX
	CMOVQGT DX, AX
	VMOVDQU (SI)(AX*1), Y6
	VPSHUFB Y6, Y0, Y7  // 0 for bytes from 0x80 on
	VPXOR Y3, Y6, Y8
	VPSHUFB Y8, Y1, Y8  // 0 for bytes below 0x80
	VPOR Y7, Y8, Y7
	VPSRLW $4, Y6, Y6
	VPAND Y4, Y6, Y6
	VPSHUFB Y6, Y2, Y6
	VPAND Y6, Y7, Y7
	VPCMPEQB Y5, Y7, Y7 // no bit left: not a member
	VPMOVMSKB Y7, BX
	NOTL BX
	TESTL BX, BX
	JNZ  sethit
	ADDQ $32, AX
	JMP  setloop

sethit:
	BSFL BX, BX
	ADDQ BX, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

setnone:
	MOVQ $-1, ret+24(FP)
	VZEROUPPER
	RET

// func teddyAVX2(p *byte, n int, tables *[96]byte) int
//
// Position i matches if some bucket is left in the intersection of what p[i],
// p[i+1] and p[i+2] allow; n+2 bytes are read. For each of the three there are
// 16 bytes with the buckets by low nibble and 16 with those by high
// nibble. (The algorithm is Teddy, from Hyperscan.)
TEXT ·teddyAVX2(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ tables+16(FP), R8
	VBROADCASTI128 (R8), Y0
	VBROADCASTI128 16(R8), Y1
	VBROADCASTI128 32(R8), Y2
	VBROADCASTI128 48(R8), Y3
	VBROADCASTI128 64(R8), Y4
	VBROADCASTI128 80(R8), Y5
	MOVQ $0x0f0f0f0f0f0f0f0f, BX
	MOVQ BX, X6
	VPBROADCASTQ X6, Y6
	VPXOR Y7, Y7, Y7
	XORQ AX, AX
	MOVQ CX, DX
	SUBQ $32, DX

teddyloop:
	CMPQ AX, CX
	JGE  teddynone
	CMPQ AX, DX
	CMOVQGT DX, AX
	VMOVDQU (SI)(AX*1), Y8
	VMOVDQU 1(SI)(AX*1), Y9
	VMOVDQU 2(SI)(AX*1), Y10
	VPAND Y6, Y8, Y11
	VPSRLW $4, Y8, Y8
	VPAND Y6, Y8, Y8
	VPSHUFB Y11, Y0, Y11
	VPSHUFB Y8, Y1, Y8
	VPAND Y8, Y11, Y8
	VPAND Y6, Y9, Y12
	VPSRLW $4, Y9, Y9
	VPAND Y6, Y9, Y9
	VPSHUFB Y12, Y2, Y12
	VPSHUFB Y9, Y3, Y9
	VPAND Y9, Y12, Y9
	VPAND Y6, Y10, Y13
	VPSRLW $4, Y10, Y10
	VPAND Y6, Y10, Y10
	VPSHUFB Y13, Y4, Y13
	VPSHUFB Y10, Y5, Y10
	VPAND Y10, Y13, Y10
	VPAND Y8, Y9, Y8
	VPAND Y8, Y10, Y8
	VPTEST Y8, Y8
	JNZ  teddyhit
	ADDQ $32, AX
	JMP  teddyloop

teddyhit:
	VPCMPEQB Y7, Y8, Y8
	VPMOVMSKB Y8, BX
	NOTL BX
	BSFL BX, BX
	ADDQ BX, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

teddynone:
	MOVQ $-1, ret+24(FP)
	VZEROUPPER
	RET
