package xmlscan

// Skip goes on to the End of the element that the last Start opened.
func (s *Scanner) Skip() { s.leaveTo(s.Depth() - 1) }

// leaveTo goes on until no more elements than so many are open.
func (s *Scanner) leaveTo(depth int) {
	for s.Depth() > depth && s.Next() != EOF {
	}
}

// Children calls yield with the name of each element within the one that the last Start
// opened, and goes on to the End of that. What yield leaves of an element is skipped.
func (s *Scanner) Children(yield func(name string) bool) {
	for depth := s.Depth(); ; {
		switch s.Next() {
		case Start:
			child := s.Depth()
			if !yield(s.Name()) {
				return
			}
			s.leaveTo(child - 1)
		case End:
			if s.Depth() < depth {
				return
			}
		case EOF:
			return
		}
	}
}

// Descendants calls yield with the name of each element within the one that the last Start
// opened, however deep and in the order of their beginnings, and goes on to the End of it.
func (s *Scanner) Descendants(yield func(name string) bool) {
	for depth := s.Depth(); ; {
		kind := s.Next()
		if kind == EOF || s.Depth() < depth || kind == Start && !yield(s.Name()) || s.Depth() < depth {
			return
		}
	}
}

// All returns the text of the element that the last Start opened, at most so many bytes of
// it, and goes on to its End.
func (s *Scanner) All(most int) []byte {
	var all []byte
	for depth := s.Depth(); ; {
		switch s.Next() {
		case Text:
			all = append(all, s.text[:max(0, min(len(s.text), most-len(all)))]...)
		case End:
			if s.Depth() < depth {
				return all
			}
		case EOF:
			return all
		}
	}
}
