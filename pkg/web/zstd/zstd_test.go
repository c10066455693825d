package zstd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	judge "github.com/klauspost/compress/zstd"
)

const window = 8 << 20

// text is so many bytes of words, of which the frequent ones are frequent.
func text(rng *rand.Rand, size int) []byte {
	words := make([]string, 2000)
	for i := range words {
		w := make([]byte, 1+rng.IntN(9))
		for j := range w {
			w[j] = byte('a' + min(rng.IntN(26), rng.IntN(26)))
		}
		words[i] = string(w)
	}
	var b bytes.Buffer
	for b.Len() < size {
		b.WriteString(words[int(float64(len(words))*rng.Float64()*rng.Float64()*rng.Float64())])
		b.WriteByte(" \n"[rng.IntN(12)/11])
	}
	return b.Bytes()[:size]
}

// contents are of every kind: packed well and not at all, short and longer than
// windows and blocks are.
func contents() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	all := map[string][]byte{}
	for _, size := range []int{0, 1, 7, 100, 256, 1000, 65_536, 131_073} {
		noise := make([]byte, size)
		nibbles := make([]byte, size)
		skewed := make([]byte, size)
		for i := range noise {
			noise[i] = byte(rng.Uint32())
			nibbles[i] = byte(rng.IntN(16))
			skewed[i] = byte(min(rng.ExpFloat64()*6, 255))
		}
		all[fmt.Sprint("noise ", size)] = noise
		all[fmt.Sprint("nibbles ", size)] = nibbles
		all[fmt.Sprint("skewed ", size)] = skewed
		all[fmt.Sprint("zeros ", size)] = make([]byte, size)
		all[fmt.Sprint("text ", size)] = text(rng, size)
		all[fmt.Sprint("period ", size)] = bytes.Repeat(noise[:min(size, 1021)], size/1021+1)[:size]
	}
	all["text 300000"] = text(rng, 300_000)
	far := append(text(rng, 200_000), make([]byte, 1_500_000)...)
	all["far"] = append(far, far[:200_000]...) // a match as far back as most windows go
	return all
}

