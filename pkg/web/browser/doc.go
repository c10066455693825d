// Package browser shows a page in a Chromium that the person has installed, and returns
// what the page's scripts have made of it. It decides neither which pages need that nor
// whether it is allowed (tools/fetch and the settings do), and extracts nothing (package
// page does).
//
//	Browser.Open
//	  warm            the process, started at first use, and ended when nobody used it
//	                  for a while
//	    confinement   what encloses it; see below
//	    profile       a new directory, removed with the process
//	    connection    the DevTools protocol over two pipes
//	  web.Gateway     the only way out, one for each page
//	  tab             a context of its own, which shares nothing with that of other pages
//	    settle        until it is loaded and quiet
//	    snapshot      the tree that is shown, with shadow trees and frames, as HTML
//
// # What encloses it
//
// With namespaces, the whole browser runs in a sandbox of package sandbox: it reads the
// programs of the system, writes its profile, and its network has one host, itself, with
// one port, at which this process answers as a proxy. So nothing private can be reached,
// whatever the browser's own settings let through: the kernel has no way there. Chromium
// cannot nest its own sandbox in it, which needs namespaces itself, so that is off.
//
// Without namespaces, Chromium's own sandbox encloses its pages, and its settings lead it
// to the proxy. As root it refuses that, and does not run at all: Landlock alone would
// keep its processes from talking to each other.
//
// # Invariants
//
// A page never decides how long a call takes: what it does is counted and bounded, and
// when its time is up its scripts are stopped and it is returned as it is. What the
// browser writes is foreign: messages are bounded, and a tree is checked before it is
// walked. Nothing outlives the process: not the browser, which the kernel ends with it,
// and no profile, which the next start sweeps.
package browser
