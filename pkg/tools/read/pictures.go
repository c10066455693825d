package read

import (
	"io"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/picture"
	"github.com/helve-dev/helve/pkg/tool"
)

// mostPictures limits the images that one result shows to a model.
const mostPictures = 20

// Pictures returns the images that were read, for the model to see.
func (r Result) Pictures() []tool.Picture {
	all := r.pictures
	for _, f := range r.Files {
		if f.Result != nil {
			all = append(all, f.Result.pictures...)
		}
	}
	return all
}

// show adds an image to the pictures, if the model takes any.
func (r *Result) show(call *tool.Call, in io.Reader, size int64, name, mime string) error {
	fit := call.Home.Pictures
	if fit == (tool.PictureFit{}) {
		return nil
	}
	if size > picture.MaxFile {
		return fault.New(fault.TooLarge, fault.T("the file has %d bytes; the limit is %d", size, picture.MaxFile))
	}
	data, err := io.ReadAll(io.LimitReader(in, picture.MaxFile))
	if err != nil {
		return fault.System(err, name)
	}
	p, err := picture.Make(data, mime, picture.Fit(fit))
	if err != nil {
		return err
	}
	r.pictures = append(r.pictures, tool.Picture{Name: name, MIME: p.MIME, Data: p.Data})
	return nil
}
