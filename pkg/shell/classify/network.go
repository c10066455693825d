package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// networkTools are the programs that reach other machines.
func networkTools() []program {
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
	return []program{
		{
			names: "curl", does: reaches, operands: words, loopback: call.fetchesHome,
			harmless: options{"fsSLIikgvNjJGO0123456#nqx:H:A:e:u:b:d:X:m:r:w:y:Y:z:C:E:t:R", harmless},
			writes:   options{"o:D:c:P:", writes},
			runs:     options{"KTFQ:", runs},
		},
		{
			names: "http https xh", does: reaches, operands: words, loopback: call.requestsHome,
			harmless: options{letters, harmless},
			writes:   options{"o:D:P:", writes},
			runs:     options{"KTFQ:", runs},
		},
		{
			names: "aria2c axel lynx w3m links", does: reaches, operands: words,
			harmless: options{letters, harmless},
			writes:   options{"o:D:P:", writes},
			runs:     options{"KTFQ:", runs},
		},
		{
			names: "wget", does: reaches, operands: words, loopback: call.fetchesHome,
			harmless: options{"qcNnvSdt:T:w:U:l:rkpHL46FxK", harmless},
			writes:   options{"O:o:a:P:", writes},
			runs:     options{"e:i:B:", runs},
		},
		{names: "nc ncat netcat", does: reaches | remote, operands: words, loopback: call.listensHome},
		{names: "dig nslookup host ping ping6 traceroute tracepath mtr whois", does: reaches, judge: (*analysis).resolver},
		{names: "gh glab hub", does: reaches | hidden, judge: (*analysis).forge},
		{names: "openssl", does: hidden, judge: (*analysis).openssl},
		{
			names: "telnet ftp sftp scp rsync ssh mosh nmap svn hg aws gcloud az fly flyctl vercel netlify heroku wrangler " +
				"s3cmd rclone lftp twine terraform pulumi ansible ansible-playbook",
			does: reaches | remote, operands: words,
		},
	}
}

// resolver judges programs that ask for names and routes: -f sends the lines of
// a file.
func (a *analysis) resolver(c call) {
	if hasOption(c.args, "-f") {
		a.flag(Sensitive)
	}
}

// forge judges the clients of code forges.
func (a *analysis) forge(c call) {
	for _, w := range c.args {
		switch w.Text {
		case "list", "view", "status", "diff", "checks", "search":
			return
		}
	}
	a.raise(Destructive, Network, fault.T("%s may change things that others see", c.name))
}

// openssl judges openssl, of which a few subcommands reach other machines.
func (a *analysis) openssl(c call) {
	if len(c.args) == 0 || !c.args[0].Known() || strings.HasPrefix(c.args[0].Text, "s_") || hasField("ocsp cmp http ts", c.args[0].Text) {
		a.effect(reaches, c.name)
	}
	for i, w := range c.args {
		if strings.HasPrefix(w.Text, "-engine") || strings.HasPrefix(w.Text, "-provider") || strings.HasPrefix(w.Text, "-config") {
			a.evaluates(c.name)
		}
		if i > 0 && strings.HasPrefix(c.args[i-1].Text, "-") && strings.HasSuffix(c.args[i-1].Text, "out") {
			a.writes(w)
		}
	}
}
