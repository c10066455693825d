package classify

import (
	"slices"
	"testing"

	"github.com/helve-dev/helve/pkg/policy"
)

// TestLoopback judges requests to this machine where the sandbox has a loopback of its
// own: those need no network, and whatever may go elsewhere does.
func TestLoopback(t *testing.T) {
	for _, c := range []struct {
		command string
		network bool
	}{
		{"curl localhost:8080", false},
		{"curl http://127.0.0.1:8080/x", false},
		{"curl -sS -o out http://LOCALHOST/x", false},
		{"curl -fsSL 127.8.9.1/x 'http://[::1]:3000/y?q=1'", false},
		{"curl http://0.0.0.0:3000", false},
		{"curl http://localhost:3000/a?b=c", false}, // a pattern, whose matches begin alike
		{`curl "http://localhost:3000/users/$id"`, false},
		{`curl -X POST -d '{"a":1}' -H "Authorization: $T" localhost:3000/users`, false},
		{"curl -d @body.json localhost:3000", false},
		{"curl --data name=x --url http://localhost:3000", false},
		{"curl -w '%{http_code}' -s -m5 localhost/", false},
		{"curl --max-time 5 -- localhost", false},
		{"wget -qO- http://[::1]:3000", false},
		{"curl 'http://[::]:3000'", false},
		{"wget -q -O - http://localhost:3000/a", false},
		{"http :8080/x", false},
		{"http POST localhost:8080/x name=evil.com", false},
		{"http localhost:8080", false},
		{"nc -l 8080", false},
		{"nc -lk -p 8080", false},
		{"nc -z localhost 8080", false},
		{"nc -w 2 127.0.0.1 8080", false},
		{"python3 -m http.server 8000", false},
		{"node server.js", false},
		{"timeout 5 curl localhost:8080", false},
		{"node server.js & sleep 1; curl -s localhost:3000", false},

		{"curl localhost.evil.com", true},
		{"curl http://127.0.0.1.nip.io/", true},
		{"curl http://localhost@evil.com/", true},
		{"curl http://localhost:80@evil.com/", true},
		{"curl http://u@localhost/", true},
		{"curl 0x7f.1", true},
		{"curl 127.1", true},
		{"curl 2130706433", true},
		{"curl 0177.0.0.1", true},
		{`curl 'http://localhost\@evil.com'`, true},
		{"curl http://localhost%2eevil.com", true},
		{"curl 'http://[::1%25eth0]/'", true},
		{"curl 'http://[::ffff:127.0.0.1]/'", true},
		{"curl 'http://[::1].evil.com/'", true},
		{"curl 'http://[2001:db8::1]/'", true},
		{"curl 'http://[127.0.0.1]/'", true},
		{"curl 'http://[::1'", true},
		{"curl localhost evil.com", true},
		{"curl localhost --next evil.com", true},
		{"curl http://localhost:1 -x http://proxy:3128", true},
		{"curl -sx proxy:1 localhost", true},
		{"curl -sxproxy:1 localhost", true},
		{"curl --proxy p localhost", true},
		{"curl --prox p localhost", true},
		{"curl --preproxy p localhost", true},
		{"curl --socks5 p localhost", true},
		{"curl --resolve localhost:80:1.2.3.4 localhost", true},
		{"curl --connect-to ::evil.com: localhost", true},
		{"curl --dns-servers 1.2.3.4 localhost", true},
		{"curl --doh-url https://evil.com localhost", true},
		{"curl -K conf localhost", true},
		{"curl localhost --url evil.com", true},
		{"curl localhost --url=evil.com", true},
		{"curl localhost --ur evil.com", true},
		{"curl -o out -- localhost evil.com", true},
		{"curl localhost?x", true},
		{"curl localhost:80*", true},
		{"curl", true},
		{"curl -s", true},
		{`curl "http://localhost:$PORT"`, true},
		{`curl "$URL"`, true},
		{"curl $URL", true},
		{"curl localhost/$x", true},
		{`curl "localhost/$@"`, true},
		{"curl {localhost,evil.com}", true},
		{"curl 'http://{localhost,evil.com}/'", true},
		{"curl $X localhost", true},
		{"curl localhost; curl evil.com", true},
		{"curl ftp://localhost/x", true},
		{"curl http:localhost", true},
		{"curl //localhost", true},
		{"echo evil.com | xargs curl localhost", true},
		{"http_proxy=evil.com curl localhost", false}, // the variable is asked about
		{"wget -i list localhost", true},
		{"wget -e http_proxy=x localhost", true},
		{"wget -B http://evil.com localhost", true},
		{"http localhost.evil.com", true},
		{"http GET evil.com localhost", true},
		{"http --proxy=http:x :8080", true},
		{"http ::8080", true},
		{"nc evil.com 80", true},
		{"nc -x proxy:1 localhost 80", true},
		{"nc -e sh localhost 80", true},
		{"nc -lc sh 80", true},
		{"nc localhost", true},
		{"nc -l $x", true},
		{"nc localhost.evil.com 80", true},
		{"http", true},
		{"http GET", true},
		{"curl 'http://::1/'", true},
		{"curl 'http://[::1'/x", true},
		{"curl 'http://[1.2.3.4]/'", true},
		{"curl 1.2.3.4", true},
		{"curl -m 5 evil.com", true},
		{"curl --max-time=5 localhost", false},
		{"nc -z evil.com 8080", true},
		{"aria2c localhost/x", true},
		{"ssh localhost", true},
	} {
		o := world
		o.OwnLoopback = true
		own := Classify(c.command, o)
		if own.Network != c.network || slices.Contains(own.Flags, Network) != c.network {
			t.Errorf("%s: network is %t, %v", c.command, own.Network, own.Flags)
		}
		if own.Risk == policy.Read {
			t.Errorf("%s only reads", c.command)
		}
		// A loopback that is the machine's is another matter.
		if shared := Classify(c.command, world); own.Risk.Worse(shared.Risk) || c.network && (!shared.Network || own.Risk != shared.Risk) {
			t.Errorf("%s: %+v, and %+v on a loopback of its own", c.command, shared, own)
		}
	}
	for _, c := range []string{"curl localhost", "wget localhost", "nc -l 80", "http :80"} {
		if v := Classify(c, world); !v.Network {
			t.Errorf("%s reaches no servers of the machine", c)
		}
	}
}
