package omml

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

func r(text string) string { return `<m:r><m:t>` + text + `</m:t></m:r>` }

func e(name, inner string) string { return `<m:` + name + `>` + inner + `</m:` + name + `>` }

func pr(element, properties string) string {
	inner := ""
	for property := range strings.FieldsSeq(properties) {
		name, value, _ := strings.Cut(property, "=")
		inner += `<m:` + name + ` m:val="` + value + `"/>`
	}
	return `<m:` + element + `>` + inner + `</m:` + element + `>`
}

func TestLaTeX(t *testing.T) {
	num, den := e("num", r("a")), e("den", r("b"))
	row := func(cells ...string) string {
		var b strings.Builder
		for _, c := range cells {
			b.WriteString(e("e", r(c)))
		}
		return e("mr", b.String())
	}
	for _, c := range []struct{ name, xml, want string }{
		{"text", r("E=m") + e("sSup", e("e", r("c"))+e("sup", r("2"))), "E=mc^2"},
		{"symbols", r("α≤∞·Ω∈ℝx"), `\alpha\leq\infty\cdot\Omega\in\mathbb{R}x`},
		{"letters", r("𝑎𝐁ℏ"), `a\mathbf{B}\hbar`},
		{"escapes", r("5% of $ {x}_"), `5\% of \$ \{x\}\_`},
		{"fraction", e("f", num+den), `\frac{a}{b}`},
		{"linear", e("f", pr("fPr", "type=lin")+num+den), `{a}/{b}`},
		{"binomial", e("d", e("e", e("f", pr("fPr", "type=noBar")+num+den))), `\binom{a}{b}`},
		{"scripts", e("sSubSup", e("e", r("x+y"))+e("sub", r("i"))+e("sup", r("10"))), `{x+y}_i^{10}`},
		{"before", e("sPre", e("sub", r("1"))+e("sup", r("2"))+e("e", r("H"))), `{}_1^2H`},
		{"root", e("rad", pr("radPr", "degHide=1")+e("deg", "")+e("e", r("2"))) + e("rad", e("deg", r("3"))+e("e", r("x"))), `\sqrt{2}\sqrt[3]{x}`},
		{"sum", e("nary", pr("naryPr", "chr=∑ limLoc=undOvr")+e("sub", r("i=1"))+e("sup", r("n"))+e("e", r("x"))), `\sum_{i=1}^nx`},
		{"integral", e("nary", pr("naryPr", "limLoc=subSup")+e("sub", r("0"))+e("sup", r("∞"))+e("e", r("f"))), `\int_0^{\infty}f`},
		{"delimiters", e("d", e("e", r("a"))+e("e", r("b"))), `(a | b)`},
		{"tall", e("d", pr("dPr", "begChr=[ endChr=")+e("e", e("f", num+den))), `\left[\frac{a}{b}\right.`},
		{"matrix", e("d", pr("dPr", "begChr=[ endChr=]")+e("e", e("m", row("a", "b")+row("c", "d")))), `\begin{bmatrix} a & b \\ c & d \end{bmatrix}`},
		{"cases", e("d", pr("dPr", "begChr={ endChr=")+e("e", e("eqArr", e("e", r("x&=1"))+e("e", r("y&=2"))))), `\begin{cases} x&=1 \\ y&=2 \end{cases}`},
		{"function", e("func", e("fName", `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>sin</m:t></m:r>`)+e("e", r("x"))), `\sin x`},
		{"operator", e("func", e("fName", r("rank"))+e("e", r("A"))), `\operatorname{rank}A`},
		{"limit", e("func", e("fName", e("limLow", e("e", r("lim"))+e("lim", r("n→∞"))))+e("e", r("x"))), `\lim_{n\to\infty}x`},
		{"accents", e("acc", e("e", r("x"))) + e("acc", pr("accPr", "chr=\u20d7")+e("e", r("AB"))) + e("bar", pr("barPr", "pos=top")+e("e", r("z"))), `\hat{x}\overrightarrow{AB}\overline{z}`},
		{"brace", e("limLow", e("e", e("groupChr", e("e", r("a+b"))))+e("lim", r("c"))), `\underbrace{a+b}_c`},
		{"box", e("borderBox", e("e", r("x"))) + e("box", e("e", r("y"))), `\boxed{x}y`},
		{"phantom", e("phant", pr("phantPr", "show=0")+e("e", r("x"))), `\phantom{x}`},
		{"normal text", `<m:r><m:rPr><m:nor/></m:rPr><m:t>if a_b</m:t></m:r>`, `\text{if a\_b}`},
		{"alphabets", `<m:r><m:rPr><m:scr m:val="double-struck"/></m:rPr><m:t>R</m:t></m:r><m:r><m:rPr><m:sty m:val="b"/></m:rPr><m:t>v</m:t></m:r>`, `\mathbb{R}\mathbf{v}`},
		{"changes", `<w:ins>` + r("a") + `</w:ins><w:del>` + r("b") + `</w:del>`, "a"},
		{"sign of a function", r("sin") + e("sSub", e("e", "")+e("sub", r("a"))), `sin{}_a`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := xmlscan.New(strings.NewReader(`<m:oMath>` + c.xml + `</m:oMath>`))
			s.Next()
			if got := LaTeX(s); got != c.want || s.Depth() != 0 {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	s := xmlscan.New(strings.NewReader(`<m:oMathPara><m:oMathParaPr/><m:oMath>` + r("a") + `</m:oMath><m:oMath>` + r("b") + `</m:oMath></m:oMathPara>`))
	s.Next()
	if got := LaTeX(s); got != `\begin{gathered} a \\ b \end{gathered}` {
		t.Error(got)
	}
}

func TestMathML(t *testing.T) {
	for _, c := range []struct{ name, xml, want string }{
		{"row", `<mrow><mi>x</mi><mo>=</mo><mn>1.5</mn><mo>&#xd7;</mo><mi>y</mi></mrow>`, `x=1.5\times y`},
		{"fraction", `<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>`, `\frac{a}{b+1}`},
		{"roots", `<msqrt><mi>a</mi><mi>b</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>`, `\sqrt{ab}\sqrt[3]{x}`},
		{"scripts", `<msub><mi>x</mi><mi>i</mi></msub><msup><mi>y</mi><mn>2</mn></msup><msubsup><mi>z</mi><mn>0</mn><mn>10</mn></msubsup>`, `x_iy^2z_0^{10}`},
		{"sum", `<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>a</mi>`, `\sum_{i=1}^na`},
		{"limit", `<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>`, `\lim_{x\to0}`},
		{"accents", `<mover accent="true"><mi>v</mi><mo>→</mo></mover><mover><mi>x</mi><mo>^</mo></mover><mover><mi>x</mi><mo>¯</mo></mover>`, `\vec{v}\hat{x}\bar{x}`},
		{"names", `<mi>sin</mi><mi>x</mi><mi>speed</mi><mi mathvariant="bold">v</mi>`, `\sin x\mathrm{speed}\mathbf{v}`},
		{"matrix", `<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd></mtr></mtable>`, `\begin{matrix} a & b \\ c \end{matrix}`},
		{"fences", `<mfenced open="[" close=")"><mn>1</mn><mn>2</mn></mfenced>`, `[1, 2)`},
		{"text", `<mtext>if x</mtext><mspace/><mo>{</mo>`, `\text{if x}\ \{`},
		{"before", `<mmultiscripts><mi>X</mi><mn>1</mn><mn>2</mn><mprescripts/><mn>3</mn><none/></mmultiscripts>`, `{}_3X_1^2`},
		{"annotation", `<semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">{\displaystyle x^2}</annotation></semantics>`, `x^2`},
		{"other annotation", `<semantics><mi>x</mi><annotation encoding="StarMath 5.0">x</annotation></semantics>`, `x`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := xmlscan.New(strings.NewReader(`<math xmlns="http://www.w3.org/1998/Math/MathML">` + c.xml + `</math>`))
			s.Next()
			if got := MathML(s); got != c.want || s.Depth() != 0 {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// A formula ends where its element does, is one line and not longer than its text allows,
// and its groups are closed.
func FuzzOMML(f *testing.F) {
	f.Add(`<m:oMath>` + e("f", e("num", r("a"))+e("den", r("b"))) + `</m:oMath>`)
	f.Add(`<m:oMathPara><m:oMath>` + e("d", e("e", e("m", e("mr", e("e", r("x")))))) + `</m:oMath></m:oMathPara>`)
	f.Add(`<m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/>`)
	f.Add(`<m:oMath>` + strings.Repeat("<m:rad><m:e>", 200))
	f.Add(`<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mi>b</mi></mfrac><munderover><mo>∑</mo></munderover></math>`)
	f.Fuzz(func(t *testing.T, xml string) {
		for _, read := range [...]func(*xmlscan.Scanner) string{LaTeX, MathML} {
			s := xmlscan.New(strings.NewReader("<x>" + xml))
			s.Next()
			if s.Next() != xmlscan.Start {
				return
			}
			got := read(s)
			if s.Depth() > 1 {
				t.Errorf("ends within %d elements", s.Depth())
			}
			if len(got) > 64*len(xml)+64 {
				t.Errorf("%d bytes of %d", len(got), len(xml))
			}
			if strings.ContainsAny(got, "\n\r") && !strings.Contains(xml, "annotation") {
				t.Errorf("%q has lines", got)
			}
		}
	})
}
