#include "textflag.h"

// func dotFast(q *int16, v *byte, n int) int32
TEXT ·dotFast(SB), NOSPLIT, $0-28
	MOVQ q+0(FP), SI
	MOVQ v+8(FP), DI
	MOVQ n+16(FP), CX
	VPXOR Y0, Y0, Y0

loop:
	VPMOVSXBW (DI), Y1         // sixteen signed bytes as words
	VPMADDWD (SI), Y1, Y1      // times the query's, neighbours added
	VPADDD Y1, Y0, Y0
	ADDQ $16, DI
	ADDQ $32, SI
	SUBQ $16, CX
	JNZ loop

	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4E, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX
	MOVL AX, ret+24(FP)
	VZEROUPPER
	RET