func packer(t testing.TB, options ...judge.EOption) *judge.Encoder {
	t.Helper()
	w, err := judge.NewWriter(nil, append([]judge.EOption{judge.WithEncoderConcurrency(1)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func pack(t testing.TB, content []byte, options ...judge.EOption) []byte {
	t.Helper()
	return packer(t, options...).EncodeAll(content, nil)
}

// stream packs in pieces, without knowing the size beforehand.
func stream(t testing.TB, w *judge.Encoder, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w.Reset(&b)
	for piece := range slices.Chunk(content, 70_000) {
		if _, err := w.Write(piece); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpacked(t *testing.T, name string, packed, want []byte) {
	t.Helper()
	got, err := io.ReadAll(NewReader(bytes.NewReader(packed), window))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes of %d: %v", name, len(got), len(want), err)
	}
}

// What others pack is unpacked, whatever they were told.
func TestUnpack(t *testing.T) {
	options := map[string][]judge.EOption{
		"fastest":      {judge.WithEncoderLevel(judge.SpeedFastest)},
		"default":      nil,
		"better":       {judge.WithEncoderLevel(judge.SpeedBetterCompression)},
		"best":         {judge.WithEncoderLevel(judge.SpeedBestCompression)},
		"no checksum":  {judge.WithEncoderCRC(false), judge.WithZeroFrames(true)},
		"one segment":  {judge.WithSingleSegment(true)},
		"small window": {judge.WithWindowSize(1 << 10)},
		"large window": {judge.WithWindowSize(window), judge.WithEncoderLevel(judge.SpeedBetterCompression)},
		"raw literals": {judge.WithNoEntropyCompression(true)},
		"all literals": {judge.WithAllLitEntropyCompression(true)},
	}
	all := contents()
	for how, o := range options {
		w := packer(t, o...)
		for kind, content := range all {
			if packed := w.EncodeAll(content, nil); len(packed) > 0 {
				unpacked(t, kind+", "+how, packed, content)
			}
			if len(content) > 0 {
				unpacked(t, kind+", "+how+", in pieces", stream(t, w, content), content)
			}
		}
	}
}

// The program that the format comes from packs in its own ways.
func TestUnpackOfProgram(t *testing.T) {
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("no zstd")
	}
	all := contents()
	for kind, hows := range map[string][]string{
		"far":         {"--ultra -22 --zstd=windowLog=23", "-3"},
		"text 0":      {"-3"},
		"text 100":    {"-1", "-19", "-3 --no-check"},
		"text 65536":  {"-19", "-5 --no-compress-literals", "-4 --zstd=windowLog=10"},
		"text 300000": {"-1", "--fast=20", "-9 --stream-size=300000", "-19 --no-check"},
		"nibbles 256": {"-19"},
		"skewed 1000": {"-3", "-19"},
		"noise 1000":  {"-3"},
		"zeros 1000":  {"-3"},

		"skewed 131073": {"-1", "-19", "-7 --target-compressed-block-size=1000"},
		"period 65536":  {"-3", "-19"},
	} {
		for _, how := range hows {
			c := exec.Command("zstd", append(strings.Fields(how), "-q", "-c")...)
			c.Stdin = bytes.NewReader(all[kind])
			packed, err := c.Output()
			if err != nil || len(all[kind]) > 0 && len(packed) == 0 {
				t.Fatalf("%s: %v", how, err)
			}
			unpacked(t, kind+", "+how, packed, all[kind])
		}
	}
}

// Frames follow one another, with what is to be skipped between them.
func TestFrames(t *testing.T) {
	one, two := []byte("one and "), bytes.Repeat([]byte("two "), 1000)
	skip := []byte("\x5f\x2a\x4d\x18\x03\x00\x00\x00abc")
	all := bytes.Join([][]byte{skip, pack(t, one), skip, skip, pack(t, two), pack(t, nil, judge.WithZeroFrames(true)), skip}, nil)
	unpacked(t, "frames", all, append(one, two...))
	unpacked(t, "only skipped", skip, nil)

	// However the input comes and the output goes, it is the same.
	for name, in := range map[string]io.Reader{
		"byte by byte":  iotest.OneByteReader(bytes.NewReader(all)),
		"by halves":     iotest.HalfReader(bytes.NewReader(all)),
		"end with data": iotest.DataErrReader(bytes.NewReader(all)),
	} {
		got, err := io.ReadAll(iotest.OneByteReader(NewReader(in, window)))
		if err != nil || len(got) != len(one)+len(two) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if err := iotest.TestReader(NewReader(bytes.NewReader(all), window), append(one, two...)); err != nil {
		t.Error(err)
	}
}

// What is broken is refused, with the right kind of fault.
func TestBroken(t *testing.T) {
	content := bytes.Repeat([]byte("some words of a page "), 100)
	packed := pack(t, content, judge.WithSingleSegment(true))
	changed := func(at int, to byte) string {
		p := bytes.Clone(packed)
		p[(at+len(p))%len(p)] = to
		return string(p)
	}
	const corrupt, unsupported, early = "corrupt", "unsupported", "early"
	for name, tt := range map[string]struct{ input, want string }{
		"nothing":                    {"", early},
		"no frame":                   {"this is no frame", corrupt},
		"half a magic number":        {"\x28\xb5", early},
		"no header":                  {"\x28\xb5\x2f\xfd", early},
		"a reserved bit":             {changed(4, packed[4]|8), unsupported},
		"a dictionary":               {"\x28\xb5\x2f\xfd\x21\x07\x00\x01\x00\x00", unsupported},
		"a window of 16 MiB":         {"\x28\xb5\x2f\xfd\x00\x70\x01\x00\x00", unsupported},
		"a window of 4 TiB":          {"\x28\xb5\x2f\xfd\x00\xff\x01\x00\x00", unsupported},
		"a segment of 16 EiB":        {"\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00", unsupported},
		"a reserved block":           {"\x28\xb5\x2f\xfd\x20\x05\x07\x00\x00", corrupt},
		"a block above the window":   {"\x28\xb5\x2f\xfd\x20\x05\x31\x00\x00hello!", corrupt},
		"more than announced":        {"\x28\xb5\x2f\xfd\x20\x05\x28\x00\x00hello\x0b\x00\x00!", corrupt},
		"less than announced":        {"\x28\xb5\x2f\xfd\x20\x06\x29\x00\x00hello", corrupt},
		"a block cut off":            {"\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hell", early},
		"a block of no literals":     {"\x28\xb5\x2f\xfd\x20\x05\x05\x00\x00", corrupt},
		"literals that are too many": {"\x28\xb5\x2f\xfd\x20\x05\x15\x00\x00\x31x", corrupt},
		"no table to reuse":          {"\x28\xb5\x2f\xfd\x20\x05\x25\x00\x00\x53\x40\x00\x01", corrupt},
		"a table that is none":       {"\x28\xb5\x2f\xfd\x20\x05\x25\x00\x00\x52\x40\x00\xff", corrupt},
		"no sequences to reuse":      {"\x28\xb5\x2f\xfd\x20\x05\x2d\x00\x00\x08x\x01\xfc\x01", corrupt},
		"a match before everything":  {"\x28\xb5\x2f\xfd\x20\x40\x45\x00\x00\x08x\x01\x54\x01\x05\x00\x20", corrupt},
		"another checksum":           {changed(-1, packed[len(packed)-1]^1), corrupt},
		"no checksum":                {string(packed[:len(packed)-2]), early},
		"something behind":           {string(packed) + "\n\n\n\n\n", corrupt},
		"a frame cut off behind":     {string(packed) + "\x28\xb5\x2f", early},
		"a skipped one cut off":      {"\x50\x2a\x4d\x18\xff\xff\xff\xffabc", early},
	} {
		_, err := io.ReadAll(NewReader(strings.NewReader(tt.input), window))
		got := fmt.Sprint(err)
		if _, ok := errors.AsType[CorruptError](err); ok {
			got = corrupt
		} else if _, ok := errors.AsType[UnsupportedError](err); ok {
			got = unsupported
		} else if errors.Is(err, io.ErrUnexpectedEOF) {
			got = early
		}
		if got != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
	// Wherever it is cut off, it says so, hands out what there was, and says so
	// again.
	for n := range packed {
		r := NewReader(bytes.NewReader(packed[:n]), window)
		got, err := io.ReadAll(r)
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(content, got) {
			t.Errorf("cut at %d: %d bytes, %v", n, len(got), err)
		}
		if _, again := r.Read(make([]byte, 1)); !errors.Is(again, err) {
			t.Errorf("cut at %d: then %v", n, again)
		}
	}
	// What the reader below says is passed on.
	broken := errors.New("the cable is loose")
	for n := range packed {
		in := io.MultiReader(bytes.NewReader(packed[:n]), iotest.ErrReader(broken))
		if _, err := io.ReadAll(NewReader(in, window)); !errors.Is(err, broken) {
			t.Errorf("broken at %d: %v", n, err)
		}
	}
}

// A bomb takes no more memory than its window, and a promise takes none.
func TestBomb(t *testing.T) {
	var bomb bytes.Buffer
	w, err := judge.NewWriter(&bomb, judge.WithEncoderConcurrency(1), judge.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	const size = 64 << 20
	if _, err := io.CopyN(w, zeros{}, size); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := NewReader(&bomb, window)
	if n, err := io.Copy(io.Discard, r); n != size || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if kept := cap(r.history) + cap(r.raw) + cap(r.literals); kept > 3<<20 {
		t.Errorf("%d bytes are kept for a window of 1 MiB", kept)
	}
	// One that says that 8 MiB will come, and does not send them.
	promise := "\x28\xb5\x2f\xfd\xa0\x00\x00\x80\x00\x00\x00\x10"
	r = NewReader(strings.NewReader(promise), window)
	if _, err := io.Copy(io.Discard, r); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if kept := cap(r.history) + cap(r.raw) + cap(r.literals); kept > 1<<10 {
		t.Errorf("%d bytes are kept for a promise", kept)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
