package overview

import (
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
)

// Agent is the job of a sub-agent in a list.
type Agent struct {
	ID         string       `json:"job_id"`
	Label      string       `json:"label"`
	Status     agent.Status `json:"status"`
	Queued     bool         `json:"queued,omitzero"`
	Reason     agent.Reason `json:"reason,omitzero"`
	Approval   string       `json:"approval,omitzero"` // id of the request that it waits for
	Iterations int          `json:"iterations"`
	Tokens     int64        `json:"tokens"`
	CreatedAt  time.Time    `json:"created_at"`
	StartedAt  *time.Time   `json:"started_at"`
	EndedAt    time.Time    `json:"ended_at,omitzero"`
	Task       string       `json:"task"` // its beginning
}

// AgentOf returns a job as lists show it.
func AgentOf(j *agent.Job) Agent {
	a := Agent{
		ID: j.ID, Label: j.Label, Status: j.Status, Queued: j.Queued, Reason: j.Reason, Approval: j.Approval,
		Iterations: j.Iterations, Tokens: j.Tokens, CreatedAt: j.CreatedAt, EndedAt: j.EndedAt, Task: FirstLine(j.Task),
	}
	if !j.StartedAt.IsZero() {
		a.StartedAt = &j.StartedAt
	}
	return a
}

// longestLine limits the characters of a task that a list shows.
const longestLine = 100

// FirstLine returns the first line of a text, cut to what a list has room for.
func FirstLine(text string) string {
	line, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(line)
	if len(runes) > longestLine {
		line, more = string(runes[:longestLine]), true
	}
	if more {
		line += " …"
	}
	return line
}
