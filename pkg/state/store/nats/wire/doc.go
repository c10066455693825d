// Package wire speaks the protocol of NATS servers, as far as a store needs it: one
// connection, requests with one or several answers, and a bell that rings when
// something is published. It knows nothing of JetStream, which is requests.
//
// The client library of NATS would add its encoders, its web sockets and their
// initialisation to each start of a process that lives for milliseconds; and it sends
// again what was not sent, which here is decided by whoever knows what it was.
//
// https://docs.nats.io/reference/reference-protocols/nats-protocol
package wire
