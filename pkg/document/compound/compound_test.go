package compound

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func content(t testing.TB, f *File, path string) []byte {
	t.Helper()
	r, err := f.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestAgainstOlefile compares every stream of files by three programs with what
// another reader finds in them.
func TestAgainstOlefile(t *testing.T) {
	var got []string
	for _, name := range []string{"dsf.xls", "eq.doc", "properties.xls", "xlwt.xls"} {
		f := open(t, fixture(t, name))
		if f.Damaged() {
			t.Errorf("%s counts as damaged", name)
		}
		for _, e := range f.Entries() {
			path, err := json.Marshal(e.Path())
			if err != nil {
				t.Fatal(err)
			}
			if e.Storage {
				got = append(got, fmt.Sprintf("%s %s storage", name, path))
				continue
			}
			sum := sha256.Sum256(content(t, f, e.Path()))
			got = append(got, fmt.Sprintf("%s %s %d %s", name, path, e.Size, hex.EncodeToString(sum[:])))
		}
	}
	want := strings.Split(strings.TrimSpace(string(fixture(t, "list.txt"))), "\n")
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("olefile -, this package +\n" + diff)
	}
}

func TestFind(t *testing.T) {
	f := open(t, fixture(t, "eq.doc"))
	if e := f.Find("objectpool/_2147483647"); e == nil || !e.Storage {
		t.Errorf("a storage in a storage, in lower case: %v", e)
	}
	for _, path := range []string{"_2147483647", "ObjectPool/1Table", "", "ObjectPool"} {
		if _, err := f.Open(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Open(%q) = %v", path, err)
		}
	}
}

func TestNotCompound(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("PK\x03\x04"), fixture(t, "xlwt.xls")[:300], fixture(t, "xlwt.xls")[:512]} {
		if _, err := Open(bytes.NewReader(data), int64(len(data))); !fault.Is(err, fault.BadDocument) {
			t.Errorf("%d bytes: %v", len(data), err)
		}
	}
}

// TestTruncated cuts a file anywhere after its directory: the streams begin as in
// the whole file.
func TestTruncated(t *testing.T) {
	data := build(9, map[string][]byte{"Workbook": pattern(20000), "Small": pattern(700)}, nil)
	whole := content(t, open(t, data), "Workbook")
	if !bytes.Equal(whole, pattern(20000)) {
		t.Fatal("the whole file reads otherwise than it was made")
	}
	last := -1
	for size := 4096; size < len(data); size += 333 {
		got := content(t, open(t, data[:size]), "Workbook")
		if !bytes.HasPrefix(whole, got) || len(got) < last {
			t.Errorf("cut to %d bytes: %d bytes of the stream, before %d", size, len(got), last)
		}
		last = len(got)
	}
	if last < 19000 {
		t.Errorf("only %d bytes are left of a file that lost its last sector", last)
	}
}

// TestDamagedTable wipes the sector table: streams in one piece survive it.
func TestDamagedTable(t *testing.T) {
	for _, fill := range []byte{0x00, 0x77, 0xFF} {
		data := build(9, map[string][]byte{"Workbook": pattern(20000)}, nil)
		table := data[512:1024]
		for i := range table {
			table[i] = fill
		}
		f := open(t, data)
		got := content(t, f, "Workbook")
		if fill != 0 && !bytes.Equal(got, pattern(20000)) {
			t.Errorf("filled with %#x: %d bytes", fill, len(got))
		}
		if !f.Damaged() {
			t.Errorf("filled with %#x: does not count as damaged", fill)
		}
	}
}

func TestDirectoryIsLookedFor(t *testing.T) {
	data := build(9, map[string][]byte{"Workbook": pattern(9000)}, nil)
	binary.LittleEndian.PutUint32(data[48:], 0xFFFF)
	f := open(t, data)
	if !bytes.Equal(content(t, f, "Workbook"), pattern(9000)) || !f.Damaged() {
		t.Error("a file with a wrong directory sector does not give its stream")
	}
}

func TestSectorsOf4096(t *testing.T) {
	f := open(t, build(12, map[string][]byte{"Workbook": pattern(50000), "Small": pattern(100)}, nil))
	if !bytes.Equal(content(t, f, "Workbook"), pattern(50000)) || !bytes.Equal(content(t, f, "Small"), pattern(100)) {
		t.Error("the streams differ")
	}
}

