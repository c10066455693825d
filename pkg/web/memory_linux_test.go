package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// abusedURL is the environment variable that tells a child of the test what to
// fetch.
const abusedURL = "HELVE_TEST_ABUSED_URL"

// abused is the report of the child.
type abused struct {
	Code  fault.Code
	Bytes int
	Peak  int // resident memory in KiB
}

func TestMain(m *testing.M) {
	if url := os.Getenv(abusedURL); url != "" {
		if err := suffer(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func suffer(url string) error {
	debug.SetMemoryLimit(96 << 20) // as the program does
	c := New(Options{Allow: []netip.Prefix{netip.MustParsePrefix(open + "/32")}})
	r, err := c.Get(context.Background(), Request{URL: At(url), Timeout: 20 * time.Second})
	var told abused
	if err != nil {
		told.Code = fault.As(err).Code
	} else {
		told.Bytes = len(r.Text().Text)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(peak, &told.Peak); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(told)
}

// The memory of a process is bounded whatever a server sends.
func TestMemoryUnderAbuse(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("memory under the race detector is another one")
	}
	type attack struct {
		name string
		say  func(net.Conn, string)
		want fault.Code
	}
	attacks := []attack{{"an endless body", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=gbk\r\n\r\n")
		forever(c, []byte(strings.Repeat("\xc4\xe3\xba\xc3", 5000)))
	}, ""}}
	for _, a := range abuses {
		if a.timeout == 0 && (strings.Contains(a.name, "endless") || strings.Contains(a.name, "bomb") || strings.Contains(a.name, "huge") || strings.Contains(a.name, "ever")) {
			attacks = append(attacks, attack{a.name, a.say, a.want})
		}
	}
	if len(attacks) < 10 {
		t.Errorf("only %d attacks", len(attacks))
	}
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			url, _ := speak(t, a.say)
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), abusedURL+"="+url)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			var got abused
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			if got.Code != a.want || got.Peak == 0 || got.Peak >= 100<<10 || a.want == "" && got.Bytes == 0 {
				t.Errorf("%+v", got)
			}
			t.Log("peak " + strconv.Itoa(got.Peak) + " KiB")
		})
	}
}
