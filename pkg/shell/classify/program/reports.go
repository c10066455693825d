package program

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// The programs here rule the system, its services or containers, and report on them
// with some subcommands or options. What is not listed changes something.

var journalOptions = options{
	"abcefgklmnopqrstuxANFPSTU0123456789",
	"all boot catalog pager-end follow grep= dmesg lines= merge no-full no-pager no-tail output= priority= quiet reverse since= until= unit= user-unit= user " +
		"system utc full identifier= case-sensitive? list-boots disk-usage header no-hostname fields field=",
}

// journalChanges are the options by which journalctl deletes or rewrites what it
// keeps, or reads from somewhere else.
var journalChanges = options{
	"DM",
	"vacuum-size= vacuum-time= vacuum-files= rotate flush sync relinquish-var smart-relinquish-var setup-keys update-catalog cursor-file= directory= root= " +
		"image= machine= file=",
}

func systemctlCommands() []Row {
	return []Row{
		{
			names: "status show list-units list-unit-files list-timers list-sockets list-jobs list-dependencies is-active is-enabled is-failed get-default",
			harmless: options{
				"alqp:t:n:o:",
				"all full failed no-pager no-legend plain quiet value user system property= type= state= lines= output= recursive reverse",
			},
			runs: options{"H:M:", "host= machine= root= image="}, operands: words,
		},
		{does: scheduled, operands: words},
	}
}

func containerCommands() []Row {
	const list = "all filter= format= no-trunc quiet size last= latest digests tree"
	return []Row{
		{names: "ps images", harmless: options{"aqsln:f:", list}, operands: words},
		{names: "logs", harmless: options{"ftn:", "follow tail= timestamps since= until= details"}, operands: words},
		{names: "inspect port top diff history", harmless: options{"fsqH", "format= size type= no-trunc quiet human"}, operands: words},
		{names: "version info", harmless: options{"f:", "format="}, operands: words},
		{names: "stats", harmless: options{"a", "all format= no-stream no-trunc"}, operands: words},
		{names: "container image volume network context system", commands: []Row{
			{names: "ls list ps inspect df logs show", harmless: options{"aqsf:v", list + " verbose"}, operands: words},
			{does: containers, operands: words},
		}},
		{names: "compose", commands: composeCommands()},
		{does: containers, operands: words},
	}
}

func composeCommands() []Row {
	return []Row{
		{names: "config convert", does: hidden, operands: words}, // it may fetch what a project includes
		{names: "ps ls images top port version", harmless: options{"aq", "all quiet format= filter= status= services"}, operands: words},
		{names: "logs", harmless: options{"ftn:", "follow tail= timestamps since= until= no-color no-log-prefix"}, operands: words},
		{does: containers, operands: words},
	}
}

// clusterCommands reach the cluster that the person has chosen. Another configuration
// may name programs that kubectl starts.
func clusterCommands() []Row {
	harmless := options{
		"Awfpo:n:l:L:c:",
		"all-namespaces watch output= namespace= selector= show-labels field-selector= sort-by= no-headers context= cluster= follow previous tail= since= " +
			"timestamps container= all-containers ignore-not-found show-kind chunk-size= request-timeout= client short containers minify",
	}
	runs := options{long: "kubeconfig= server= token= username= password= cache-dir= exec= as= insecure-skip-tls-verify"}
	return []Row{
		{
			names: "get describe logs top explain api-resources api-versions cluster-info events", does: connects, harmless: harmless, runs: runs, operands: words,
		},
		{names: "version", does: connects, harmless: harmless, runs: runs, operands: none},
		{names: "config", commands: []Row{
			{names: "current-context get-contexts get-clusters view", harmless: harmless, runs: runs, operands: words},
			{does: reaches | remote, operands: words},
		}},
		{does: reaches | remote, operands: words},
	}
}

// listsJobs reports whether crontab only lists.
func listsJobs(c Call) bool { return len(c.Args) == 1 && c.Args[0].Text == "-l" }

// showsNetwork reports whether ip only shows its objects: a verb may change them.
func showsNetwork(c Call) bool {
	var words []string
	for _, w := range c.Args {
		switch {
		case !w.Known():
			return false
		case !dashed(w):
			words = append(words, w.Text)
		case !word.Listed("-4 -6 -br -brief -c -color -d -details -s -stats -o -oneline -j -json -p -pretty -h", w.Text):
			return false
		}
	}
	return len(words) == 0 || word.Listed("a addr address l link r route ro n neigh neighbor neighbour ru rule maddr", words[0]) &&
		(len(words) == 1 || word.Listed("show list ls s l lst sh get", words[1]))
}

// queriesDebian reports whether dpkg only queries its database.
func queriesDebian(c Call) bool {
	return len(c.Args) > 0 && word.Listed("-l -L -s -S -p --list --listfiles --status --search --print-avail --get-selections --print-architecture", c.Args[0].Text) &&
		!slices.ContainsFunc(c.Args[1:], word.Word.MayBeOption) && !slices.ContainsFunc(c.Args[1:], dashed)
}

// queriesPackages reports whether rpm or pacman only query: with words of options that
// begin with -q or -Q.
func queriesPackages(c Call) bool {
	query, more := "-q", "ailcdfpRs"
	if c.Name == "pacman" {
		query, more = "-Q", "ceghiklmnopqstu"
	}
	for i, w := range c.Args {
		if w.MayBeOption() || i == 0 && !strings.HasPrefix(w.Text, query) || strings.HasPrefix(w.Text, "--") ||
			dashed(w) && strings.Trim(w.Text[1:], query[1:]+more) != "" {
			return false
		}
	}
	return len(c.Args) > 0
}

func dashed(w word.Word) bool { return strings.HasPrefix(w.Text, "-") }

// printsSettings reports whether sysctl only prints values.
func printsSettings(c Call) bool {
	return !slices.ContainsFunc(c.Args, func(w word.Word) bool {
		return !w.Known() || strings.Contains(w.Text, "=") || dashed(w) && !word.Listed("-a -A -n -N -e -q --all --values", w.Text)
	})
}

// statusOnly reports whether there are no arguments, or only status or the like.
func statusOnly(c Call) bool {
	return len(c.Args) == 0 || len(c.Args) == 1 && word.Listed("status show list-timezones list-sessions list-users list-locales", c.Args[0].Text)
}

// bare reports whether there are no arguments but those that show something.
func bare(c Call) bool {
	return !slices.ContainsFunc(c.Args, func(w word.Word) bool {
		return !word.Listed("-a -n -e -s --show", w.Text) || c.Name == "mount" || c.Name == "swapon" && w.Text != "--show" && w.Text != "-s"
	})
}
