package rtf

import (
	"github.com/helve-dev/helve/pkg/document"
)

// maxPicture limits the size of a picture, in bytes.
const maxPicture = 32 << 20

// pict is a picture that is being read.
type pict struct {
	mime string
	data []byte
	half int // 1 + the first digit of a byte
	alt  string
}

func (p *pict) add(b []byte) {
	p.data = append(p.data, b[:min(len(b), max(0, maxPicture-len(p.data)))]...)
}

// hex adds bytes that are written as digits.
func (p *pict) hex(text []byte) {
	for _, c := range text {
		v := hexValue(c)
		switch {
		case v < 0 || len(p.data) >= maxPicture:
		case p.half == 0:
			p.half = v + 1
		default:
			p.data = append(p.data, byte((p.half-1)<<4|v))
			p.half = 0
		}
	}
}

// pictureWord acts on a control word of a picture: its type or its form.
func (r *reader) pictureWord(word string) bool {
	switch word {
	case "pngblip":
		r.pict.mime = "image/png"
	case "jpegblip":
		r.pict.mime = "image/jpeg"
	case "emfblip":
		r.pict.mime = "image/emf"
	case "wmetafile":
		r.pict.mime = "image/wmf"
	case "dibitmap", "wbitmap", "macpict", "pmmetafile":
		r.pict.mime = "" // no program of today shows it
	default:
		return false
	}
	return true
}

// showPicture puts the picture that ended into the paragraph.
func (r *reader) showPicture() {
	p := r.pict
	r.pict = pict{}
	if _, shown := r.look(); !shown || p.mime == "" || len(p.data) == 0 || r.st.to == marker {
		return
	}
	r.p.in.Raw(r.q.Show(document.Image{MIME: p.mime, Data: p.data, Alt: p.alt}))
	r.p.prose = true
}
