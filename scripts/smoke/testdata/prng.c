// The one function of bcryptprimitives.dll that a program of Go needs to start. Wine
// has that library since version 9. It is made with
//
//	x86_64-w64-mingw32-gcc -shared -o bcryptprimitives.dll prng.c -ladvapi32
#include <stddef.h>

// RtlGenRandom, under the name by which advapi32.dll exports it.
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int ProcessPrng(unsigned char *data, size_t size) {
	return SystemFunction036(data, (unsigned long)size);
}
