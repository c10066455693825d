package exec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/moves"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/confine"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/track/lineage"
	"github.com/helve-dev/helve/pkg/workspace"
)

// forecast lists the changes that commands of git make to what others obey.
type forecast struct {
	moves.Forecast
	asked []string // absolute paths that a person is asked about
}

// questionTime limits a question to git, and answerBytes its answer.
const (
	questionTime = 20 * time.Second
	answerBytes  = 64 << 20
)

// foreseeGit finds out what commands of git will change of what others obey, and adds to
// the judgement what is to be asked about: what comes from commits that were not there
// before the session, and what rules ask about or deny.
func (r *request) foreseeGit(ctx context.Context, call *tool.Call, j *tool.Judgement) error {
	if r.verdict.Risk == policy.Read {
		return nil
	}
	for _, c := range r.verdict.Unpacks {
		if len(c.Dirs) != 1 || !r.mayFind(c) {
			continue
		}
		one, err := r.gitWorld(call).Unpack(ctx, filepath.FromSlash(c.Dirs[0]), c.Args)
		if err != nil {
			return err
		}
		r.moves.Join(one)
	}
	known := slices.ContainsFunc(r.verdict.Git, func(c classify.GitCall) bool { return moves.Understands(c.Args) })
	if !known {
		r.askAbout(call, j)
		return nil
	}
	w := r.gitWorld(call)
	head := ""
	for _, c := range r.verdict.Git {
		if len(c.Dirs) != 1 || !r.mayFind(c) {
			continue // what is not foreseen is held by the sandbox
		}
		one, err := w.Foresee(ctx, moves.Call{Dir: filepath.FromSlash(c.Dirs[0]), Args: c.Args, Input: filepath.FromSlash(c.Input), Text: c.Text, Head: head})
		if err != nil {
			return err
		}
		if one.Head != "" {
			head = one.Head
		}
		r.moves.Join(one)
	}
	r.askAbout(call, j)
	return nil
}

// mayFind reports whether a command of git runs in the workspace.
func (r *request) mayFind(c classify.GitCall) bool {
	return workspace.WithinOS(filepath.FromSlash(c.Dirs[0]), r.Root.Dir())
}

// askAbout adds to the judgement the changes that a person is asked about.
func (r *request) askAbout(call *tool.Call, j *tool.Judgement) {
	alone := r.onlyGit()
	for i := range r.moves.Changes {
		c := &r.moves.Changes[i]
		rel, ok := workspace.RelOS(c.Path, r.Root.Dir())
		if !ok {
			continue
		}
		rel = filepath.ToSlash(rel)
		// Beside other programs, only the contents that commits have are let through unasked.
		c.Brought = c.Brought || c.Merged && !alone || call.Verdict(workspace.Escape(rel), schema.WritePath) != policy.Allow
		if !c.Brought {
			continue
		}
		r.moves.asked = append(r.moves.asked, c.Path)
		j.Paths = append(j.Paths, policy.Path{Path: workspace.Escape(rel), Use: schema.WritePath, Obeyed: true})
	}
	if flag := string(classify.Protected); len(r.moves.asked) > 0 && !slices.Contains(j.Flags, flag) {
		j.Flags = append(j.Flags, flag)
		slices.Sort(j.Flags)
	}
}

// onlyGit reports whether nothing but git is seen to write.
func (r *request) onlyGit() bool {
	v := r.verdict
	return !v.Rest.Risk.Worse(policy.Read) && !slices.ContainsFunc(v.Commands, func(c policy.Command) bool {
		return c.Risk != policy.Read && (len(c.Argv) == 0 || filepath.Base(c.Argv[0]) != "git")
	})
}

// gitWorld returns what the forecast needs to know.
func (r *request) gitWorld(call *tool.Call) moves.World {
	w := moves.World{
		Git: func(ctx context.Context, dir, input string, args ...string) (string, bool, error) {
			return r.askGit(ctx, call, dir, input, args)
		},
		List: func(ctx context.Context, dir string, argv ...string) (string, bool, error) {
			return r.question(ctx, call, dir, "", argv)
		},
		Wants:  func(abs string) bool { return r.guards(call, abs) },
		Doubts: r.Machine.Git.Trusted == "never",
	}
	if w.Doubts {
		return w
	}
	kept, err := call.Env.State()
	var known lineage.Known
	if err == nil {
		known, err = track.Workspace{Root: r.Root, State: kept}.Lineage()
	}
	w.Doubts, w.Tips = err != nil, known.Tips
	w.Had = func(abs, blob string) bool { return known.Versions[lineage.Version{Path: abs, Blob: blob}] }
	return w
}

