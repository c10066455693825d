package git_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/shell/classify/git"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// read reads a command line whose words are separated by spaces; "$x" is one that
// the shell computes.
func read(line string) git.Call {
	var args []word.Word
	for field := range strings.FieldsSeq(line) {
		w := word.Literal(field)
		if field == "$x" {
			w = word.Word{Text: string(word.Hole), Source: field, Split: true}
		}
		args = append(args, w)
	}
	return git.Read(args)
}

func Example() {
	c := git.Read([]word.Word{word.Literal("-C"), word.Literal("../other"), word.Literal("reset"), word.Literal("--hard")})
	fmt.Println(c.Command, c.Dirs[0].Text)
	for _, e := range c.Does {
		switch e.Kind {
		case git.DiscardsStaged:
			fmt.Println("discards what is not committed")
		case git.Changes:
			fmt.Println("changes the repository")
		}
	}
	// Output:
	// reset ../other
	// discards what is not committed
	// changes the repository
}

// kinds are the kinds of effects of a command line.
func kinds(effects []git.Effect) []git.Kind {
	var all []git.Kind
	for _, e := range effects {
		all = append(all, e.Kind)
	}
	return all
}

func TestRead(t *testing.T) {
	type want struct {
		Command    string
		Reads      bool
		Runs, Does []git.Kind
	}
	changes := func(before ...git.Kind) []git.Kind { return append(before, git.Changes) }
	for line, w := range map[string]want{
		"":                             {},
		"--version":                    {},
		"-C":                           {},
		"status -sb":                   {Command: "status", Reads: true},
		"log --oneline -5":             {Command: "log", Reads: true},
		"diff HEAD -- a":               {Command: "diff", Reads: true, Does: []git.Kind{git.Reads}},
		"log --frobnicate":             {Command: "log", Reads: true, Does: []git.Kind{git.Unknown}},
		"diff --outp x":                {Command: "diff", Reads: true, Does: []git.Kind{git.Output, git.Writes, git.Reads}},
		"log --textconv":               {Command: "log", Reads: true, Runs: []git.Kind{git.Program}, Does: []git.Kind{git.Unknown}},
		"help":                         {Command: "help", Reads: true},
		"help log":                     {Command: "help", Reads: true, Does: []git.Kind{git.Evaluates, git.Reads}},
		"branch -vv":                   {Command: "branch"},
		"branch topic":                 {Command: "branch", Does: changes()},
		"branch -D topic":              {Command: "branch", Does: changes(git.Discards)},
		"branch -d topic":              {Command: "branch", Does: changes()},
		"branch -qD topic":             {Command: "branch", Does: changes(git.Discards)},
		"branch --dele --forc topic":   {Command: "branch", Does: changes(git.Discards)},
		"branch -dr origin/topic":      {Command: "branch", Does: changes(git.Discards)},
		"branch --sort=-committerdate": {Command: "branch"},
		"checkout -":                   {Command: "checkout", Does: changes()},
		"checkout - x":                 {Command: "checkout", Does: changes(git.DiscardsIf)},
		"stash list":                   {Command: "stash", Does: []git.Kind{git.Reads}},
		"stash drop":                   {Command: "stash", Does: changes(git.Discards)},
		"config user.name":             {Command: "config", Does: []git.Kind{git.Reads}},
		"config user.name x":           {Command: "config", Does: []git.Kind{git.Refused}},
		"frobnicate":                   {Command: "frobnicate", Does: []git.Kind{git.Refused}},
		"checkout -b x":                {Command: "checkout", Does: changes()},
		"checkout x":                   {Command: "checkout", Does: changes(git.DiscardsIf)},
		"checkout -- x":                {Command: "checkout", Does: changes(git.DiscardsChanges)},
		"checkout -q -- x y":           {Command: "checkout", Does: changes(git.DiscardsChanges)},
		"checkout --":                  {Command: "checkout", Does: changes(git.Discards)},
		"checkout HEAD -- x":           {Command: "checkout", Does: changes(git.Discards)},
		"checkout -f -- x":             {Command: "checkout", Does: changes(git.Discards)},
		"checkout $x -- x":             {Command: "checkout", Runs: []git.Kind{git.MayBeOption}, Does: changes(git.Discards)},
		"restore x":                    {Command: "restore", Does: changes(git.DiscardsChanges)},
		"restore -q -- -x":             {Command: "restore", Does: changes(git.DiscardsChanges)},
		"restore --staged x":           {Command: "restore", Does: changes()},
		"restore -S -W x":              {Command: "restore", Does: changes(git.Discards)},
		"restore -s HEAD~1 x":          {Command: "restore", Does: changes(git.Discards)},
		"restore --source=HEAD~1 x":    {Command: "restore", Does: changes(git.Discards)},
		"restore":                      {Command: "restore", Does: changes(git.Discards)},
		"clean -fd":                    {Command: "clean", Does: changes(git.DiscardsUntracked)},
		"clean -f x":                   {Command: "clean", Does: changes(git.DiscardsUntracked)},
		"clean -ffd":                   {Command: "clean", Does: changes(git.Discards)},
		"clean -f -f":                  {Command: "clean", Does: changes(git.Discards)},
		"clean -fdx":                   {Command: "clean", Does: changes(git.Discards)},
		"clean -fd -e x":               {Command: "clean", Does: changes(git.Discards)},
		"reset --hard":                 {Command: "reset", Does: changes(git.DiscardsStaged)},
		"reset -q --hard HEAD":         {Command: "reset", Does: changes(git.DiscardsStaged)},
		"reset --hard HEAD~1":          {Command: "reset", Does: changes(git.Discards)},
		"reset --hard HEAD x":          {Command: "reset", Does: changes(git.Discards)},
		"reset --merge":                {Command: "reset", Does: changes(git.Discards)},
		"reset":                        {Command: "reset", Does: changes()},
		"reset --har":                  {Command: "reset", Does: changes(git.Discards)},
		"init x":                       {Command: "init", Does: changes(git.WritesBelow)},
		"archive -o x HEAD":            {Command: "archive", Does: changes(git.Writes)},
		"clone https://x y":            {Command: "clone", Does: changes(git.Network, git.Writes)},
		"clone ext::x":                 {Command: "clone", Runs: []git.Kind{git.Transport}, Does: changes(git.Network)},
		"clone -u x y":                 {Command: "clone", Runs: []git.Kind{git.Evaluates}, Does: changes(git.Network, git.Writes)},
		"push":                         {Command: "push", Does: changes(git.Network, git.Publishes)},
		"submodule foreach x":          {Command: "submodule", Does: changes(git.Network, git.Submodules)},
		"bisect run make":              {Command: "bisect", Does: changes(git.Starts)},
		"worktree add x":               {Command: "worktree", Does: changes(git.Writes)},
		"log $x":                       {Command: "log", Reads: true, Runs: []git.Kind{git.MayBeOption}},
		"remote":                       {Command: "remote"},
		"remote -v":                    {Command: "remote"},
		"remote add x y":               {Command: "remote", Does: []git.Kind{git.Refused}},
		"tag":                          {Command: "tag"},
		"tag v1":                       {Command: "tag", Does: changes()},
		"tag -l v1":                    {Command: "tag", Does: []git.Kind{git.Reads}},
		"tag -d":                       {Command: "tag", Does: changes(git.Discards)},
		"tag -l -d v1":                 {Command: "tag", Does: changes(git.Discards)},
		"symbolic-ref HEAD":            {Command: "symbolic-ref", Does: []git.Kind{git.Reads}},
		"symbolic-ref -d HEAD":         {Command: "symbolic-ref", Does: []git.Kind{git.Refused}},
		"symbolic-ref HEAD refs/x":     {Command: "symbolic-ref", Does: []git.Kind{git.Refused}},
		"config get user.name":         {Command: "config", Does: []git.Kind{git.Reads, git.Reads}},
		"config list":                  {Command: "config", Does: []git.Kind{git.Reads}},
		"config --unset user.name":     {Command: "config", Does: []git.Kind{git.Refused}},
		"clean -f -d":                  {Command: "clean", Does: changes(git.DiscardsUntracked)},
		"stash pop":                    {Command: "stash", Does: changes()},
		"stash clear":                  {Command: "stash", Does: changes(git.Discards)},
		"notes add":                    {Command: "notes", Does: changes()},
		"notes remove":                 {Command: "notes", Does: changes(git.Discards)},
		"notes prune":                  {Command: "notes", Does: changes(git.Discards)},
		"lfs pull":                     {Command: "lfs", Does: changes(git.Network)},
		"lfs prune":                    {Command: "lfs", Does: changes(git.Network, git.Discards)},
		"lfs uninstall":                {Command: "lfs", Does: changes(git.Network, git.Discards)},
		"lfs migrate import":           {Command: "lfs", Does: changes(git.Network, git.Discards)},
		"worktree prune":               {Command: "worktree", Does: changes(git.Discards)},
		"bisect run":                   {Command: "bisect", Does: changes()},
		"branch -a":                    {Command: "branch"},
		"branch --format=x":            {Command: "branch"},
		"branch --format=x topic":      {Command: "branch", Does: changes()},
		"branch --unset-upstream":      {Command: "branch", Does: changes()},
		"branch -c":                    {Command: "branch", Does: changes()},
		"branch --track x y":           {Command: "branch", Does: changes()},
		"branch --delete topic":        {Command: "branch", Does: changes()},
		"branch --delete --remotes x":  {Command: "branch", Does: changes(git.Discards)},
		"checkout -b x y":              {Command: "checkout", Does: changes()},
		"checkout x y":                 {Command: "checkout", Does: changes(git.Discards)},
		"rm x":                         {Command: "rm", Does: changes(git.Discards)},
		"rm --cached x":                {Command: "rm", Does: changes()},
		"grep -O x":                    {Command: "grep", Reads: true, Runs: []git.Kind{git.Evaluates}, Does: []git.Kind{git.Reads}},
		"log -O x":                     {Command: "log", Reads: true, Does: []git.Kind{git.Reads}}, // a file that orders them
		"rebase -x make":               {Command: "rebase", Runs: []git.Kind{git.Evaluates}, Does: changes()},
		"cherry-pick -x y":             {Command: "cherry-pick", Does: changes()},
		"fetch -u x":                   {Command: "fetch", Does: changes(git.Network)},
		"log --gu":                     {Command: "log", Reads: true, Runs: []git.Kind{git.Program}, Does: []git.Kind{git.Unknown}},
		"log --o":                      {Command: "log", Reads: true, Does: []git.Kind{git.Unknown}},
		"ls-files -o x":                {Command: "ls-files", Reads: true, Does: []git.Kind{git.Reads}},
		"show -o x":                    {Command: "show", Reads: true, Does: []git.Kind{git.Writes, git.Reads}},
		"show -o":                      {Command: "show", Reads: true},
		"archive -o":                   {Command: "archive", Does: changes()},
		"archive --output=x HEAD":      {Command: "archive", Does: changes(git.Writes)},
		"commit --message=x":           {Command: "commit", Does: changes()},
		"bundle create x HEAD":         {Command: "bundle", Does: changes(git.WritesBelow, git.WritesBelow)},
		"-c":                           {Runs: []git.Kind{git.Unclear}},
		"-c $x log":                    {Runs: []git.Kind{git.Unclear}},
		"-c color.ui=always log":       {Command: "log", Reads: true},
		"-p color.ui=always log":       {Runs: []git.Kind{git.Unclear}},
		"$x":                           {Runs: []git.Kind{git.Unclear}},
		"--exec-path=x log":            {Runs: []git.Kind{git.Unclear}},
		"-c core.pager=less log":       {Runs: []git.Kind{git.Unclear}},
		"-c core.pager=cat -P log":     {Command: "log", Reads: true},
		"-c Alias.x=!id status":        {Runs: []git.Kind{git.Unclear}},
		"-c commit.gpgsign=true show":  {Runs: []git.Kind{git.Unclear}},
	} {
		c := read(line)
		if d := cmp.Diff(w, want{c.Command, c.Reads, kinds(c.Runs), kinds(c.Does)}); d != "" {
			t.Errorf("git %s: %s", line, d)
		}
	}
	if c := read("clean -f a b"); len(c.Does) != 2 || len(c.Does[0].Argv) != 2 {
		t.Errorf("clean deletes %+v", c.Does)
	}
	if c := read("bisect run rm -rf x"); len(c.Does) != 2 || len(c.Does[0].Argv) != 3 {
		t.Errorf("bisect starts %+v", c.Does)
	}
}

