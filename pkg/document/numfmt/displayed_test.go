package numfmt

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestDisplayed compares with what LibreOffice displays for thousands of formats and
// values. Where it is known to differ from Excel, Gnumeric or a rule says what is right; of the rest at least
// 99 of 100 must be equal.
func TestDisplayed(t *testing.T) {
	table, err := os.ReadFile("testdata/displayed.tsv")
	if err != nil {
		t.Fatal(err)
	}
	counted, different := 0, 0
	explained := map[string]int{}
	for line := range strings.Lines(string(table)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 {
			t.Fatalf("%q", line)
		}
		var code, libre, gnumeric string
		for i, s := range []*string{&code, nil, &libre, &gnumeric} {
			if s == nil {
				continue
			}
			if err := json.Unmarshal([]byte(fields[i]), s); err != nil {
				t.Fatal(err)
			}
		}
		value, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		gnumeric = strings.ReplaceAll(gnumeric, "−", "-")
		format := Parse(code)
		got := format.Text(value, Options{})
		if got == libre {
			counted++
			continue
		}
		if why := explain(format, code, value, got, libre, gnumeric); why != "" {
			explained[why]++
			continue
		}
		counted++
		different++
		t.Logf("%q of %v is %q, in LibreOffice %q, in Gnumeric %q", code, value, got, libre, gnumeric)
	}
	for why, n := range explained {
		t.Logf("%4d %s", n, why)
	}
	t.Logf("%d of %d as LibreOffice displays them", counted-different, counted)
	if counted < 4000 || different*100 > counted {
		t.Errorf("%d of %d differ", different, counted)
	}
}

// explain says why Excel displays something else than LibreOffice, or "".
func explain(f *Format, code string, value float64, got, libre, gnumeric string) string {
	s, _ := f.choose(value)
	switch {
	case s.calendar && value < 61:
		if value >= 1 && s.clock == strings.Contains(code, "h") && !strings.Contains(code, "ddd") && got != gnumeric {
			return "" // both count from 1 January 1900, but for days of the week
		}
		return "LibreOffice's day 1 is 31 December 1899"
	case (s.general || s.text) && math.Abs(value) < 1e16:
		if shown, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimPrefix(got, "n="), " units"), 64); err == nil && math.Abs(shown-value) <= math.Abs(value)*1e-5 {
			return "LibreOffice shows General with 15 digits, Excel in 11 characters"
		}
	case strings.HasSuffix(code, ".##") && strings.TrimSuffix(got, ".") == libre:
		return "Excel keeps a point without decimals"
	case s.fraction != nil && strings.TrimRight(got, " ") == strings.TrimRight(libre, " "):
		return "the width of an empty fraction"
	case libre == "#FMT" && (got == gnumeric || strings.TrimRight(got, " ") == strings.TrimRight(gnumeric, " ")):
		return "LibreOffice cannot show the number"
	case s.elapsed && code == "[s].00" && got == gnumeric:
		return "LibreOffice does not know the format"
	case s.when == always && f.sections[0].when != always && got == gnumeric:
		return "LibreOffice drops the sign where a condition is not met"
	case strings.HasPrefix(code, "[$-F400]") && strings.TrimLeft(libre, "0") == got:
		return "the time of the system"
	case s.clock && got == gnumeric:
		return "LibreOffice cuts seconds off, Excel rounds them"
	case s.percents > 0 && value == 1.005 && got == "101%", s.percents > 0 && value == 9.995 && got == "1000%":
		return "Excel rounds the decimal number"
	}
	return ""
}
