package ooxml

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Charts that two programs wrote have the data that was put into them.
func TestCharts(t *testing.T) {
	raw, err := os.ReadFile("testdata/charts.json")
	if err != nil {
		t.Fatal(err)
	}
	var charts map[string]struct {
		Title       string
		PythonPptx  [][]string `json:"python-pptx"`
		LibreOffice [][]string `json:"libreoffice"`
	}
	if err := json.Unmarshal(raw, &charts); err != nil {
		t.Fatal(err)
	}
	for name, want := range charts {
		for program, rows := range map[string][][]string{"python-pptx": want.PythonPptx, "libreoffice": want.LibreOffice} {
			part, err := os.ReadFile(filepath.Join("testdata", name+"-"+program+".xml"))
			if err != nil {
				t.Fatal(err)
			}
			c := readChart(xmlscan.New(strings.NewReader(string(part))))
			if c.Title != want.Title || c.Cut || !reflect.DeepEqual(c.Rows, rows) {
				t.Errorf("%s by %s: %+v, want %q", name, program, c, rows)
			}
		}
	}
}

// Where a program left out the data, the chart has where they are.
func TestChartWithoutCache(t *testing.T) {
	const part = `<c:chartSpace><c:chart><c:plotArea><c:lineChart><c:ser><c:tx><c:strRef><c:f>S!$B$1</c:f></c:strRef></c:tx>` +
		`<c:cat><c:numRef><c:f>S!$A$2:$A$9</c:f></c:numRef></c:cat><c:val><c:numRef><c:f>S!$B$2:$B$9</c:f><c:numCache><c:formatCode>0</c:formatCode></c:numCache></c:numRef></c:val></c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>`
	c := readChart(xmlscan.New(strings.NewReader(part)))
	if want := [][]string{{"", "=S!$B$1"}, {"=S!$A$2:$A$9", "=S!$B$2:$B$9"}}; !reflect.DeepEqual(c.Rows, want) {
		t.Errorf("%q", c.Rows)
	}
}

// A chart is written with a line that says what it is.
func TestWriteChart(t *testing.T) {
	part := `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>A</a:t></a:r></a:p><a:p><a:r><a:t>*b*</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>` +
		`<c:barChart><c:barDir val="col"/><c:ser><c:cat><c:strRef><c:f>S!A1</c:f><c:strCache><c:pt idx="0"><c:v>x|y</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>S!B1</c:f><c:numCache><c:formatCode>0%</c:formatCode><c:pt idx="0"><c:v>0.5</c:v></c:pt><c:pt idx="2"><c:v>#N/A</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart>` +
		`<c:lineChart><c:ser><c:tx><c:v>Line</c:v></c:tx><c:val><c:numLit><c:pt idx="0" formatCode="yyyy"><c:v>1</c:v></c:pt></c:numLit></c:val></c:ser></c:lineChart>` +
		`<c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>EUR</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx></c:plotArea></c:chart></c:chartSpace>`
	w := markdown.NewWriter(markdown.Window{})
	readChart(xmlscan.New(strings.NewReader(part))).Write(w, "")
	want := "Chart **A \\*b\\*** (column, line; values: EUR)\n\n| | Series 1 | Line |\n| --- | --- | --- |\n| x\\|y | 50% | 1900-01-01 |\n| | #N/A | |\n"
	if got := string(w.Bytes()); got != want {
		t.Errorf("%s", got)
	}
}

// The newer charts keep their data apart from the series ([MS-ODRAWXML] 2.24.3).
func TestNewerChart(t *testing.T) {
	part := `<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"><cx:chartData><cx:data id="0">` +
		`<cx:strDim type="cat"><cx:f>S!A:B</cx:f><cx:lvl ptCount="2"><cx:pt idx="0">Leaf 1</cx:pt><cx:pt idx="1">Leaf 2</cx:pt></cx:lvl><cx:lvl ptCount="2"><cx:pt idx="0">Stem</cx:pt></cx:lvl></cx:strDim>` +
		`<cx:numDim type="size"><cx:f>S!C:C</cx:f><cx:lvl ptCount="2" formatCode="General"><cx:pt idx="0">22</cx:pt><cx:pt idx="1">87.5</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>` +
		`<cx:chart><cx:title><cx:tx><cx:txData><cx:v>Trees</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="treemap"><cx:tx><cx:txData><cx:f>S!C1</cx:f><cx:v>Size</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`
	c := readChart(xmlscan.New(strings.NewReader(part)))
	want := &Chart{Title: "Trees", Kind: "treemap", Rows: [][]string{{"", "", "Size"}, {"Stem", "Leaf 1", "22"}, {"Stem", "Leaf 2", "87.5"}}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v", c)
	}
}

// What a chart claims is bounded.
func TestHostileChart(t *testing.T) {
	ser := `<c:ser><c:val><c:numCache><c:ptCount val="4294967295"/><c:pt idx="4999"><c:v>1</c:v></c:pt><c:pt idx="-1"><c:v>1</c:v></c:pt><c:pt idx="2000000000"><c:v>1</c:v></c:pt></c:numCache></c:val></c:ser>`
	part := `<c:chartSpace><c:chart><c:plotArea><c:barChart>` + strings.Repeat(ser, 10_000) + `</c:barChart></c:plotArea></c:chart></c:chartSpace>`
	c := readChart(xmlscan.New(strings.NewReader(part)))
	if !c.Cut || len(c.Rows) != 2 || len(c.Rows[1]) != 1+maxSeries {
		t.Errorf("%d rows", len(c.Rows))
	}
}

// Whatever a part holds, a chart is within its limits, and all rows are as wide.
func FuzzChart(f *testing.F) {
	parts, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(parts) == 0 {
		f.Fatal("no charts")
	}
	for _, name := range parts {
		part, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(part)
		f.Add(part[:len(part)/2])
	}
	f.Add([]byte(`<cx:chartSpace><cx:data id="0"><cx:numDim type="x"><cx:lvl/></cx:numDim></cx:data><cx:series><cx:dataId val="0"/></cx:series></cx:chartSpace>`))
	f.Fuzz(func(t *testing.T, part []byte) {
		c := readChart(xmlscan.New(strings.NewReader(string(part))))
		cells := 0
		for _, r := range c.Rows {
			if cells += len(r); len(r) != len(c.Rows[0]) {
				t.Fatalf("rows of %d and %d cells", len(r), len(c.Rows[0]))
			}
		}
		if cells > 3*maxChartCells {
			t.Errorf("%d cells", cells)
		}
	})
}
