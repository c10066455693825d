package tool

// Pictured is a result with images for the caller's model to see, such as the file that
// was read. There are none unless [Env.Pictures] asks for them.
type Pictured interface{ Pictures() []Picture }

// Picture is an image for a model.
type Picture struct {
	Name string // what it shows, such as the path of its file
	MIME string // image/png, image/jpeg or image/webp
	Data []byte
}

// PictureFit is the size of image that a model makes use of. Larger ones cost time and are
// scaled down at the provider. The zero value stands for a model that sees no images.
type PictureFit struct {
	Long, Short int // the most pixels of the longer and of the shorter edge
	Bytes       int // the most bytes of a file
}