// guards reports whether others obey a file of the workspace, or rules are about changing
// it.
func (r *request) guards(call *tool.Call, abs string) bool {
	rel, ok := workspace.RelOS(abs, r.Root.Dir())
	if !ok {
		return false
	}
	rel = filepath.ToSlash(rel)
	class, _ := workspace.Standing(rel)
	return class == workspace.Asked || call.Verdict(workspace.Escape(rel), schema.WritePath) != policy.Allow
}

// askGit has git answer a question. It may write nothing, and what the repository has it
// run for others does not run.
func (r *request) askGit(ctx context.Context, call *tool.Call, dir, input string, args []string) (out string, ok bool, err error) {
	return r.question(ctx, call, dir, input, append([]string{"git"}, args...))
}

// question has a program answer that writes nothing.
func (r *request) question(ctx context.Context, call *tool.Call, dir, input string, argv []string) (out string, ok bool, err error) {
	program := run.Look(argv[0], r.env)
	if program == "" || !r.trusted(program) {
		return "", false, nil
	}
	env, _ := run.Environment{
		Parent: r.Machine.Environ, Pass: r.Machine.Settings.Pass, Workspace: r.Root.Dir(), Dir: dir, ReadOnly: true, Sandboxed: r.Kind.Confines(),
		Set: []string{"LC_ALL=C"}, // the answers are read by words
	}.Build()
	var answer strings.Builder
	c := run.Command{Argv: append([]string{program}, argv[1:]...), Dir: dir, Env: env, Split: true, Raw: true, Timeout: questionTime, Stream: func(part run.Chunk) {
		if !part.Stderr && answer.Len() <= answerBytes {
			answer.Write(part.Data)
		}
	}}
	if input != "" {
		c.Stdin = strings.NewReader(input)
	}
	profile, err := r.Profile(call, confine.Grant{Risk: policy.Read, Network: sandbox.NoNetwork})
	if err != nil {
		return "", false, err
	}
	if c.Sandbox, err = native.New(profile, r.Support, r.Kind); err != nil {
		return "", false, err
	}
	end, err := run.Run(ctx, c)
	if err != nil {
		return "", false, err
	}
	return answer.String(), end.ExitCode == 0 && end.Ended == run.NoReason && answer.Len() <= answerBytes, nil
}

// changing returns what the command may change of what others obey.
func (r *request) changing() (all []sandbox.Changing) {
	for _, c := range r.moves.Changes {
		all = append(all, sandbox.Changing{Path: c.Path, Blobs: c.Blobs, Any: c.Merged})
	}
	return all
}

// pinned returns what a decision about the changes is bound to.
func (f forecast) pinned() (all []approval.Target) {
	for _, c := range f.Changes {
		sum := sha256.Sum256(fmt.Appendf(nil, "%q %t", c.Blobs, c.Merged))
		all = append(all, approval.Target{Path: c.Path + " (git)", SHA: hex.EncodeToString(sum[:])})
	}
	return all
}

// differences shows the changes that a person is asked about.
func (r *request) differences(ctx context.Context, call *tool.Call) (string, error) {
	var b strings.Builder
	b.WriteString("\n" + fault.T("it changes what other programs run or obey:").In(call.Env.Lang) + "\n")
	for _, path := range r.moves.asked {
		b.WriteString("  " + r.Shown(path) + "\n")
	}
	diff, err := r.moves.Diff(ctx, r.gitWorld(call))
	return b.String() + "\n" + diff, err
}

// keepTaken remembers the files that git takes away and may bring back.
func (r *request) keepTaken(ctx context.Context, call *tool.Call) error {
	if len(r.moves.Takes) == 0 {
		return nil
	}
	out, ok, err := r.askGit(ctx, call, r.dir, "", append([]string{"hash-object", "--"}, r.moves.Takes...))
	ids := strings.Fields(out)
	if err != nil || !ok || len(ids) != len(r.moves.Takes) {
		return err
	}
	kept, err := call.Env.State()
	if err != nil {
		return err
	}
	versions := make([]lineage.Version, len(ids))
	for i, id := range ids {
		versions[i] = lineage.Version{Path: r.moves.Takes[i], Blob: id}
	}
	return lineage.Record{State: kept, Root: r.Root.Dir()}.Keep(ctx, versions...)
}
