package text

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// largeFile names, in the environment of a child of the test, the file to read:
// a path, or "lines" for 256 MiB of short lines and "more" for 2 GiB of them, which need
// no disk.
const largeFile = "HELVE_TEST_LARGE_FILE"

const gigabyte = 1 << 30

func TestMain(m *testing.M) {
	if name := os.Getenv(largeFile); name != "" {
		if err := readLarge(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// largeReport is what the child reports.
type largeReport struct {
	Lines, Start, End int
	Size              int // of the content
	Tail              string
	Cut               []CutLine
	Peak              int // resident memory in KiB
}

// repeated is a text that repeats endlessly.
type repeated string

func (r repeated) ReadAt(p []byte, off int64) (int, error) {
	at := int(off % int64(len(r)))
	for n := 0; n < len(p); at = 0 {
		n += copy(p[n:], r[at:])
	}
	return len(p), nil
}

const shortLine = "a short line of text, 36 bytes long\n"

// tailOf returns the last 40 bytes of a text of short lines.
func tailOf(size int) string {
	return (shortLine + shortLine + shortLine[:size%36])[36+36+size%36-40:]
}

func readLarge(name string) error {
	var r io.ReaderAt = repeated(shortLine)
	q := Request{Ranges: "-3"}
	size := int64(WholeBytes)
	switch name {
	case "lines":
	case "more":
		size = 2 * gigabyte
	default:
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		r, q, size = f, Request{MaxBytes: 48 << 10}, info.Size()
		if size > WholeBytes {
			q.Offset = -3
		}
	}
	p, err := Read(context.Background(), r, size, q)
	if err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	w := p.Windows[0]
	out := largeReport{Lines: p.TotalLines, Start: w.Start, End: w.End, Size: len(w.Content()), Cut: p.LinesCut}
	out.Tail = w.Content()[max(0, out.Size-40):]
	// Not getrusage, whose peak includes that of the parent from before exec.
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(peak, &out.Peak); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// Memory does not grow with the file, nor with its lines.
func TestMemoryOfLargeFiles(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("reads a gigabyte; memory under the race detector is another one")
	}
	sparse := func(size int64) string {
		name := filepath.Join(t.TempDir(), "sparse")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.Write(bytes.Repeat([]byte("x"), 16<<10)); err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, tt := range []struct {
		name, file string
		want       largeReport
	}{
		{"one line", sparse(WholeBytes), largeReport{
			Lines: 1, Start: 1, End: 1, Size: 2000 + len("…[268433456 more characters]"), Tail: "xxxxxxxxxx…[268433456 more characters]",
			Cut: []CutLine{{1, WholeBytes, 2000, "1:2001-268435456"}},
		}},
		{"one line of 300 MB", sparse(300_000_000), largeReport{
			Lines: unknownLines, Start: 1, End: 1, Size: 2000 + len("…[299998000 more characters]"), Tail: "xxxxxxxxxx…[299998000 more characters]",
			Cut: []CutLine{{1, 300_000_000, 2000, "1:2001-300000000"}},
		}},
		{"short lines", "lines", largeReport{
			Lines: WholeBytes/36 + 1, Start: WholeBytes/36 - 1, End: WholeBytes/36 + 1, Size: 36 + 36 + WholeBytes%36, Tail: tailOf(WholeBytes),
		}},
		{"short lines, 2 GiB", "more", largeReport{Lines: unknownLines, Start: -3, End: -1, Size: 36 + 36 + 2*gigabyte%36, Tail: tailOf(2 * gigabyte)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), largeFile+"="+tt.file)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			var got largeReport
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			const most = 64 << 10
			if got.Peak == 0 || got.Peak >= most {
				t.Errorf("the peak was %d KiB", got.Peak)
			}
			t.Logf("peak %d KiB", got.Peak)
			got.Peak = 0
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
