package ooxml

import (
	"reflect"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

func TestText(t *testing.T) {
	const body = `<p:txBody xmlns:a="http://purl.oclc.org/ooxml/drawingml/main" xmlns:m="http://purl.oclc.org/ooxml/officeDocument/math"><a:bodyPr/><a:lstStyle/>` +
		`<a:p><a:pPr lvl="1"><a:buFont typeface="Arial"/><a:buAutoNum type="romanUcPeriod" startAt="3"/></a:pPr><a:r><a:rPr b="1"><a:hlinkClick r:id="l"/></a:rPr><a:t>site</a:t></a:r><a:r><a:rPr i="1" baseline="30000"/><a:t> up</a:t></a:r><a:br/><a:fld type="slidenum"><a:t>7</a:t></a:fld><a:endParaRPr b="1"/></a:p>` +
		`<a:p><a:pPr lvl="99"><a:buNone/></a:pPr><mc:AlternateContent><mc:Choice Requires="a14"><a14:m><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></a14:m></mc:Choice><mc:Fallback><a:r><a:t>picture of x</a:t></a:r></mc:Fallback></mc:AlternateContent><a:r><a:rPr strike="sngStrike" baseline="0"><a:hlinkClick r:id="jump"/></a:rPr><a:t>a` + "\v" + `b</a:t></a:r></a:p></p:txBody>`
	read := func(text TextReader) (got []string, all []TextParagraph) {
		s := xmlscan.New(strings.NewReader(body))
		s.Next()
		all = text.Body(s)
		for _, p := range all {
			got = append(got, p.Text.String())
		}
		return got, all
	}
	got, all := read(TextReader{Relations: Relations{{ID: "l", Target: "https://a.b", External: true}, {ID: "jump", Target: "ppt/slides/slide2.xml"}}})
	if want := []string{"[**site**](https://a.b) *<sup>up</sup>*\\\n7", "$x$~~a b~~"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	if all[0].Level != 1 || all[0].Bullet != (Bullet{AutoNumber, "romanUcPeriod", 3}) || all[1].Level != 8 || all[1].Bullet.Kind != NoBullet {
		t.Errorf("%+v", all)
	}
}

func TestDiagram(t *testing.T) {
	pt := func(id, kind, text string) string {
		return `<dgm:pt modelId="` + id + `" type="` + kind + `"><dgm:prSet/><dgm:t><a:bodyPr/><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></dgm:t></dgm:pt>`
	}
	cxn := func(kind, from, to, order string) string {
		return `<dgm:cxn modelId="c" type="` + kind + `" srcId="` + from + `" destId="` + to + `" srcOrd="` + order + `"/>`
	}
	p, err := opened(t, "ppt/presentation.xml", "<x/>", "d.xml", `<dgm:dataModel><dgm:ptLst>`+
		pt("0", "doc", "")+pt("b", "node", "second")+pt("a", "", "*first*")+pt("aa", "asst", "below")+pt("t", "parTrans", "no")+pt("v", "pres", "no")+pt("lone", "node", "lone")+
		`</dgm:ptLst><dgm:cxnLst>`+cxn("", "0", "b", "1")+cxn("parOf", "0", "a", "0")+cxn("", "a", "aa", "0")+cxn("", "aa", "a", "0")+cxn("presOf", "0", "v", "0")+cxn("", "x", "y", "0")+`</dgm:cxnLst></dgm:dataModel>`)
	if err != nil {
		t.Fatal(err)
	}
	items, err := p.Diagram("d.xml")
	if want := []DiagramItem{{0, `\*first\*`}, {1, "below"}, {0, "second"}, {0, "lone"}}; err != nil || !reflect.DeepEqual(items, want) {
		t.Errorf("%+v, %v", items, err)
	}
	if _, err := p.Diagram("none"); err == nil {
		t.Error("a diagram without a part")
	}
}