func TestReadAt(t *testing.T) {
	want := pattern(20000)
	r, err := open(t, build(9, map[string][]byte{"S": want}, nil)).Open("S")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ at, n int }{{0, 1}, {511, 2}, {512, 512}, {100, 19900}, {19999, 1}, {7777, 5000}} {
		got := make([]byte, c.n)
		if _, err := r.ReadAt(got, int64(c.at)); err != nil || !bytes.Equal(got, want[c.at:c.at+c.n]) {
			t.Errorf("ReadAt(%d, %d): %v", c.at, c.n, err)
		}
	}
	if n, err := r.ReadAt(make([]byte, 10), 19995); n != 5 || !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %d, %v", n, err)
	}
}

// TestHostile gives files whose structures lead nowhere: every one ends, and no
// stream is longer than the file.
func TestHostile(t *testing.T) {
	base := func() []byte {
		return build(9, map[string][]byte{"Workbook": pattern(20000), "Small": pattern(700)}, nil)
	}
	directory := 1024
	cases := map[string]func(data []byte){
		"cyclic chain": func(data []byte) {
			for i := range 128 {
				binary.LittleEndian.PutUint32(data[512+4*i:], 5)
			}
		},
		"cyclic DIFAT":     func(data []byte) { binary.LittleEndian.PutUint32(data[68:], 3) },
		"cyclic directory": func(data []byte) { binary.LittleEndian.PutUint32(data[516:], 1) },
		"own child": func(data []byte) {
			for i := range 3 {
				at := directory + i*entrySize
				binary.LittleEndian.PutUint32(data[at+68:], uint32(i))
				binary.LittleEndian.PutUint32(data[at+72:], 1)
				binary.LittleEndian.PutUint32(data[at+76:], 1)
			}
		},
		"size of 2 GB": func(data []byte) {
			for i := range 3 {
				binary.LittleEndian.PutUint32(data[directory+i*entrySize+120:], 0x7FFFFFFF)
			}
		},
		"everything is the table": func(data []byte) {
			for i := range headerDIFAT {
				binary.LittleEndian.PutUint32(data[76+4*i:], uint32(i%30))
			}
		},
		"shift of 31": func(data []byte) { data[30] = 31 },
	}
	for name, damage := range cases {
		data := base()
		damage(data)
		f, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if !fault.Is(err, fault.BadDocument) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		for _, e := range f.Entries() {
			if s := f.Stream(e); s.Size() > int64(len(data)) {
				t.Errorf("%s: %s has %d bytes in a file of %d", name, e.Path(), s.Size(), len(data))
			}
		}
	}
}

// TestDeepStorages nests a thousand storages: the tree is walked to its limit, and
// what is below is listed all the same.
func TestDeepStorages(t *testing.T) {
	f := open(t, build(9, nil, func(directory []byte) []byte {
		binary.LittleEndian.PutUint32(directory[76:], 1)
		for i := range uint32(1000) {
			directory = append(directory, entry("storage", typeStorage, freeSector, freeSector, i+2, 0, 0)...)
		}
		return directory
	}))
	if n := len(f.Entries()); n < 1000 {
		t.Errorf("%d entries", n)
	}
	for _, e := range f.Entries() {
		if depth := strings.Count(e.Path(), "/"); depth > maxDepth {
			t.Fatalf("an entry is %d deep", depth)
		}
	}
}

// pattern returns bytes that differ from sector to sector.
func pattern(n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i*7 + i>>8*13)
	}
	return data
}

