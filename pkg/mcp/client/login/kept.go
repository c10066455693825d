package login

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// grant is a person's authorization at a server: the token, and the configuration to
// refresh it.
type grant struct {
	URL    string        `json:"url"` // of the server that it is for
	Config oauth2.Config `json:"config"`
	Token  oauth2.Token  `json:"token"`
}

// kept is the file of a server's grant.
type kept struct{ Options }

// file names it by the server's address: a server that moves is another one, and gets
// nothing that was meant for the first.
func (k kept) file() string {
	sum := sha256.Sum256([]byte(k.URL))
	return "logins/" + hex.EncodeToString(sum[:16]) + ".json"
}

// read returns the grant; nil if there is none.
func (k kept) read() (*grant, error) {
	dir, err := k.State()
	if err != nil {
		return nil, err
	}
	text, err := dir.ReadFile(k.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	g, err := decode(text)
	if err != nil || g.URL != k.URL {
		return nil, k.unknown(err)
	}
	return g, nil
}

// decode reads a grant.
func decode(text []byte) (*grant, error) {
	g := &grant{}
	if err := json.Unmarshal(text, g); err != nil {
		return nil, err
	}
	if g.Token.AccessToken == "" {
		return nil, errors.New("no token")
	}
	return g, nil
}

// write keeps a grant.
func (k kept) write(ctx context.Context, g *grant) error {
	dir, err := k.State()
	if err != nil {
		return err
	}
	unlock, err := dir.Lock(ctx, k.file())
	if err != nil {
		return err
	}
	return errors.Join(k.put(dir, g), unlock())
}

// put writes a grant. The caller holds the lock.
func (k kept) put(dir *state.Dir, g *grant) error {
	g.URL = k.URL
	text, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return dir.WriteFile(k.file(), text)
}

func (k kept) remove() (bool, error) {
	dir, err := k.State()
	if err != nil {
		return false, err
	}
	unlock, err := dir.Lock(context.Background(), k.file())
	if err != nil {
		return false, err
	}
	_, err = dir.ReadFile(k.file())
	if errors.Is(err, fs.ErrNotExist) {
		return false, unlock()
	}
	return true, errors.Join(dir.Remove(k.file()), unlock())
}

// scopes returns what a login asks for: what the server wants, and what was granted
// before, so that a further right takes none away.
func (k kept) scopes(wanted []string) []string {
	g, err := k.read()
	if err != nil || g == nil {
		return wanted
	}
	all := slices.Clone(wanted)
	for _, s := range g.Config.Scopes {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// unknown is the fault of a server that does not know the person, or no more.
func (k kept) unknown(cause error) error {
	return fault.New(fault.NotConfigured, fault.T("the server %s wants the person to log in", k.Name)).
		WithHint(fault.T("ask the person to run: helve tools login %s", k.Name)).Because(cause)
}

// source is the tokens of a grant: the one that is kept, and a new one when it is about
// to end. Processes refresh one after another, as a refresh token may be good for one
// use.
type source struct {
	kept kept
	ctx  context.Context //nolint:containedctx // the interface takes none
}

// margin is the least remaining validity of a token that is used.
const margin = 30 * time.Second

// Token returns a token that is valid for a while.
func (s *source) Token() (*oauth2.Token, error) {
	g, err := s.kept.read()
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, s.kept.unknown(nil)
	}
	dir, err := s.kept.State()
	if err != nil {
		return nil, err
	}
	if s.fresh(dir, g) {
		return &g.Token, nil
	}
	unlock, err := dir.Lock(s.ctx, s.kept.file())
	if err != nil {
		return nil, err
	}
	t, err := s.refresh(dir)
	return t, errors.Join(err, unlock())
}

// fresh reports whether the token of a grant can be used, or cannot be made new.
func (s *source) fresh(dir *state.Dir, g *grant) bool {
	return g.Token.RefreshToken == "" || g.Token.Expiry.IsZero() || dir.Now().Add(margin).Before(g.Token.Expiry)
}

// refresh makes the token new, unless another process just did.
func (s *source) refresh(dir *state.Dir) (*oauth2.Token, error) {
	g, err := s.kept.read()
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, s.kept.unknown(nil)
	}
	if s.fresh(dir, g) {
		return &g.Token, nil
	}
	old := g.Token
	old.AccessToken, old.Expiry = "", time.Time{} // so that the library does not think it is valid
	ctx := context.WithValue(s.ctx, oauth2.HTTPClient, s.kept.HTTP)
	t, err := g.Config.TokenSource(ctx, &old).Token()
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && strings.HasPrefix(refused.ErrorCode, "invalid_") {
		return nil, s.kept.unknown(errors.New(reason(err)))
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, fault.T("%s: the login could not be renewed: %s", s.kept.Name, reason(err))).
			WithHint(fault.T("try again later")).Because(err)
	}
	g.Token = *t
	return t, s.kept.put(dir, g)
}
