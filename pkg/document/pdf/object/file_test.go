package object_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
	"github.com/helve-dev/helve/pkg/fault"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(data []byte, password string) (*object.File, error) {
	return object.Open(bytes.NewReader(data), int64(len(data)), password)
}

// password returns one that opens a file of testdata for its readers.
func password(name string) string {
	switch {
	case strings.Contains(name, "umlaut"):
		return "Käse"
	case strings.HasPrefix(name, "rc4-") || strings.HasPrefix(name, "aes-"):
		return "user"
	}
	return ""
}

// notation writes an object as testdata/make.py does. Objects in others stay references.
func notation(f *object.File, v object.Value) string {
	entries := func(d object.Dict, skip ...object.Name) string {
		var keys []object.Name
		for key := range d {
			if !slices.Contains(skip, key) {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		var b strings.Builder
		for _, key := range keys {
			fmt.Fprintf(&b, "%s %s ", key, notation(f, d[key]))
		}
		return "<" + b.String() + ">"
	}
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v*1000, 10)
	case float64:
		return strconv.Itoa(int(math.RoundToEven(v * 1000)))
	case object.Name:
		return "/" + string(v)
	case object.String:
		return "(" + hex.EncodeToString(v) + ")"
	case object.Array:
		var b strings.Builder
		for _, element := range v {
			b.WriteString(notation(f, element) + " ")
		}
		return "[" + b.String() + "]"
	case object.Dict:
		return entries(v)
	case *object.Stream:
		data, rest, err := f.Data(v)
		if err != nil || rest != nil {
			return "image " + entries(v.Dict, "Length")
		}
		sum := sha256.Sum256(data)
		return entries(v.Dict, "Length", "Filter", "DecodeParms") + hex.EncodeToString(sum[:])
	case object.Ref:
		return "R" + strconv.Itoa(v.Num)
	}
	return fmt.Sprintf("%T", v)
}

// objects returns every object that pikepdf lists, by its number, as a sum of its notation.
func objects(f *object.File) map[string]string {
	all := make(map[string]string)
	for num := range 200 {
		v := f.Resolve(object.Ref{Num: num})
		switch v := v.(type) {
		case nil:
			continue
		case object.Dict:
			if v["Filter"] == object.Name("Standard") {
				continue
			}
		case *object.Stream:
			if v.Dict["Type"] == object.Name("XRef") || v.Dict["Type"] == object.Name("ObjStm") {
				continue
			}
		}
		sum := sha256.Sum256([]byte(notation(f, v)))
		all[strconv.Itoa(num)] = hex.EncodeToString(sum[:4])
	}
	return all
}

func judged(t *testing.T) map[string]map[string]string {
	t.Helper()
	var want map[string]map[string]string
	if err := json.Unmarshal(read(t, "pikepdf.json"), &want); err != nil {
		t.Fatal(err)
	}
	if len(want) < 15 {
		t.Fatalf("only %d files were judged", len(want))
	}
	return want
}

// Every object is what pikepdf reads: with the tables, and without them.
func TestObjects(t *testing.T) {
	for name, want := range judged(t) {
		t.Run(name, func(t *testing.T) {
			data := read(t, name)
			check := func(f *object.File, err error, rebuilt bool) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				got := objects(f)
				for num, sum := range want {
					if got[num] != sum {
						t.Errorf("object %s (tables ignored: %v): %.300s", num, rebuilt, notation(f, f.Resolve(object.Ref{Num: atoi(num)})))
					}
				}
				if len(got) != len(want) && !rebuilt {
					t.Errorf("%d objects, want %d", len(got), len(want))
				}
				if f.Rebuilt() != rebuilt {
					t.Errorf("rebuilt: %v", f.Rebuilt())
				}
			}
			f, err := open(data, password(name))
			check(f, err, false)
			lost := bytes.ReplaceAll(data, []byte("startxref"), []byte("startxxxx"))
			f, err = open(lost, password(name))
			check(f, err, true)
		})
	}
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// The owner's password opens what the user's does, and none opens what has none for its
// readers.
func TestPasswords(t *testing.T) {
	title := func(name, password string) (string, error) {
		f, err := open(read(t, name), password)
		if err != nil {
			return "", err
		}
		return f.Text(f.Dict(f.Trailer()["Info"])["Title"]), nil
	}
	for _, name := range []string{"rc4-40.pdf", "rc4-128.pdf", "rc4-v4.pdf", "aes-128.pdf", "aes-128-metadata.pdf", "aes-256-r5.pdf", "aes-256.pdf", "aes-256-umlaut.pdf"} {
		for _, pass := range []string{"owner", password(name)} {
			if got, err := title(name, pass); err != nil || got != "Grüße aus Köln" {
				t.Errorf("%s with %q: %q, %v", name, pass, got, err)
			}
		}
		withoutUser := name == "rc4-40.pdf" || name == "aes-128-metadata.pdf"
		for _, pass := range []string{"", "wrong"} {
			_, err := title(name, pass)
			if withoutUser && err != nil || !withoutUser && !fault.Is(err, fault.EncryptedDocument) {
				t.Errorf("%s with %q: %v", name, pass, err)
			}
		}
	}
	_, err := title("aes-256.pdf", "wrong")
	if !strings.Contains(err.Error(), "the password does not open") {
		t.Errorf("a wrong password: %v", err)
	}
}
