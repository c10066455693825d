package zstd

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	judge "github.com/klauspost/compress/zstd"
)

// outputMost bounds what is unpacked of a mutated input.
const outputMost = 4 << 20

// judged unpacks an input here and with the judge, and fails where they differ.
func judged(t *testing.T, packed []byte) {
	t.Helper()
	if len(packed) == 0 {
		return // which the judge takes for no frames, and RFC 8878 has at least one
	}
	got, err := io.ReadAll(io.LimitReader(NewReader(bytes.NewReader(packed), window), outputMost+1))
	d, other := judge.NewReader(bytes.NewReader(packed), judge.WithDecoderConcurrency(1), judge.WithDecoderLowmem(true), judge.WithDecoderMaxWindow(window))
	if other != nil {
		t.Fatal(other)
	}
	defer d.Close()
	want, other := io.ReadAll(io.LimitReader(d, outputMost+1))
	if len(got) > outputMost || len(want) > outputMost {
		return
	}
	switch {
	case err == nil && other == nil:
		if !bytes.Equal(got, want) {
			t.Errorf("%x: %d bytes, want %d", packed, len(got), len(want))
		}
	case (err == nil) != (other == nil) && !upheld(packed, got, err, other):
		t.Errorf("%x: %d bytes, %v, want %v", packed, len(got), err, other)
	}
}

// upheld asks the program that the format comes from about what the judge sees
// otherwise. Without the program one such case is let pass: the judge refuses a
// Huffman table where bits are missing that RFC 8878, section 4.2.1.2, has as
// zeros.
func upheld(packed, got []byte, err, other error) bool {
	program, missing := exec.LookPath("zstd")
	if missing != nil {
		return err == nil && strings.Contains(other.Error(), "fse decompress returned")
	}
	c := exec.Command(program, "-q", "-d", "-c", "--memory=8MB")
	c.Stdin = bytes.NewReader(packed)
	want, refused := c.Output()
	return (refused == nil) == (err == nil) && (err != nil || bytes.Equal(got, want))
}

// small are packed contents of every kind that are worth damaging.
func small(t testing.TB) [][]byte {
	rng := rand.New(rand.NewPCG(5, 6))
	var all [][]byte
	for _, content := range [][]byte{
		text(rng, 300), text(rng, 3000), text(rng, 40_000), make([]byte, 5000), bytes.Repeat(text(rng, 50), 20),
		append(text(rng, 500), text(rand.New(rand.NewPCG(7, 8)), 500)...),
	} {
		for _, level := range []judge.EncoderLevel{judge.SpeedFastest, judge.SpeedBestCompression} {
			all = append(all,
				pack(t, content, judge.WithEncoderLevel(level), judge.WithAllLitEntropyCompression(true)),
				pack(t, content, judge.WithEncoderLevel(level), judge.WithEncoderCRC(false), judge.WithSingleSegment(true)),
				stream(t, packer(t, judge.WithEncoderLevel(level), judge.WithEncoderCRC(false), judge.WithWindowSize(1<<10)), content),
			)
		}
	}
	return all
}

// Whatever is done to an input, it is taken where others take it, and refused
// where they refuse it.
func TestMutated(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, packed := range small(t) {
		for range 40 {
			p := bytes.Clone(packed)
			for range 1 + rng.IntN(3) {
				at := min(rng.IntN(len(p)), rng.IntN(len(p)))
				switch rng.IntN(4) {
				case 0:
					p = append(p[:at], p[at+1:]...)
				case 1:
					p[at] = byte(rng.Uint32())
				default:
					p[at] ^= 1 << rng.IntN(8)
				}
				if len(p) == 0 {
					p = []byte{0}
				}
			}
			judged(t, p)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for _, packed := range small(f) {
		if len(packed) < 2000 {
			f.Add(packed)
		}
	}
	f.Add([]byte("\x5f\x2a\x4d\x18\x03\x00\x00\x00abc"))
	f.Add([]byte("\x28\xb5\x2f\xfd\x20\x40\x45\x00\x00\x08x\x01\x54\x01\x05\x00\x20"))
	f.Fuzz(func(t *testing.T, packed []byte) {
		judged(t, packed)
		// It does not depend on how the input comes, either.
		one, err := io.ReadAll(io.LimitReader(NewReader(bytes.NewReader(packed), window), outputMost))
		two, other := io.ReadAll(io.LimitReader(NewReader(io.MultiReader(bytes.NewReader(packed[:len(packed)/2]), bytes.NewReader(packed[len(packed)/2:])), window), outputMost))
		if !bytes.Equal(one, two) || !errors.Is(other, err) {
			t.Errorf("%x: %d bytes, %v; then %d bytes, %v", packed, len(one), err, len(two), other)
		}
	})
}
