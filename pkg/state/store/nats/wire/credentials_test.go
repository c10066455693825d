package wire

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"
)

// credentialsFile returns a file of credentials as nsc writes it.
func credentialsFile(t testing.TB) (text string, user nkeys.KeyPair) {
	t.Helper()
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	return "-----BEGIN NATS USER JWT-----\neyJ0.eyJq.c2ln\n------END NATS USER JWT------\n\n************************* IMPORTANT *************************\n" +
		"NKEY Seed printed below can be used to sign and prove identity.\n\n-----BEGIN USER NKEY SEED-----\r\n" + string(seed) + "\r\n------END USER NKEY SEED------\n", user
}

func TestCredentials(t *testing.T) {
	text, user := credentialsFile(t)
	c, err := ParseCredentials(text)
	if err != nil {
		t.Fatal(err)
	}
	if c.JWT != "eyJ0.eyJq.c2ln" {
		t.Error(c.JWT)
	}
	signature, err := base64.RawURLEncoding.DecodeString(c.sign("challenge"))
	if err != nil {
		t.Fatal(err)
	}
	if err := user.Verify([]byte("challenge"), signature); err != nil {
		t.Error(err)
	}
	if user.Verify([]byte("another"), signature) == nil {
		t.Error("the signature is of anything")
	}
}

func TestCredentialsRefused(t *testing.T) {
	text, _ := credentialsFile(t)
	account, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := account.Seed()
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(text, "\r\nSU") + 2
	other := byte('A')
	if text[at+20] == other {
		other = 'B'
	}
	for what, bad := range map[string]string{
		"nothing":      "",
		"no seed":      text[:strings.Index(text, "-----BEGIN USER")],
		"no token":     strings.Replace(text, "eyJ0.eyJq.c2ln", "", 1),
		"short":        strings.Replace(text, text[at:at+8], "SU", 1),
		"damaged":      text[:at+20] + string(other) + text[at+21:],
		"an account's": strings.Replace(text, text[at:at+58], string(seed), 1),
	} {
		if _, err := ParseCredentials(bad); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
}

func FuzzParseCredentials(f *testing.F) {
	text, _ := credentialsFile(f)
	f.Add(text)
	f.Add("-----BEGIN-----\na\n---END---\n---BEGIN---\nSU\n---END---")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCredentials(text)
		if err == nil && (len(c.seed) != 32 || c.JWT == "" || c.sign("x") == "") {
			t.Fatalf("%+v", c)
		}
	})
}
