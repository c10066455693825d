package object

import (
	"fmt"
	"strings"
	"testing"
)

// A file whose attachments alone are encrypted opens without a password.
func TestAttachmentsEncrypted(t *testing.T) {
	t.Parallel()
	for crypt, opens := range map[string]bool{
		"/StmF/Identity/StrF/Identity/EFF/StdCF": true,
		"/StmF/StdCF/StrF/StdCF/EFF/StdCF":       false,
		"/StmF/StdCF/StrF/Identity/EFF/StdCF":    false,
	} {
		text := fmt.Sprintf("%%PDF-2.0\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Type/Page>>endobj 3 0 obj(plain)endobj\n"+
			"4 0 obj<</Filter/Standard/V 5/R 6/O(short)/U(short)/CF<</StdCF<</CFM/AESV3/AuthEvent/EFOpen>>>>%s>>endobj trailer<</Root 1 0 R/Encrypt 4 0 R>>", crypt)
		f, err := Open(strings.NewReader(text), int64(len(text)), "")
		if opens != (err == nil) {
			t.Errorf("%s: %v", crypt, err)
		}
		if err == nil && f.Text(Ref{Num: 3}) != "plain" {
			t.Errorf("%s: %q", crypt, f.Text(Ref{Num: 3}))
		}
	}
}
