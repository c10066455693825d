package numfmt

// arrangeNumber decides what the marks among a section's placeholders mean.
func (s *section) arrangeNumber() {
	if s.arrangeFraction() {
		return
	}
	last := -1 // the last placeholder
	for i, t := range s.tokens {
		if t.kind == digit {
			last = i
		}
	}
	kept := s.tokens[:0]
	state, zero, pending := digit, false, 0 // pending are commas since the last placeholder
	for i, t := range s.tokens {
		if t.kind != comma {
			if pending > 0 && (t.kind != digit || state != digit) {
				s.thousands += pending
				pending = 0
			}
		}
		switch t.kind {
		case digit:
			if pending > 0 {
				s.group, pending = true, 0
			}
			t = s.place(t, state, &zero)
		case comma:
			switch {
			case s.whole+s.decimals == 0:
				t.kind = literal
			case i < last && state == digit || placeholder(s.tokens[i-1].kind) || s.tokens[i-1].kind == comma:
				pending++
				continue
			default:
				t.kind = literal
			}
		case point:
			if state == digit && last >= 0 {
				state = decimal
			} else {
				t.kind = literal
			}
		case percent:
			s.percents++
			t.kind = literal
		case exponent:
			if i < last && state != power && s.whole+s.decimals > 0 {
				state, zero = power, false
			} else {
				t.kind = literal
			}
		case slash:
			t.kind = literal
		}
		kept = append(kept, t)
	}
	s.thousands += pending
	s.tokens = kept
	s.scientific = s.powers > 0
}

func placeholder(k kind) bool { return k == digit || k == decimal }

// place counts a placeholder for the part of the number that it stands in. All that
// follows a 0 before the point is a 0.
func (s *section) place(t token, part kind, zero *bool) token {
	t.kind = part
	switch part {
	case digit, power:
		if *zero {
			t.n = '0'
		}
		*zero = t.n == '0'
		if part == digit {
			s.whole++
		} else {
			s.powers++
		}
	case decimal:
		s.decimals++
		if t.n == '0' {
			s.required = s.decimals
		}
	}
	return t
}

// appendNumber shows a value by the section's placeholders.
func (s *section) appendNumber(dst []byte, value float64) []byte {
	if s.fraction != nil {
		return s.fraction.append(dst, s, value)
	}
	d := decimalOf(value)
	if d.n > 0 {
		d.exp += 2*s.percents - 3*s.thousands
	}
	exp := 0
	switch {
	case s.scientific:
		exp = s.normalize(&d)
	case s.whole+s.decimals > 0:
		d.round(s.decimals)
	}
	if d.neg && d.n > 0 {
		dst = append(dst, '-')
	}
	whole, decimals, powers := 0, 0, 0
	var power10 digits
	for i := range s.tokens {
		t := &s.tokens[i]
		switch t.kind {
		case digit:
			dst = appendPlace(dst, &d, t.n, whole, s.whole, s.group)
			whole++
		case point:
			if s.whole == 0 {
				for p := d.wholeDigits() - 1; p >= 0; p-- {
					dst = append(dst, d.at(p))
				}
			}
			dst = append(dst, '.')
		case decimal:
			switch decimals++; {
			case decimals <= max(s.required, d.n-d.exp):
				dst = append(dst, d.at(-decimals))
			case t.n == '?':
				dst = append(dst, ' ')
			}
		case exponent:
			dst = append(dst, t.text[0])
			if exp < 0 {
				dst = append(dst, '-')
			} else if t.n == '+' {
				dst = append(dst, '+')
			}
			power10 = decimalOf(float64(max(exp, -exp)))
		case power:
			dst = appendPlace(dst, &power10, t.n, powers, s.powers, false)
			powers++
		default:
			dst = t.literal(dst)
		}
	}
	return dst
}

// normalize moves the point of a number in scientific notation and returns the exponent,
// a multiple of the number of places before the point.
func (s *section) normalize(d *digits) int {
	if d.n == 0 {
		return 0
	}
	period := max(s.whole, 1)
	exp := d.exp - 1
	if exp < 0 {
		exp -= period - 1
	}
	exp -= exp % period
	d.exp -= exp
	d.round(s.decimals)
	if d.exp > period {
		d.exp -= period
		exp += period
	}
	return exp
}

// appendPlace shows the digit for the place i of n before the point; the first place
// shows all digits that have no place of their own.
func appendPlace(dst []byte, d *digits, mark byte, i, n int, group bool) []byte {
	have := d.wholeDigits()
	p := n - 1 - i
	if i == 0 {
		for q := have - 1; q >= n; q-- {
			dst = append(dst, d.at(q))
			if group && q%3 == 0 {
				dst = append(dst, ',')
			}
		}
	}
	between := group && p > 0 && p%3 == 0
	switch {
	case p < have || mark == '0':
		dst = append(dst, d.at(p))
		if between {
			dst = append(dst, ',')
		}
	case mark == '?':
		dst = append(dst, ' ')
		if between {
			dst = append(dst, ' ')
		}
	}
	return dst
}
