package omml

import "strings"

// fraction reads an m:f (22.1.2.36).
func (r *reader) fraction() string {
	kind := ""
	p := r.partsAnd(func(name string) {
		if name == "type" {
			kind = r.value()
		}
	}, "num", "den")
	switch kind {
	case "lin", "skw":
		return "{" + p[0] + "}/{" + p[1] + "}"
	case "noBar":
		r.stacked = `\genfrac{}{}{0pt}{}{` + p[0] + "}{" + p[1] + "}"
		return r.stacked
	}
	return `\frac{` + p[0] + "}{" + p[1] + "}"
}

// scripts reads what has something below or above it on the right, or the left.
func (r *reader) scripts(name string) string {
	p := r.parts("e", "sub", "sup")
	if name == "sPre" {
		return "{}" + script('_', p[1]) + script('^', p[2]) + base(p[0])
	}
	return base(p[0]) + script('_', p[1]) + script('^', p[2])
}

// radical reads an m:rad (22.1.2.88).
func (r *reader) radical() string {
	hide := false
	p := r.partsAnd(func(name string) {
		if name == "degHide" {
			hide = r.on()
		}
	}, "deg", "e")
	if p[0] != "" && !hide {
		return `\sqrt[` + p[0] + "]{" + p[1] + "}"
	}
	return `\sqrt{` + p[1] + "}"
}

// nary reads an m:nary: sums, integrals (22.1.2.70).
func (r *reader) nary() string {
	sign, location := "∫", ""
	p := r.partsAnd(func(name string) {
		switch name {
		case "chr":
			sign = r.value()
		case "limLoc":
			location = r.value()
		}
	}, "sub", "sup", "e")
	operator := symbols(sign, false)
	switch integral := strings.HasSuffix(operator, "int"); {
	case integral && location == "undOvr":
		operator += `\limits`
	case !integral && location == "subSup" && operator != "":
		operator += `\nolimits`
	}
	var b builder
	b.add(operator + script('_', p[0]) + script('^', p[1]))
	b.add(p[2])
	return b.String()
}

// delimiters reads an m:d: parentheses (22.1.2.24).
func (r *reader) delimiters() string {
	begin, end, separator := "(", ")", "|"
	var all []string
	only, rows := "", "" // what a single matrix or array of equations stands for
	r.stacked = ""
	r.children(func(name string) {
		switch name {
		case "dPr":
			r.children(func(name string) {
				switch name {
				case "begChr":
					begin = r.value()
				case "endChr":
					end = r.value()
				case "sepChr":
					separator = r.value()
				}
			})
		case "e":
			var b builder
			count := 0
			r.children(func(name string) {
				if strings.HasSuffix(name, "Pr") {
					return
				}
				count++
				switch name {
				case "m":
					rows, only = r.matrix(), "matrix"
					b.add(environment("matrix", rows))
				case "eqArr":
					rows, only = r.equations(), "aligned"
					b.add(environment("aligned", rows))
				default:
					b.add(r.element(name))
				}
			})
			if count != 1 || len(all) > 0 {
				only = ""
			}
			all = append(all, strings.TrimSpace(b.String()))
		}
	})
	if name := enclosed(only, begin, end); name != "" && len(all) == 1 {
		return environment(name, rows)
	}
	inner := strings.Join(all, " "+delimiter(separator)+" ")
	if begin == "(" && end == ")" && len(all) == 1 && inner == r.stacked && inner != "" {
		return strings.Replace(inner, `\genfrac{}{}{0pt}{}`, `\binom`, 1)
	}
	if !tall(inner) && begin != "" && end != "" {
		return join(delimiter(begin), inner, delimiter(end))
	}
	if len(all) > 1 {
		inner = strings.Join(all, ` \middle`+delimiter(separator)+" ")
	}
	return join(`\left`+delimiter(begin), inner, `\right`+delimiter(end))
}

// enclosed returns the environment of a matrix or equations between delimiters, "" if
// there is none.
func enclosed(inner, begin, end string) string {
	switch {
	case inner == "aligned" && begin == "{" && end == "":
		return "cases"
	case inner != "matrix":
		return ""
	}
	switch begin + end {
	case "()":
		return "pmatrix"
	case "[]":
		return "bmatrix"
	case "{}":
		return "Bmatrix"
	case "||":
		return "vmatrix"
	case "‖‖", "∥∥":
		return "Vmatrix"
	}
	return ""
}

// matrix reads the rows of an m:m (22.1.2.60).
func (r *reader) matrix() string {
	var rows []string
	r.children(func(name string) {
		if name == "mr" {
			var cells []string
			r.children(func(name string) {
				if name == "e" {
					cells = append(cells, strings.TrimSpace(r.sequence()))
				}
			})
			rows = append(rows, strings.Join(cells, " & "))
		}
	})
	return strings.Join(rows, ` \\ `)
}

// equations reads the lines of an m:eqArr (22.1.2.34).
func (r *reader) equations() string {
	var rows []string
	before := r.aligned
	r.aligned = true
	r.children(func(name string) {
		if name == "e" {
			rows = append(rows, strings.TrimSpace(r.sequence()))
		}
	})
	r.aligned = before
	return strings.Join(rows, ` \\ `)
}

// function reads an m:func (22.1.2.39).
func (r *reader) function() string {
	p := r.parts("fName", "e")
	var b builder
	b.add(named(p[0]))
	b.add(p[1])
	return b.String()
}

// accent reads an m:acc (22.1.2.1).
func (r *reader) accent() string {
	sign := "\u0302"
	p := r.partsAnd(func(name string) {
		if name == "chr" {
			sign = r.value()
		}
	}, "e")
	return over(sign, p[0])
}

// bar reads an m:bar (22.1.2.7).
func (r *reader) bar() string {
	top := false
	p := r.partsAnd(func(name string) {
		if name == "pos" {
			top = r.value() == "top"
		}
	}, "e")
	if top {
		return `\overline{` + p[0] + "}"
	}
	return `\underline{` + p[0] + "}"
}

// limit reads an m:limLow or m:limUpp.
func (r *reader) limit(name string) string {
	p := r.parts("e", "lim")
	if name == "limLow" {
		return below(p[0], p[1])
	}
	return above(p[0], p[1])
}

// group reads an m:groupChr: a brace along something (22.1.2.41).
func (r *reader) group() string {
	sign, top := "⏟", false
	p := r.partsAnd(func(name string) {
		switch name {
		case "chr":
			sign = r.value()
		case "pos":
			top = r.value() == "top"
		}
	}, "e")
	switch sign {
	case "⏟":
		return `\underbrace{` + p[0] + "}"
	case "⏞":
		return `\overbrace{` + p[0] + "}"
	case "→", "←", "⇒", "⇐", "↔", "⇔":
		if top {
			return `\overset{` + symbols(sign, false) + "}{" + p[0] + "}"
		}
		return `\underset{` + symbols(sign, false) + "}{" + p[0] + "}"
	}
	if top {
		return over(sign, p[0])
	}
	return `\underset{` + symbols(sign, false) + "}{" + p[0] + "}"
}

// phantom reads an m:phant: room for what is not shown (22.1.2.81).
func (r *reader) phantom() string {
	show := true
	p := r.partsAnd(func(name string) {
		if name == "show" {
			show = r.on()
		}
	}, "e")
	if show {
		return p[0]
	}
	return `\phantom{` + p[0] + "}"
}
