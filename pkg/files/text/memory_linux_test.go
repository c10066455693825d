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
// a path, or "lines" for short lines that need no disk.
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

func readLarge(name string) error {
	var r io.ReaderAt = repeated("a short line of text, 36 bytes long\n")
	q := Request{Ranges: "-3"}
	if name != "lines" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		r, q = f, Request{MaxBytes: 48 << 10}
	}
	p, err := Read(context.Background(), r, gigabyte, q)
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
		t.Skip("reads two gigabytes; memory under the race detector is another one")
	}
	sparse := filepath.Join(t.TempDir(), "sparse")
	f, err := os.Create(sparse)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(bytes.Repeat([]byte("x"), 16<<10)); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(gigabyte); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, file string
		want       largeReport
	}{
		{"one line", sparse, largeReport{
			Lines: 1, Start: 1, End: 1, Size: 2000 + len("…[1073739824 more characters]"), Tail: "xxxxxxxxx…[1073739824 more characters]",
			Cut: []CutLine{{1, gigabyte, 2000, "1:2001-1073741824"}},
		}},
		{"short lines", "lines", largeReport{
			Lines: gigabyte/36 + 1, Start: gigabyte/36 - 1, End: gigabyte/36 + 1, Size: 36 + 36 + gigabyte%36, Tail: " bytes long\na short line of text, 36 byt",
		}},
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
