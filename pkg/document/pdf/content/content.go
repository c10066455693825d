// Package content runs the content streams of PDF pages and collects the glyphs that they
// show: ISO 32000-2, 7.8, 8 and 9.
package content

import (
	"context"
	"errors"
	"fmt"

	"github.com/helve-dev/helve/pkg/document/pdf/font"
	"github.com/helve-dev/helve/pkg/document/pdf/layout"
	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// Limits of a page, and of what is kept between pages.
const (
	maxOperators = 5_000_000 // of a page
	maxGlyphs    = 150_000   // of a page
	maxContent   = 128 << 20 // bytes of a page and its forms, each time that they are run
	maxForms     = 12        // within one another
	maxStates    = 256       // saved
	maxMarks     = 256       // marked content within one another
	maxOperands  = 4096      // before one operator
	maxFontBytes = 48 << 20  // of fonts, kept
	maxFormBytes = 16 << 20  // of decoded forms, kept
)

// glyphWork is the work of a glyph in operators, with that of its layout.
const glyphWork = 10

// ErrTooMuch is returned for a page that exceeds a limit. What was collected is good.
var ErrTooMuch = errors.New("the page holds more than can be read")

// Interpreter runs the content of the pages of one file, and keeps what they share.
type Interpreter struct {
	file   *object.File
	fonts  map[object.Ref]*font.Font
	forms  map[object.Ref][]byte
	kept   int                 // bytes of forms
	loaded int                 // bytes of fonts
	hidden map[object.Ref]bool // optional content that is off
	work   int                 // of the pages that were run, in operators
}

// New returns an interpreter of a file. hidden are the optional content groups that are not
// shown.
func New(file *object.File, hidden map[object.Ref]bool) *Interpreter {
	return &Interpreter{file: file, hidden: hidden, fonts: map[object.Ref]*font.Font{}, forms: map[object.Ref][]byte{}}
}

// Work returns how much work the pages took that were run, in operators.
func (i *Interpreter) Work() int { return i.work }

// Page is the content of one page.
type Page struct {
	Glyphs []layout.Glyph
	Images int // that are shown
	Opaque int // glyphs of which nothing says what they mean
}

// run is one page being run.
type run struct {
	*Interpreter
	ctx       context.Context
	page      Page
	operators int
	bytes     int          // of content
	open      []object.Ref // forms that are being run
	state     state
	saved     []state
	unsaved   int // states beyond maxStates, whose Q restores nothing
	marks     []mark
	covered   int                        // marks that hide what is in them
	named     map[object.Name]*font.Font // the fonts that this content stream has used
}

// state is the graphics state, as far as text needs it: 8.4.1, 9.3.
type state struct {
	ctm       Matrix
	font      *font.Font
	size      float64
	charSpace float64
	wordSpace float64
	scale     float64 // horizontal; 1 is 100 %
	leading   float64
	rise      float64
	text      Matrix // the text matrix
	line      Matrix // the text line matrix
}

// Run runs a page's content. base leads from its user space to points, y upwards, as the
// page is looked at. annotations are forms that are shown above the page. With an error,
// it returns the content collected before.
func (i *Interpreter) Run(ctx context.Context, resources object.Dict, data []byte, base Matrix, annotations []Form) (page Page, err error) {
	r := &run{Interpreter: i, ctx: ctx}
	defer func() {
		i.work += r.operators + glyphWork*len(r.page.Glyphs)
		if p := recover(); p != nil { // something in the file that is not expected here
			page, err = r.page, fmt.Errorf("panic: %v", p)
		}
	}()
	r.state = state{ctm: base, scale: 1, text: identity, line: identity}
	err = r.stream(resources, data)
	for _, a := range annotations {
		if err != nil {
			break
		}
		r.state = state{ctm: a.Matrix.Times(base), scale: 1, text: identity, line: identity}
		r.saved, r.unsaved, r.marks, r.covered = nil, 0, nil, 0
		err = r.form(a.Stream, a.Ref, resources)
	}
	return r.page, err
}

// Form is a form with where it stands.
type Form struct {
	Stream *object.Stream
	Ref    object.Ref
	Matrix Matrix
}

// stream runs a content stream.
func (r *run) stream(resources object.Dict, data []byte) error {
	if r.bytes += len(data); r.bytes > maxContent {
		return ErrTooMuch
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	outer := r.named
	r.named = map[object.Name]*font.Font{}
	defer func() { r.named = outer }()
	lexer := object.NewLexer(data)
	operands := make([]object.Value, 0, 16)
	for {
		v, ok := lexer.Next()
		if !ok {
			return nil
		}
		operator, ok := v.(object.Operator)
		if !ok {
			if len(operands) < maxOperands {
				operands = append(operands, v)
			}
			continue
		}
		if r.operators++; r.operators > maxOperators || len(r.page.Glyphs) > maxGlyphs {
			return ErrTooMuch
		}
		if r.operators&0xfff == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if err := r.operate(operator, operands, resources); err != nil {
			return err
		}
		operands = operands[:0]
	}
}

// num returns the operand i from the end, 0 if there is none.
func num(operands []object.Value, i int) float64 {
	if i = len(operands) - 1 - i; i < 0 {
		return 0
	}
	switch v := operands[i].(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// matrixOperand returns the last six operands.
func matrixOperand(operands []object.Value) Matrix {
	m := Matrix{}
	for i := range m {
		m[i] = num(operands, 5-i)
	}
	return m
}

// last returns the last operand, nil if there is none.
func last(operands []object.Value) object.Value {
	if len(operands) == 0 {
		return nil
	}
	return operands[len(operands)-1]
}

// operate runs one operator: annex A. Those that draw are passed over.
func (r *run) operate(operator object.Operator, operands []object.Value, resources object.Dict) error {
	s := &r.state
	switch operator {
	case "q":
		if len(r.saved) < maxStates {
			r.saved = append(r.saved, *s)
		} else {
			r.unsaved++
		}
	case "Q":
		if r.unsaved > 0 {
			r.unsaved--
		} else if n := len(r.saved); n > 0 {
			text, line := s.text, s.line
			*s = r.saved[n-1]
			s.text, s.line = text, line // they are no part of the graphics state
			r.saved = r.saved[:n-1]
		}
	case "cm":
		s.ctm = matrixOperand(operands).Times(s.ctm)
	case "BT":
		s.text, s.line = identity, identity
	case "Tf":
		s.size = num(operands, 0)
		if len(operands) >= 2 {
			if name, ok := operands[len(operands)-2].(object.Name); ok {
				s.font = r.font(resources, name)
			}
		}
		return r.ctx.Err() // reading a font may take long
	case "gs":
		if name, ok := last(operands).(object.Name); ok {
			r.parameters(r.file.Dict(r.file.Dict(resources["ExtGState"])[name]))
		}
	case "Tc":
		s.charSpace = num(operands, 0)
	case "Tw":
		s.wordSpace = num(operands, 0)
	case "Tz":
		s.scale = num(operands, 0) / 100
	case "TL":
		s.leading = num(operands, 0)
	case "Ts":
		s.rise = num(operands, 0)
	case "Td":
		s.next(num(operands, 1), num(operands, 0))
	case "TD":
		s.leading = -num(operands, 0)
		s.next(num(operands, 1), num(operands, 0))
	case "Tm":
		s.line = matrixOperand(operands)
		s.text = s.line
	case "T*":
		s.next(0, -s.leading)
	case "Tj":
		r.show(last(operands))
	case "'":
		s.next(0, -s.leading)
		r.show(last(operands))
	case "\"":
		s.wordSpace, s.charSpace = num(operands, 2), num(operands, 1)
		s.next(0, -s.leading)
		r.show(last(operands))
	case "TJ":
		list, _ := last(operands).(object.Array)
		for _, v := range list {
			r.adjust(v)
		}
	case "BMC":
		r.begin(nil)
	case "BDC":
		r.begin(r.mark(operands, resources))
	case "EMC":
		r.end()
	case "EI":
		r.page.Images++
	case "Do":
		if name, ok := last(operands).(object.Name); ok {
			return r.do(resources, name)
		}
	}
	return nil
}

// next moves to the start of another line.
func (s *state) next(x, y float64) {
	s.line = Matrix{1, 0, 0, 1, x, y}.Times(s.line)
	s.text = s.line
}

// parameters sets what a graphics state parameter dictionary says of text: the font.
func (r *run) parameters(dict object.Dict) {
	list := r.file.Array(dict["Font"])
	if len(list) == 2 {
		r.state.size, _ = r.file.Number(list[1])
		r.state.font = r.load(list[0])
	}
}

// font returns a font of the resources by its name, nil if there is none.
func (r *run) font(resources object.Dict, name object.Name) *font.Font {
	f, ok := r.named[name]
	if !ok {
		f = r.load(r.file.Dict(resources["Font"])[name])
		r.named[name] = f
	}
	return f
}

// load returns the font that a value describes, nil if it describes none.
func (r *run) load(v object.Value) *font.Font {
	ref, shared := v.(object.Ref)
	if f, ok := r.fonts[ref]; ok && shared {
		return f
	}
	dict := r.file.Dict(v)
	if dict == nil {
		return nil
	}
	f := font.New(r.file, dict)
	if shared {
		if r.loaded += f.Bytes(); r.loaded > maxFontBytes {
			clear(r.fonts)
			r.loaded = f.Bytes()
		}
		r.fonts[ref] = f
	}
	return f
}
