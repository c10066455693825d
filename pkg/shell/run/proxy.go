package run

import (
	"net"
	"strings"
)

// variable is a variable of an environment.
type variable struct{ name, value string }

// unproxied are the hosts that a command reaches on its own loopback.
const unproxied = "localhost,127.0.0.1,::1"

// proxied returns the variables by which programs use an HTTP proxy at an address. Those of
// a program that obeys the general ones are set where a file of settings would come before
// them. The version is the first that obeys.
func proxied(at string) []variable {
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		return nil
	}
	url := "http://" + at
	java := strings.Join([]string{
		"-Dhttp.proxyHost=" + host, "-Dhttp.proxyPort=" + port, "-Dhttps.proxyHost=" + host, "-Dhttps.proxyPort=" + port,
		"-Dhttp.nonProxyHosts=localhost|127.0.0.1|[::1]",
	}, " ")
	all := []variable{
		// npm 7, pnpm 6
		{"npm_config_proxy", url}, {"npm_config_https_proxy", url}, {"npm_config_noproxy", unproxied},
		// Yarn 2
		{"YARN_HTTP_PROXY", url}, {"YARN_HTTPS_PROXY", url},
		// pip 10
		{"PIP_PROXY", url},
		// Cargo 1.30
		{"CARGO_HTTP_PROXY", url},
		// Node.js 22.21 and 24.5: fetch, http and https
		{"NODE_USE_ENV_PROXY", "1"},
		// java 9, the launcher alone; Maven 3.9 asks for system properties to be used
		{"JDK_JAVA_OPTIONS", java}, {"MAVEN_OPTS", java + " -Daether.connector.http.useSystemProperties=true"}, {"GRADLE_OPTS", java},
	}
	// curl, wget, git, Go, uv, requests, httpx, gem, composer, apt and most others. A client
	// of SOCKS in ALL_PROXY would fail where its library is not installed.
	for _, name := range [...]string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		all = append(all, variable{name, url}, variable{strings.ToLower(name), url})
	}
	return append(all, variable{"NO_PROXY", unproxied}, variable{"no_proxy", unproxied})
}