// build writes a compound file: the table in sector 0, then the directory, the
// mini stream with its table, and the streams, each in one piece.
func build(shift uint, streams map[string][]byte, edit func(directory []byte) []byte) []byte {
	sector := 1 << shift
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range streams {
			if !yield(name) {
				return
			}
		}
	})
	var mini, miniFAT []byte
	pad := func(data []byte, to int) []byte {
		return append(data, make([]byte, (to-len(data)%to)%to)...)
	}
	chainOf := func(table []byte, first, count int) []byte {
		for i := range count {
			next := uint32(first + i + 1)
			if i == count-1 {
				next = endOfChain
			}
			table = binary.LittleEndian.AppendUint32(table, next)
		}
		return table
	}
	for _, name := range names {
		if data := streams[name]; len(data) < defaultCutoff {
			miniFAT = chainOf(miniFAT, len(mini)/64, (len(data)+63)/64)
			mini = pad(append(mini, data...), 64)
		}
	}
	directory := entry("Root Entry", typeRoot, freeSector, freeSector, 1, 0, 0)
	miniAt := 0
	for i, name := range names {
		right := uint32(i + 2)
		if i == len(names)-1 {
			right = freeSector
		}
		at := 0
		if len(streams[name]) < defaultCutoff {
			at = miniAt
			miniAt += (len(streams[name]) + 63) / 64
		}
		directory = append(directory, entry(name, typeStream, freeSector, right, freeSector, uint32(at), len(streams[name]))...)
	}
	if edit != nil {
		directory = edit(directory)
	}
	directory = pad(directory, sector)

	fat := binary.LittleEndian.AppendUint32(nil, fatSector)
	next := 1
	place := func(size int) int {
		count := (size + sector - 1) / sector
		at := next
		fat = chainOf(fat, at, count)
		next += count
		return at
	}
	place(len(directory))
	body := directory
	binary.LittleEndian.PutUint32(body[116:], uint32(place(len(mini))))
	binary.LittleEndian.PutUint32(body[120:], uint32(len(mini)))
	body = append(body, pad(mini, sector)...)
	miniTable := place(len(miniFAT))
	body = append(body, pad(miniFAT, sector)...)
	for i, name := range names {
		if data := streams[name]; len(data) >= defaultCutoff {
			binary.LittleEndian.PutUint32(body[(i+1)*entrySize+116:], uint32(place(len(data))))
			body = append(body, pad(slices.Clone(data), sector)...)
		}
	}
	for len(fat) < sector {
		fat = binary.LittleEndian.AppendUint32(fat, freeSector)
	}

	header := make([]byte, sector)
	copy(header, signature[:])
	header[26], header[28], header[29], header[30], header[32] = 3, 0xFE, 0xFF, byte(shift), miniShift
	binary.LittleEndian.PutUint32(header[44:], 1)
	binary.LittleEndian.PutUint32(header[48:], 1)
	binary.LittleEndian.PutUint32(header[56:], defaultCutoff)
	binary.LittleEndian.PutUint32(header[60:], uint32(miniTable))
	binary.LittleEndian.PutUint32(header[68:], endOfChain)
	for i := range headerDIFAT {
		binary.LittleEndian.PutUint32(header[76+4*i:], freeSector)
	}
	binary.LittleEndian.PutUint32(header[76:], 0)
	return slices.Concat(header, fat[:sector], body)
}

// entry encodes a directory entry.
func entry(name string, kind byte, left, right, child, start uint32, size int) []byte {
	raw := make([]byte, entrySize)
	units := utf16.Encode([]rune(name))
	for i, u := range units {
		binary.LittleEndian.PutUint16(raw[2*i:], u)
	}
	binary.LittleEndian.PutUint16(raw[64:], uint16(2*len(units)+2))
	raw[66] = kind
	for i, v := range []uint32{left, right, child} {
		binary.LittleEndian.PutUint32(raw[68+4*i:], v)
	}
	binary.LittleEndian.PutUint32(raw[116:], start)
	binary.LittleEndian.PutUint32(raw[120:], uint32(size))
	return raw
}

func FuzzCompound(f *testing.F) {
	for _, name := range []string{"dsf.xls", "eq.doc", "properties.xls", "xlwt.xls"} {
		data := fixture(f, name)
		f.Add(data)
		f.Add(data[:len(data)*2/3])
	}
	f.Add(build(12, map[string][]byte{"A": pattern(9000), "B": pattern(9)}, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if fault.As(err).Code != fault.BadDocument {
				t.Fatal(err)
			}
			return
		}
		for i, e := range file.Entries() {
			if i == 50 {
				break
			}
			s := file.Stream(e)
			if s.Size() > e.Size || s.Size() > int64(len(data)) {
				t.Fatalf("%q has %d bytes in a file of %d", e.Path(), s.Size(), len(data))
			}
			n, err := io.Copy(io.Discard, s)
			if err != nil || n != s.Size() {
				t.Fatalf("%q: %d of %d bytes, %v", e.Path(), n, s.Size(), err)
			}
			if file.Find(e.Path()) == nil && e.Name != "" {
				t.Fatalf("%q is not found", e.Path())
			}
		}
	})
}

func TestSummary(t *testing.T) {
	for name, want := range map[string][2]string{"properties.xls": {"Ünïcode title", "Ann 中文"}, "xlwt.xls": {"", ""}} {
		title, author := open(t, fixture(t, name)).Summary()
		if title != want[0] || author != want[1] {
			t.Errorf("%s: %q by %q, want %q", name, title, author, want)
		}
	}
}
