package read

import (
	"bytes"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
)

// Limits of the images of one result.
const (
	mostImages  = 100
	imageBytes  = 10 << 20 // of one image
	galleryMost = 64 << 20 // of all of them together
)

// What becomes of the images of a document.
const (
	saveImages = "save"
	listImages = "list"
	noImages   = "none"
)

// gallery collects the images of a document. Those that the result shows are saved once
// it is known which these are: a part is read from the beginning, and images before the
// part are none of its own.
type gallery struct {
	call   *tool.Call
	images *artifact.Images // nil if they are only listed
	lines  func() int       // counts the lines that were written; nil if that is not known
	all    []framed
	held   int // bytes of the data
	large  int // images that were too large
}

// framed is an image and where it is.
type framed struct {
	Media
	data []byte
	line int // the number of lines before its block
}

// newGallery returns nil if no images are wanted.
func newGallery(call *tool.Call, mode string, lines func() int) *gallery {
	if mode == noImages {
		return nil
	}
	g := &gallery{call: call, lines: lines}
	if mode == listImages || call.Env.ReadOnly {
		return g
	}
	var err error
	if g.images, err = artifact.OpenImages(call); err != nil {
		g.warn(err)
	}
	return g
}

// reset forgets all images: the part is made anew.
func (g *gallery) reset() {
	if g != nil {
		g.all, g.held, g.large = nil, 0, 0
	}
}

// close closes the directory of the images.
func (g *gallery) close() {
	if g != nil && g.images != nil {
		if err := g.images.Close(); err != nil {
			g.warn(err)
		}
	}
}

// adder returns what a reader calls for each image; nil if no images are wanted.
func (g *gallery) adder() func(document.Image) string {
	if g == nil {
		return nil
	}
	return g.add
}

// add takes an image and returns the path under which it will be saved, "" if it will not.
func (g *gallery) add(i document.Image) (path string) {
	f := framed{Media: Media{MIME: i.MIME, Bytes: int64(len(i.Data)), Alt: i.Alt, Anchor: i.Anchor}, line: -1}
	f.Width, f.Height, _ = kind.ImageSize(i.MIME, bytes.NewReader(i.Data))
	if g.lines != nil {
		f.line = g.lines()
	}
	switch {
	case g.images == nil:
	case len(i.Data) > imageBytes:
		g.large++
	default:
		f.Path, f.data = g.images.Path(i.Data, i.MIME), i.Data
		for g.held += len(i.Data); g.held > galleryMost && g.drop(); {
		}
	}
	g.all = append(g.all, f)
	return f.Path
}

// drop forgets the data of the first image that has some: of a part in the middle of a
// document, that is one before the part.
func (g *gallery) drop() bool {
	for i := range g.all {
		if f := &g.all[i]; f.data != nil {
			g.held -= len(f.data)
			f.data = nil
			return true
		}
	}
	return false
}

func (g *gallery) warn(err error) {
	g.call.Warn(fault.T("images could not be saved: %s", fault.As(err).Message))
}

// hang saves the images of what is shown, which are the lines first to last, and returns
// all that are in it.
func (g *gallery) hang(content string, first, last int) (shown []Media) {
	if g == nil {
		return nil
	}
	seen := map[string]bool{}
	left, lost := 0, 0
	for i := range g.all {
		f := &g.all[i]
		switch {
		case f.Path == "" && f.line >= 0 && (f.line+2 < first || f.line >= last), f.Path != "" && !strings.Contains(content, f.Path), f.Path != "" && seen[f.Path]:
			continue
		case len(shown) == mostImages:
			left++
			continue
		case f.Path != "" && f.data == nil:
			lost++
			f.Path = ""
		case f.Path != "":
			seen[f.Path] = true
			if _, err := g.images.Save(f.data, f.MIME); err != nil {
				g.warn(err)
				f.Path = ""
			}
		}
		shown = append(shown, f.Media)
	}
	if left > 0 {
		g.call.Warn(fault.T("only the first %d of %d images are saved; read fewer pages at a time", mostImages, mostImages+left))
	}
	if n := g.large + lost; n > 0 {
		g.call.Warn(fault.T("%d images are too large to be saved", n))
	}
	return shown
}
