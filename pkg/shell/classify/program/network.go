package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// networkTools are the programs that reach other machines.
func networkTools() []Row {
	// What a downloader gets may be saved anywhere, so its options are judged
	// like those of a program that only reads.
	const (
		letters  = "fsSLIikgvNjJGO0123456#nqcx:H:A:e:u:b:d:X:m:r:w:y:Y:z:C:E:t:R"
		harmless = "location silent show-error fail head include insecure header= user-agent= request= data= data-raw= data-urlencode= " +
			"data-binary= json= max-time= connect-timeout= retry= compressed get url= verbose progress-bar write-out= remote-name http1.1 " +
			"http2 ipv4 ipv6 quiet no-verbose timeout= tries= method= body-data= no-check-certificate content-disposition spider " +
			"server-response referer= cookie= form= range= retry-delay= retry-max-time= retry-all-errors max-redirs= fail-with-body " +
			"no-progress-meter user= remote-header-name help version globoff"
		writes = "output= dump-header= cookie-jar= output-document= output-dir= directory-prefix= trace= trace-ascii= etag-save= stderr= " +
			"output-file= create-dirs"
		runs = "config= upload-file= use-askpass= quote= execute= post-file= body-file= netrc-file= engine= proxy= preproxy= " +
			"unix-socket= aria2-rpc rpc-listen-all on-download-complete="
	)
	return []Row{
		{
			names: "curl", does: reaches, operands: words, loopback: Call.fetchesLoopback,
			harmless: options{"fsSLIikgvNjJGO0123456#nqx:H:A:e:u:b:d:X:m:r:w:y:Y:z:C:E:t:R", harmless}, writes: options{"o:D:c:P:", writes},
			runs: options{"KTFQ:", runs},
		},
		{
			names: "http https xh", does: reaches, operands: words, loopback: Call.requestsLoopback, harmless: options{letters, harmless},
			writes: options{"o:D:P:", writes}, runs: options{"KTFQ:", runs},
		},
		{
			names: "aria2c axel lynx w3m links", does: reaches, operands: words, harmless: options{letters, harmless}, writes: options{"o:D:P:", writes},
			runs: options{"KTFQ:", runs},
		},
		{
			names: "wget", does: reaches, operands: words, loopback: Call.fetchesLoopback, harmless: options{"qcNnvSdt:T:w:U:l:rkpHL46FxK", harmless},
			writes: options{"O:o:a:P:", writes}, runs: options{"e:i:B:", runs},
		},
		{names: "nc ncat netcat", does: reaches | remote, operands: words, loopback: Call.usesLoopback},
		{names: "dig nslookup host ping ping6 traceroute tracepath mtr whois", does: reaches, judge: resolver},
		{names: "gh glab hub", does: reaches | hidden, judge: forge},
		{names: "openssl", does: hidden, judge: openssl},
		{names: "terraform tofu", alone: "-version -v", commands: []Row{
			{names: "version", operands: words},
			{names: "fmt", does: changesFiles, operands: words},
			{names: "validate graph providers", does: hidden, operands: words},
			{does: reaches | remote, operands: words},
		}},
		{
			names: "telnet ftp sftp scp rsync ssh mosh nmap svn hg aws gcloud az fly flyctl vercel netlify heroku wrangler " +
				"s3cmd rclone lftp twine pulumi ansible ansible-playbook",
			does: reaches | remote, operands: words,
		},
	}
}

// resolver judges programs that ask for names and routes: -f sends the lines of
// a file.
func resolver(c Call) (f findings) {
	if hasOption(c.Args, "-f") {
		f.mark(finding.Sensitive)
	}
	return f
}

// forge judges the clients of code forges.
func forge(c Call) (f findings) {
	for _, w := range c.Args {
		switch w.Text {
		case "list", "view", "status", "diff", "checks", "search":
			return f
		}
	}
	f.raise(policy.Destructive, finding.Network, fault.T("%s may change things that others see", c.Name))
	return f
}

// openssl judges openssl, of which a few subcommands reach other machines.
func openssl(c Call) (f findings) {
	if len(c.Args) == 0 || !c.Args[0].Known() || strings.HasPrefix(c.Args[0].Text, "s_") || word.Listed("ocsp cmp http ts", c.Args[0].Text) {
		f.effect(reaches, c.Name)
	}
	for i, w := range c.Args {
		if strings.HasPrefix(w.Text, "-engine") || strings.HasPrefix(w.Text, "-provider") || strings.HasPrefix(w.Text, "-config") {
			f.evaluates(c.Name)
		}
		if i > 0 && strings.HasPrefix(c.Args[i-1].Text, "-") && strings.HasSuffix(c.Args[i-1].Text, "out") {
			f.writes(w)
		}
	}
	return f
}
