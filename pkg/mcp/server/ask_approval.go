package server

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

const (
	// approvalKey names the question about a call among those of a result.
	approvalKey = "approval"
	// decidedBy is who decided about a request, as its record has it.
	decidedBy = "mcp client"

	// What a person is shown of a call at most, so that they still read it: the lines and
	// the characters.
	maxLines, maxShown = 60, 4000
	// maxReason is the longest reason that a person can give, in characters.
	maxReason = 2000
)

// The decisions that a person can choose from.
const (
	allow        = "allow"
	allowSession = "allow_session"
	deny         = "deny"
)

// elicitation returns the form in which a client puts a request to its person.
func elicitation(r *approval.Request, lang fault.Lang) *mcp.ElicitParams {
	type property struct {
		Type        string   `json:"type"`
		Title       string   `json:"title"`
		Description string   `json:"description"`
		Enum        []string `json:"enum,omitempty"`
		MaxLength   int      `json:"maxLength,omitzero"`
	}
	return &mcp.ElicitParams{
		Mode:    "form",
		Message: message(r, lang),
		RequestedSchema: schema.Document{
			{Name: "type", Value: "object"},
			{Name: "properties", Value: schema.Document{
				{Name: "decision", Value: property{
					Type: "string", Enum: []string{allow, allowSession, deny}, Title: fault.T("decision").In(lang),
					Description: fault.T("allow it once, allow the same call for the rest of the session, or deny it").In(lang),
				}},
				{Name: "reason", Value: property{
					Type: "string", MaxLength: maxReason, Title: fault.T("reason").In(lang),
					Description: fault.T("if you deny it: why, and what to do instead; the model reads this").In(lang),
				}},
			}},
			{Name: "required", Value: []string{"decision"}},
		},
	}
}

// message returns what a person reads before they decide. It hides nothing: see
// [approval.Visible].
func message(r *approval.Request, lang fault.Lang) string {
	var b strings.Builder
	oneLine := func(s string) string { return strings.ReplaceAll(approval.Visible(s), "\n", `\n`) }
	b.WriteString(fault.T("allow this call? %s (%s)", oneLine(r.Tool), oneLine(string(r.Risk))).In(lang) + "\n")
	for _, why := range r.Reasons {
		b.WriteString("- " + oneLine(why.In(lang)) + "\n")
	}
	b.WriteString("\n" + r.Excerpt(maxLines, maxShown, lang))
	return b.String()
}

// decision asks the person about a request while the call goes on, and returns what they
// or somebody elsewhere decided, whoever is first.
func (s *Server) decision(ctx context.Context, c *call, q *question) (given, error) {
	store, err := s.Approvals()
	if err != nil {
		return given{}, err
	}
	asking, stop := context.WithCancel(ctx)
	defer stop()
	g := given{answers: q.Answers, state: q.State}
	settled := make(chan struct{})
	go func() {
		defer close(settled)
		if _, err := store.Wait(asking, q.Approval); err == nil {
			stop() // also once it has expired
		}
	}()
	form, _ := q.requests[approvalKey].(*mcp.ElicitParams)
	asked := c.env.Now()
	c.asks.Store(q.Approval)
	defer c.asks.Store("")
	said, err := c.Session.Elicit(asking, form)
	stop()
	<-settled
	if ctx.Err() != nil {
		return given{}, context.Cause(ctx)
	}
	if err != nil {
		s.Log.Warn("the client did not ask its person", "request", q.Approval, "err", err)
		said = &mcp.ElicitResult{Action: "cancel"}
	}
	return s.answered(ctx, g, q.Approval, reply{said, c.env.Now().Sub(asked)})
}

// byItself is the time in which no person reads a question and answers it: a client that
// declines so soon has asked nobody.
const byItself = 500 * time.Millisecond

// reply holds the answer of a client to a question, and the time that it took.
type reply struct {
	mcp.InputResponse
	took time.Duration
}

// nobody reports whether the client declined without asking anybody.
func (r reply) nobody() bool {
	e, _ := r.InputResponse.(*mcp.ElicitResult)
	return e != nil && e.Action == "decline" && len(e.Content) == 0 && r.took < byItself
}

// answered records what a person answered about a request, and returns what the call goes
// on with. Only the answer to an elicitation decides anything. No answer at all has the
// person asked again. A decision that was made elsewhere meanwhile stands, unless the
// person denies the call and it has not been carried out.
func (s *Server) answered(ctx context.Context, g given, id string, r reply) (given, error) {
	store, err := s.Approvals()
	if err != nil {
		return given{}, err
	}
	request, err := store.Get(id)
	if err != nil {
		return given{}, err
	}
	answer, ok := answerOf(r.InputResponse)
	switch {
	case r.nobody() && request.State == approval.Pending:
		no := fault.T("the client declined by itself, without asking a person")
		return given{ends: &guard.Outcome{Err: request.Required(s.Lang), Warnings: []fault.Text{no}}}, nil
	case answer.Decided && !answer.Allow:
		_, err = store.Deny(ctx, id, decidedBy, answer.Reason)
	case request.State != approval.Pending:
	case r.InputResponse == nil:
		return g, nil
	case !ok:
		no := fault.T("what the client answered is no decision")
		return given{ends: &guard.Outcome{Err: request.Required(s.Lang), Warnings: []fault.Text{no}}}, nil
	case !answer.Decided:
		return given{ends: &guard.Outcome{Err: request.Required(s.Lang)}}, nil
	case answer.Scope == approval.Session:
		_, err = store.ApproveSession(ctx, id, decidedBy)
	default:
		_, err = store.Approve(ctx, id, decidedBy)
	}
	if err != nil && !fault.Is(err, fault.ApprovalInvalid) { // else somebody was faster, and that stands
		return given{}, err
	}
	g.approval = id
	return g, nil
}

// answerOf reads the answer to [elicitation]; ok is false if it is none that the form
// allows.
func answerOf(response mcp.InputResponse) (a approval.Answer, ok bool) {
	e, _ := response.(*mcp.ElicitResult)
	switch {
	case e == nil:
		return a, false
	case e.Action == "cancel":
		return a, true
	case e.Action == "decline":
		return approval.Answer{Decided: true}, true
	case e.Action != "accept":
		return a, false
	}
	var decision, reason string
	for name, value := range e.Content {
		text, is := value.(string)
		switch {
		case is && name == "decision":
			decision = text
		case is && name == "reason" && utf8.RuneCountInString(text) <= maxReason:
			reason = text
		default:
			return a, false
		}
	}
	switch decision {
	case allow:
		return approval.Answer{Decided: true, Allow: true}, true
	case allowSession:
		return approval.Answer{Decided: true, Allow: true, Scope: approval.Session}, true
	case deny:
		return approval.Answer{Decided: true, Reason: reason}, true
	}
	return a, false
}
