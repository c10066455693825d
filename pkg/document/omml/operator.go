package omml

import "strings"

// operators are the signs that LaTeX has a command for, each with its name.
const operators = "±pm ×times ÷div ·cdot ∓mp ∙bullet •bullet ⋅cdot ∘circ ⋆star ¬neg " +
	"≤leq ≥geq ≠neq ≈approx ≡equiv ≅cong ∝propto ≪ll ≫gg ≃simeq ≲lesssim ≳gtrsim ≺prec ≻succ ⪯preceq ⪰succeq ≍asymp ≐doteq ≔coloneqq ≜triangleq " +
	"∞infty ∂partial ∇nabla ℏhbar ℓell ℘wp ℵaleph ℶbeth ıimath ȷjmath " +
	"∑sum ∏prod ∐coprod ∫int ∬iint ∭iiint ∮oint ∯oiint ∰oiiint ⋃bigcup ⋂bigcap ⋁bigvee ⋀bigwedge ⨁bigoplus ⨂bigotimes ⨀bigodot ⨄biguplus ⨆bigsqcup " +
	"∈in ∉notin ∋ni ⊂subset ⊃supset ⊆subseteq ⊇supseteq ⊄nsubset ⊊subsetneq ⊋supsetneq ∪cup ∩cap ⊔sqcup ⊓sqcap ⊎uplus ∅emptyset ∖setminus " +
	"∀forall ∃exists ∄nexists ∧wedge ∨vee ⊤top ⊥perp ⊢vdash ⊨models ⊕oplus ⊖ominus ⊗otimes ⊘oslash ⊙odot ∴therefore ∵because □square ◻square ∎blacksquare " +
	"→to ←leftarrow ↔leftrightarrow ⇒Rightarrow ⇐Leftarrow ⇔Leftrightarrow ↦mapsto ↑uparrow ↓downarrow ↕updownarrow ⇑Uparrow ⇓Downarrow ↗nearrow ↘searrow ↙swarrow ↖nwarrow " +
	"⟶longrightarrow ⟵longleftarrow ⟷longleftrightarrow ⟹Longrightarrow ⟸Longleftarrow ⟺iff ⟼longmapsto ↪hookrightarrow ↩hookleftarrow ⇌rightleftharpoons ⇀rightharpoonup ↼leftharpoonup ⇄rightleftarrows ⇝rightsquigarrow " +
	"…ldots ⋯cdots ⋮vdots ⋱ddots ∠angle ∡measuredangle △triangle ▽triangledown ◇diamond ⋄diamond ⌈lceil ⌉rceil ⌊lfloor ⌋rfloor ⟨langle ⟩rangle 〈langle 〉rangle " +
	"°degree †dagger ‡ddagger ∤nmid ∦nparallel √surd ⋉ltimes ⋊rtimes ⊣dashv ⊲triangleleft ⊳triangleright ⋈bowtie ⌣smile ⌢frown ≀wr £pounds §S ¶P "

// operator returns the name of LaTeX's command for a sign, "" if there is none.
func operator(c rune) string {
	i := strings.Index(operators, string(c))
	if i < 0 {
		return ""
	}
	_, name, _ := strings.Cut(operators[i:], string(c))
	name, _, _ = strings.Cut(name, " ")
	return name
}
