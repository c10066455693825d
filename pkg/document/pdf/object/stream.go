package object

import (
	"bytes"
	"errors"
)

// Limits of the bytes of streams.
const (
	maxInflate  = 64 << 20 // of one stream, decoded
	maxInflated = 1 << 30  // of all that are decoded
	maxFilters  = 8
)

// damage is the error of a stream whose data is incomplete.
type damage string

func (d damage) Error() string { return string(d) }

const (
	errBudget = damage("the streams of the file decode to too many bytes")
	errFilter = damage("the stream is damaged, or ends too early")
	errLarge  = damage("the stream decodes to too many bytes")
)

// Limited reports whether an error of [File.Data] comes from a limit: the stream is
// longer, and may be good.
func Limited(err error) bool {
	return errors.Is(err, errLarge) || errors.Is(err, errBudget)
}

// Data returns the decoded bytes of a stream. Filters of images (DCTDecode, JPXDecode,
// CCITTFaxDecode, JBIG2Decode) and unknown ones are left, and what follows one: rest
// names them, by their full names. With an error, it returns the data decoded before.
func (f *File) Data(s *Stream) (data []byte, rest []Name, err error) {
	return f.data(s, maxInflate)
}

// data decodes a stream to at most so many bytes.
func (f *File) data(s *Stream, most int64) (data []byte, rest []Name, err error) {
	if s == nil {
		return nil, nil, nil
	}
	names, parms := f.filters(s)
	data = f.raw(s)
	if f.crypt != nil && s.encoded && s.Dict["Type"] != Name("XRef") {
		data = f.crypt.stream(f, s, names, parms, data)
	}
	for i, name := range names {
		if i == maxFilters {
			return nil, names[i:], errFilter
		}
		limit := min(most, maxInflated-f.inflated)
		if limit <= 0 {
			return nil, names[i:], errBudget
		}
		decoded, known, e := f.decode(name, parms[i], data, int(limit))
		if !known {
			return data, names[i:], err
		}
		if name != "Crypt" {
			f.inflated += int64(len(decoded))
		}
		data = decoded
		if e != nil {
			err = e
		}
	}
	return data, nil, err
}

// Parms returns the parameters of a filter of a stream, by the filter's full name; nil if
// there are none.
func (f *File) Parms(s *Stream, filter Name) Dict {
	names, parms := f.filters(s)
	for i, name := range names {
		if name == filter {
			return parms[i]
		}
	}
	return nil
}

// filters returns the filters of a stream by their full names, and their parameters.
func (f *File) filters(s *Stream) ([]Name, []Dict) {
	filter, parms := f.Resolve(s.Dict["Filter"]), f.Resolve(s.Dict["DecodeParms"])
	if parms == nil {
		parms = f.Resolve(s.Dict["DP"])
	}
	if name, ok := filter.(Name); ok {
		if list, ok := parms.(Array); ok && len(list) > 0 {
			parms = list[0]
		}
		return []Name{fullFilter(name)}, []Dict{f.Dict(parms)}
	}
	list, all := f.Array(filter), f.Array(parms)
	var names []Name
	var dicts []Dict
	for i, v := range list {
		if i > maxFilters {
			break // Data refuses these
		}
		var d Dict
		if i < len(all) {
			d = f.Dict(all[i])
		} else if len(list) == 1 {
			d = f.Dict(parms)
		}
		names, dicts = append(names, fullFilter(f.Name(v))), append(dicts, d)
	}
	return names, dicts
}

// raw returns the bytes of a stream as they stand in the file. The length that the
// dictionary says is believed if endstream follows.
func (f *File) raw(s *Stream) []byte {
	if s.inline != nil || s.offset == 0 {
		return s.inline
	}
	claimed, known := f.Int(s.Dict["Length"])
	known = known && claimed >= 0 && claimed <= f.source.size-s.offset
	if known && f.endsAt(s.offset+claimed) {
		return f.source.read(s.offset, claimed)
	}
	end := f.search(s.offset, "endstream")
	if end < 0 {
		if end = f.search(s.offset, "endobj"); end < 0 {
			end = f.source.size
			if known {
				end = s.offset + claimed
			}
		}
		return f.source.read(s.offset, end-s.offset)
	}
	data := f.source.read(s.offset, end-s.offset)
	// The end of line before endstream does not belong to the data.
	data = bytes.TrimSuffix(data, []byte("\n"))
	return bytes.TrimSuffix(data, []byte("\r"))
}

// endsAt reports whether endstream, or endobj, stands at an offset, after white space.
func (f *File) endsAt(at int64) bool {
	w := f.source.window(at, 32)
	w = bytes.TrimLeft(w[:min(len(w), 32)], "\x00\t\n\f\r ")
	return bytes.HasPrefix(w, []byte("endstream")) || bytes.HasPrefix(w, []byte("endobj"))
}

// search returns the offset of a word in the file, from an offset on; -1 if there is none.
func (f *File) search(from int64, word string) int64 {
	step := int64(farBlock) // most streams are short
	for at := from; at < f.source.size && !f.Exhausted(); {
		w := f.source.window(at, step+int64(len(word)))
		w = w[:min(int64(len(w)), step+int64(len(word)))]
		if i := bytes.Index(w, []byte(word)); i >= 0 {
			f.work += int64(i)
			return at + int64(i)
		}
		f.work += int64(len(w))
		at += step
		step = min(4*step, 256<<10)
	}
	return -1
}
