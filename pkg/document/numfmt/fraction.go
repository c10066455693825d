package numfmt

import (
	"math"
	"strconv"
)

// fraction is the layout of a section that shows numbers as fractions: # ?/?, # ??/100.
type fraction struct {
	numeratorPlaces, denominatorPlaces int
	fixed                              int // the denominator of the format, or 0
}

// maxDenominatorDigits limits the digits of a denominator.
const maxDenominatorDigits = 7

// arrangeFraction finds the slash between two groups of placeholders.
func (s *section) arrangeFraction() bool {
	at := -1
	for i, t := range s.tokens {
		if t.kind == slash && i > 0 && i+1 < len(s.tokens) {
			at = i
			break
		}
	}
	if at < 0 || s.tokens[at-1].kind != digit {
		return false
	}
	end := at + 1
	text, given := "", false
	for ; end < len(s.tokens); end++ {
		t := s.tokens[end]
		one := t.kind == literal && len(t.text) == 1 && t.text[0] >= '1' && t.text[0] <= '9'
		if !one && t.kind != digit {
			break
		}
		given = given || one
		text += t.text
	}
	f := &fraction{}
	if given {
		n, err := strconv.Atoi(text)
		if err != nil || n > 1e7 {
			return false
		}
		f.fixed = n
	}
	if text == "" {
		return false
	}
	for i := at + 1; i < end; i++ {
		s.tokens[i].kind = denominator
		f.denominatorPlaces++
	}
	for i := at - 1; i >= 0 && s.tokens[i].kind == digit; i-- {
		s.tokens[i].kind = numerator
		f.numeratorPlaces++
	}
	kept := s.tokens[:0]
	zero := false
	for i, t := range s.tokens {
		switch {
		case t.kind == digit && i < at:
			t = s.place(t, digit, &zero)
		case t.kind == comma:
			continue
		case t.kind == slash && i != at, t.kind == point, t.kind == percent, t.kind == exponent, t.kind == digit:
			t.kind = literal
		}
		if f.fixed > 0 && t.kind == denominator {
			t.kind = fixed
		}
		kept = append(kept, t)
	}
	s.tokens, s.fraction = kept, f
	return true
}

// append shows a value as a fraction. If nothing remains besides the whole part, the
// fraction's places are blank.
func (f *fraction) append(dst []byte, s *section, value float64) []byte {
	neg := value < 0
	whole, part := math.Modf(math.Abs(value))
	if s.whole == 0 {
		whole, part = 0, math.Abs(value)
	}
	bottom := float64(f.fixed)
	top := math.Round(part * bottom)
	if f.fixed == 0 {
		top, bottom = approximate(part, math.Pow10(min(f.denominatorPlaces, maxDenominatorDigits))-1)
	}
	if s.whole > 0 && top == bottom {
		whole, top = whole+1, 0
	}
	if neg && (whole > 0 || top > 0) {
		dst = append(dst, '-')
	}
	blank := s.whole > 0 && top == 0
	wholeDigits, topDigits, bottomDigits := decimalOf(whole), decimalOf(top), decimalOf(bottom)
	i, j, k := 0, 0, 0
	for n := range s.tokens {
		t := &s.tokens[n]
		switch t.kind {
		case digit:
			mark := t.n
			if blank && i == s.whole-1 {
				mark = '0'
			}
			dst = appendPlace(dst, &wholeDigits, mark, i, s.whole, false)
			i++
		case numerator:
			switch {
			case blank && t.n != '0':
				dst = append(dst, ' ')
			case j == f.numeratorPlaces-1 && t.n != '0':
				dst = appendPlace(dst, &topDigits, '0', j, f.numeratorPlaces, false)
			default:
				dst = appendPlace(dst, &topDigits, t.n, j, f.numeratorPlaces, false)
			}
			j++
		case slash:
			if blank && s.tokens[n-1].n != '0' {
				dst = append(dst, ' ')
			} else {
				dst = append(dst, '/')
			}
		case denominator:
			dst = f.appendDenominator(dst, t, &bottomDigits, k, blank)
			k++
		case fixed:
			if blank {
				dst = append(dst, ' ')
			} else {
				dst = t.append(dst)
			}
		default:
			dst = t.literal(dst)
		}
	}
	return dst
}

// appendDenominator shows the denominator: its digits stand at the left of their places.
func (f *fraction) appendDenominator(dst []byte, t *token, d *digits, k int, blank bool) []byte {
	have := d.wholeDigits()
	switch {
	case blank && t.n != '0':
		return append(dst, ' ')
	case t.n == '0':
		return appendPlace(dst, d, '0', k, f.denominatorPlaces, false)
	case k == f.denominatorPlaces-1 && have > f.denominatorPlaces:
		for p := have - 1 - k; p >= 0; p-- {
			dst = append(dst, d.at(p))
		}
	case k < have:
		dst = append(dst, d.at(have-1-k))
	case t.n == '?':
		dst = append(dst, ' ')
	}
	return dst
}

func (t *token) append(dst []byte) []byte { return append(dst, t.text...) }

// approximate returns the last convergent of a number's continued fraction with a
// denominator of at most that much. So Excel does: 0.456 with one digit is 1/2, though 4/9 is nearer.
func approximate(x, most float64) (top, bottom float64) {
	const enough = 5e-8 // a smaller rest is an error of the binary number
	p2, p1, q2, q1 := 0.0, 1.0, 1.0, 0.0
	rest := x
	for {
		a := math.Floor(rest)
		p, q := a*p1+p2, a*q1+q2
		if q > most {
			return p1, q1
		}
		p2, p1, q2, q1 = p1, p, q1, q
		if rest-a < enough || q == most {
			return p1, q1
		}
		rest = 1 / (rest - a)
	}
}
