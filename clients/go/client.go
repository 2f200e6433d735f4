// Package platen is a client of Platen: HTML and templates in, PDF files out.
//
// Failures that may pass (broken connections and the statuses 429, 502, 503 and 504) are retried, with an
// idempotency key, so that nothing is printed twice. Errors of calls are of the type [*Error], except that a
// context that was cancelled gives its own, and that a URL or a key that cannot be used gives a plain error at each call.
package platen

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	defaultTimeout     = time.Minute
	defaultWaitTimeout = 10 * time.Minute
	defaultRetries     = 4

	// Platen sends less than 4 KiB.
	longestHeader = 16 << 10
	// longestChain of redirects is that of net/http.
	longestChain = 10
)

// Client makes calls. It can be used by many goroutines at once.
type Client struct {
	Generations *Generations
	Templates   *Templates
	Partials    *Partials
	Assets      *Assets
	Batches     *Batches

	baseURL string
	key     string
	timeout time.Duration
	retries int

	// invalid is why no call can be made.
	invalid error

	// A redirect would become a GET, or take the API key elsewhere. Only a file may be in an object store.
	http, httpOfFiles *http.Client
}

// Option is a choice of [New].
type Option func(*Client)

// WithTimeout limits each call, with its retries, whose context has no deadline. The default is a minute, and ten
// minutes for WaitFor and GenerateAndWait. For files, it limits the wait for each part.
func WithTimeout(timeout time.Duration) Option {
	return func(c *Client) { c.timeout = timeout }
}

// WithRetries says how often a request is repeated after a failure that may pass. The default is 4.
func WithRetries(retries int) Option {
	return func(c *Client) { c.retries = retries }
}

// WithHTTPClient replaces the HTTP client. Its timeout should be zero.
func WithHTTPClient(client *http.Client) Option {
	return func(c *Client) { c.httpOfFiles = client }
}

// New returns a client of the gateway with this URL, such as https://pdf.example.com. Signed file URLs need no key.
func New(baseURL, key string, options ...Option) *Client {
	client := &Client{baseURL: strings.TrimRight(baseURL, "/"), key: key, retries: defaultRetries}
	for _, option := range options {
		option(client)
	}
	client.invalid = problemOf(client.baseURL, key)
	if client.httpOfFiles == nil {
		client.httpOfFiles = &http.Client{Transport: defaultTransport}
	}
	withoutRedirects, withoutKeys := *client.httpOfFiles, *client.httpOfFiles
	withoutRedirects.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	withoutKeys.CheckRedirect = keepKeyAtHome(client.httpOfFiles.CheckRedirect)
	client.http, client.httpOfFiles = &withoutRedirects, &withoutKeys
	client.Generations = &Generations{client}
	client.Templates = &Templates{client}
	client.Partials = &Partials{client}
	client.Assets = &Assets{client}
	client.Batches = &Batches{client}
	return client
}

// problemOf does not show the key: an error may be logged.
func problemOf(baseURL, key string) error {
	target, err := url.Parse(baseURL)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return errors.New("platen: the URL must begin with http:// or https:// and have a host")
	}
	for _, character := range []byte(key) {
		if character < '!' || character > '~' {
			return errors.New("platen: the API key must be printable ASCII without spaces: it may end with a line break")
		}
	}
	return nil
}

type checkRedirect = func(*http.Request, []*http.Request) error

// keepKeyAtHome removes the key from a request to another scheme, host or port. net/http does so for other hosts only.
func keepKeyAtHome(otherwise checkRedirect) checkRedirect {
	return func(next *http.Request, via []*http.Request) error {
		// It would be the signed URL.
		next.Header.Del("Referer")
		if first := via[0].URL; next.URL.Scheme != first.Scheme || next.URL.Host != first.Host {
			next.Header.Del("Authorization")
		}
		if otherwise != nil {
			return otherwise(next, via)
		}
		if len(via) >= longestChain {
			return errors.New("there are too many redirects")
		}
		return nil
	}
}

var defaultTransport = func() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = longestHeader
	return transport
}()

// CallOption is a choice of one call.
type CallOption func(*request)

// WithIdempotencyKey makes calls with the same key and input share a generation or a template for 24 hours. The
// default is a random key, which the retries of a call have in common. It has 1 to 255 printable ASCII characters.
func WithIdempotencyKey(key string) CallOption {
	return func(r *request) { r.header.Set("Idempotency-Key", key) }
}

// withTimeout limits a call whose context has no deadline.
func (c *Client) withTimeout(ctx context.Context, otherwise time.Duration) (context.Context, context.CancelFunc) {
	if _, hasDeadline := ctx.Deadline(); hasDeadline {
		return context.WithCancel(ctx)
	}
	if c.timeout > 0 {
		otherwise = c.timeout
	}
	return context.WithTimeout(ctx, otherwise)
}