// TestWrites lists the files that options and operands name for output.
func TestWrites(t *testing.T) {
	for line, want := range map[string]string{
		"diff --output=x y": "x", "diff --output x y": "x", "diff --output": "", "format-patch -o x y": "x", "archive --output=x y": "x",
		"bundle create -q ../x": "../x", "init --bare x": "x", "clone https://x y": "y", "worktree add x y": "x",
	} {
		got := ""
		for _, e := range read(line).Does {
			if e.Kind == git.Writes || e.Kind == git.WritesBelow {
				got += e.Word.Text
			}
		}
		if got != want {
			t.Errorf("git %s writes %q, not %q", line, got, want)
		}
	}
}

// FuzzRead checks that git never reads less for being given more: an option that
// runs a program is seen among all others, and an operand behind "--" is none.
func FuzzRead(f *testing.F) {
	for _, line := range []string{"log -p a", "-C x status", "branch -a", "config --get x", "-c user.name=x commit -m y", "bisect run ls", "show $x"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c := read(line)
		if c.Command == "" || strings.Contains(line, "--") {
			return
		}
		if more := read(line + " --upload-pack=x"); !slices.Contains(kinds(more.Runs), git.Program) {
			t.Errorf("git %s: the option is not seen", line)
		}
		if more := read(line + " -- --upload-pack=x"); slices.Contains(kinds(more.Runs), git.Program) {
			t.Errorf("git %s: the operand is taken for an option", line)
		}
	})
}
