package browser

import (
	"slices"
	"strconv"
	"strings"
)

const (
	// width and height are those of the window, in pixels.
	width, height = 1280, 900
	// maxHeap is the most that the heap of a page's scripts may hold, in MiB.
	maxHeap = 512
)

// features are the features of Chromium that do not serve to show a page, or that start
// more processes than one page needs.
var features = [...]string{
	"AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "InterestFeedContentSuggestions", "MediaRouter",
	"OptimizationHints", "OptimizationGuideModelDownloading", "Translate", "DialMediaRouteProvider", "GlobalMediaControls", "AcceptCHFrame",
	"SpareRendererForSitePerProcess", "Prerender2", "PreloadTopChromeWebUI", "IsolateOrigins", "site-per-process", "HttpsUpgrades",
	"HttpsFirstBalancedModeAutoEnable", "DestroyProfileOnBrowserClose", "WebRtcHideLocalIpsWithMdns", "AsyncDns", "DnsOverHttpsUpgrade", "NetworkPrediction",
}

// arguments returns those of the browser. All frames of a page are in one process: no page
// has a login that another could steal.
func arguments(profile, proxy string, c confinement) []string {
	all := []string{
		"--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + profile, "--disk-cache-size=1",
		"--window-size=" + strconv.Itoa(width) + "," + strconv.Itoa(height), "--hide-scrollbars", "--mute-audio", "--disable-gpu",
		// Every connection goes through the proxy, those to this machine included.
		"--proxy-server=" + proxy, "--proxy-bypass-list=<-loopback>", "--disable-quic", "--dns-prefetch-disable",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
		// Nothing is asked, sent home, updated, stored or added.
		"--no-first-run", "--no-default-browser-check", "--no-pings", "--no-service-autorun", "--no-startup-window",
		"--disable-background-networking", "--disable-breakpad", "--disable-client-side-phishing-detection", "--disable-component-extensions-with-background-pages",
		"--disable-component-update", "--disable-crash-reporter", "--disable-default-apps", "--disable-domain-reliability", "--disable-extensions",
		"--disable-field-trial-config", "--disable-hang-monitor", "--disable-notifications", "--disable-prompt-on-repost", "--disable-search-engine-choice-screen",
		"--disable-speech-api", "--disable-sync", "--disable-print-preview", "--disable-external-intent-requests", "--metrics-recording-only",
		"--password-store=basic", "--use-mock-keychain", "--deny-permission-prompts", "--disable-file-system",
		// A page that nobody looks at runs like one that somebody does.
		"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
		"--disable-site-isolation-trials", "--renderer-process-limit=2", "--disable-features=" + strings.Join(features[:], ","),
		"--js-flags=--max-old-space-size=" + strconv.Itoa(maxHeap),
	}
	if !c.own {
		all = append(all, "--no-sandbox")
	}
	if !c.network { // then /dev/shm is the machine's, which is small in a container
		all = append(all, "--disable-dev-shm-usage")
	}
	return all
}

// command returns the words that start the browser with the pipes of the protocol as its
// descriptors 3 and 4, where its standard input and output are these pipes.
func command(program string, args []string) []string {
	return slices.Concat([]string{"/bin/sh", "-c", `exec "$@" 3<&0 4>&1 0</dev/null 1>&2`, "sh", program}, args)
}
