package moves

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

func (p *plan) am(args []string) {
	l := split(args, "-C -p --directory --exclude --include --patch-format --resolvemsg --whitespace")
	switch {
	case l.has("--quit --show-current-patch"):
		return
	case l.has("--abort"):
		p.overwrites("HEAD", nil)
		if commit := p.commit("ORIG_HEAD"); commit != "" {
			p.goes(commit, true)
		}
		return
	case l.has("--continue --resolved -r --skip"):
		p.overwrites("HEAD", nil)
		p.patches(p.git.Mails("rebase-apply"), nil)
		return
	}
	files := p.named(append(l.operands, l.paths...))
	p.patches(files, where(l))
	if l.has("-3 --3way") || p.setting("am.threeWay") == "true" {
		for _, file := range files {
			text := p.call.Text
			if file = cmp.Or(file, p.call.Input); file != "" {
				text = gitdir.Text(file)
			}
			p.followsPatch(text)
		}
	}
}

// followsPatch adds the files in HEAD that have the content, but not the name, of one that a
// patch changes: a merge takes the changes there.
func (p *plan) followsPatch(text string) {
	out, ok := p.run("ls-tree", "-r", "-z", "--full-tree", "HEAD")
	if !ok {
		return
	}
	there := map[string]string{} // blobs by path
	for one := range strings.SplitSeq(out, "\x00") {
		if about, path, ok := strings.Cut(one, "\t"); ok {
			there[path] = about[strings.LastIndexByte(about, ' ')+1:]
		}
	}
	old := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if ids, ok := strings.CutPrefix(line, "index "); ok {
			old, _, _ = strings.Cut(ids, "..")
		}
		name, ok := strings.CutPrefix(line, "--- a/")
		if _, same := there[name]; !ok || same || len(old) < shortestID {
			continue
		}
		for _, path := range slices.Sorted(maps.Keys(there)) { // an approval is bound to their order
			if strings.HasPrefix(there[path], old) {
				p.change(p.top, path, true, true)
			}
		}
	}
}

// shortestID is the length from which on git lets a prefix stand for an id.
const shortestID = 4

func (p *plan) apply(args []string) {
	l := split(args, "-C -p --directory --exclude --include --whitespace --build-fake-ancestor")
	if l.has("--cached") || l.has("--check --stat --numstat --summary --build-fake-ancestor") && !l.has("--apply") {
		return
	}
	p.patches(p.named(append(l.operands, l.paths...)), where(l))
}

// where returns the options that say where the paths of a patch lead.
func where(l line) (options []string) {
	if value, ok := l.value("-p"); ok {
		options = append(options, "-p"+value)
	}
	if value, ok := l.value("--directory"); ok {
		options = append(options, "--directory="+value)
	}
	return options
}

// named returns the files of patches that words name, "" for the standard input.
func (p *plan) named(names []string) (files []string) {
	for _, name := range names {
		if name == "-" {
			files = append(files, "")
		} else {
			files = append(files, join(p.dir, name))
		}
	}
	if len(names) == 0 {
		files = append(files, "")
	}
	return files
}

// patches adds the changes that patches in files make.
func (p *plan) patches(files, options []string) {
	for _, file := range files {
		input := ""
		if file == "" {
			input, file = p.call.Text, p.call.Input
		}
		if input == "" && file == "" {
			continue
		}
		brought := false
		for _, back := range [][]string{nil, {"-R"}} { // backwards, it names the files that go
			args := words([]string{"apply", "--numstat", "-z"}, options, back)
			if file != "" {
				args = append(args, "--", file)
			}
			out, ok := p.ask(input, args...)
			if !ok {
				continue
			}
			for one := range strings.SplitSeq(out, "\x00") {
				if fields := strings.SplitN(one, "\t", 3); len(fields) == 3 {
					before := len(p.f.Brought())
					for _, top := range slices.Compact([]string{p.top, p.dir}) {
						p.change(top, fields[2], true, true)
					}
					brought = brought || len(p.f.Brought()) > before
				}
			}
		}
		if brought {
			text := input
			if file != "" {
				text = gitdir.Text(file)
			}
			p.f.shows = append(p.f.shows, show{text: text})
		}
	}
}
