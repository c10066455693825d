package page

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

// hostileName is the environment variable that tells a child of the test which page
// to read.
const hostileName = "HELVE_TEST_HOSTILE_PAGE"

func TestMain(m *testing.M) {
	if name := os.Getenv(hostileName); name != "" {
		debug.SetMemoryLimit(96 << 20) // as the program does
		mime := "text/html"
		if name == "JSON" {
			mime = "application/json"
		}
		d, err := Read(Source{Text: hostile(name), MIME: mime, URL: address}, Options{Format: Markdown, Links: true})
		if err == nil {
			_, err = d.Part(0, 20_000)
		}
		status, _ := os.ReadFile("/proc/self/status")
		fmt.Println(strings.Fields(string(status[strings.Index(string(status), "VmHWM:"):]))[1], err)
		return
	}
	os.Exit(m.Run())
}

// hostile returns a page of about 10 MiB that tries to take much more memory.
func hostile(name string) string {
	const size = 10 << 20
	fill := func(head, unit string) string { return head + strings.Repeat(unit, (size-len(head))/len(unit)) }
	switch name {
	case "a thousand deep a thousand times":
		return strings.Repeat(strings.Repeat("<div>", 1000)+"x"+strings.Repeat("</div>", 1000), 953)
	case "marks left open":
		head := "<div>"
		for i := range 500 {
			head += fmt.Sprintf("<b a=%d>", i)
		}
		return fill(head+"</div>", "<div>x</div>")
	case "cells that stretch":
		return fill("<table>", "<tr><td colspan=9999 rowspan=9999>a<th>b")
	case "links":
		return fill("", "<a href=/x>word</a> ")
	case "one paragraph":
		return fill("<p>", "lorem ipsum dolor, ")
	case "one code":
		return fill("<pre>", "<span class=line>x</span>\n")
	case "lines in quotations":
		return fill(strings.Repeat("<blockquote>", 290), "x<br>")
	case "JSON":
		return "[" + fill("", `{"a":[1,2,{"b":"x"}]},`) + "1]"
	case "items in items":
		return fill("", strings.Repeat("<ul><li>", 500)+"some words ")
	}
	return ""
}

// The memory that a page takes is bounded.
func TestMemory(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector takes more memory than the page")
	}
	for _, name := range []string{
		"a thousand deep a thousand times", "marks left open", "cells that stretch", "links", "one paragraph", "one code", "items in items", "lines in quotations", "JSON",
	} {
		t.Run(name, func(t *testing.T) {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), hostileName+"="+name)
			out, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			told := strings.TrimSpace(string(out))
			kilobytes, problem, _ := strings.Cut(told, " ")
			peak, err := strconv.Atoi(kilobytes)
			if err != nil || problem != "<nil>" {
				t.Fatalf("the child said %q", told)
			}
			t.Logf("%d MB", peak/1000)
			if peak > 100_000 {
				t.Errorf("reading it took %d KB", peak)
			}
		})
	}
}
