// Package web is the only way to the web: a client that reaches public addresses,
// in bounded time and memory. It does not know what a page means, and does not
// decide which tool may ask.
//
// # The way of a request
//
//	Client.Get
//	  Parse                 reads and normalises the address
//	  exchange.run          follows redirects, one hop each
//	    exchange.check      asks the policy about the host, and the guard about its name
//	    exchange.hop        returns the stored response while it is fresh
//	      slot.load         reads it from the cache
//	      exchange.askAndRetry
//	        exchange.ask
//	          exchange.send goes through a transport; its dialer asks the guard
//	          receive       decompresses the body and bounds it
//	      newEntry, slot.save
//	    exchange.next       returns where the response redirects to
//	Response.Text           decodes the body
//	Response.Err            returns the fault of a status that is not a success
//
// # Why no request reaches a private address
//
// An address is private if private gives a reason: it lies in a block that IANA
// does not list as globally reachable, or belongs to the metadata service of a
// cloud. The guard checks it at these points:
//
//   - Parse writes hosts such as 0x7f.1, 017700000001 or 127。0。0。1 as the
//     address that they spell, so that the later checks see it.
//   - checkName refuses, before anything is looked up, private addresses and names
//     such as localhost, *.local and *.internal.
//   - control runs in the dialer for the very address that is connected to, for
//     each connection. A name that resolves to another address in the second
//     look-up (DNS rebinding) gains nothing.
//   - Every redirect passes through check and the dialer again. Redirects are
//     followed here and not by net/http.
//   - load refuses a stored response from an address that is not allowed any more.
//   - An IPv6 address that embeds an IPv4 address (NAT64, 6to4, Teredo, mapped) is
//     private by itself; if its block is allowed, the embedded address must be
//     public or allowed as well.
//
// Servers of the caller's session are the exception (servers.go).
//
// Each of the four kinds of request has a transport of its own: to public
// addresses, to proxies, to addresses that the person has configured for a
// search engine ([Request.Base]), and to servers of the session. None can reuse a connection of another kind.
//
// A program that reaches the web by itself, such as a browser, is given a [Gateway] as its
// only way out: a proxy of our own that checks each connection like a request.
//
// Behind a proxy the client cannot see the address that the proxy dials. lookup
// resolves the host here and checks the result; this check is weaker, and
// [Response.Proxied] reports that it was used.
//
// # What is bounded
//
// Time by [Request.Timeout], from looking up the name to the last byte; connecting
// to one address and a handshake by connectTimeout. The address, the header of a
// response, the body as sent and as decompressed, the number of codings and of
// redirects by constants beside their use. A body that is too long is cut, not
// refused; a small body that decompresses to a huge one is refused.
//
// # Retries and the cache
//
// No request changes anything, but for those with [Request.Once]. The others are sent
// again, at most twice, after 429, 502, 503, 504 and broken connections. Retry-After is obeyed if it is short,
// and reported if it is long. Other statuses, certificates and the guard's refusals
// are final.
//
// A text that ends early is returned as far as it came, if the caller wants that
// ([Request.Partial]): a broken connection, damaged compression, or a body that does not
// end in time. A warning says how much is missing. Nothing partial is stored.
//
// Faults name the address, the time and the status. What may be a secret in an address is
// left out ([Shown]); of requests with credentials only the host is named.
//
// The cache is private to the person and follows a subset of RFC 9111: max-age,
// Expires, no-cache, no-store, Vary, validators, stale-if-error. It has no heuristic
// freshness. Requests with a body, credentials or cookies are never stored. A damaged
// entry counts as none.
//
// Headers that the person sets for a host ([Options.Headers]) are sent over TLS, to that
// server alone, and not once another has redirected. Such a response is not stored.
//
// # What was tried and dropped
//
// Checking the result of a look-up before dialling leaves a gap between check and
// use. code.dny.dev/ssrf allows the metadata service of Azure, which has a public
// address, and by default refuses all ports but 80 and 443; it judges the blocks in
// the tests. golang.org/x/net/html/charset looks at 1,024 bytes, and took
// 12 % of 3,309 pages in UTF-8 for windows-1252. Libraries for retries and for HTTP
// caches bring more code than they replace. A decoder for zstd took 1,600 lines, and
// no server needs it.
package web
