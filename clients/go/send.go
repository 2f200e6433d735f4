package platen

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// request is what to send. The target is a path of the API or a URL.
type request struct {
	method, target string
	query          url.Values
	header         http.Header
	body           []byte
	check          check
	// Its body is read by the caller while it arrives.
	isFile bool
	// Signed URLs need no API key.
	hasNoKey bool
	// It has an idempotency key, or changes nothing, so that it can be repeated.
	isIdempotent bool
}

// answer is a response. The body of a file is not read: the stream has it.
type answer struct {
	status int
	header http.Header
	body   []byte
	stream *http.Response
}

func newRequest(method, target string, check check, options ...CallOption) *request {
	r := &request{method: method, target: target, check: check, header: http.Header{}}
	r.isIdempotent = method == http.MethodGet
	for _, option := range options {
		option(r)
	}
	return r
}

func (r *request) withJSON(body any) (*request, error) {
	encoded, err := json.Marshal(body)
	r.body = encoded
	r.header.Set("Content-Type", jsonType)
	return r, err
}

// withKey gives all attempts of a creation one idempotency key.
func (r *request) withKey() *request {
	r.isIdempotent = true
	if r.header.Get("Idempotency-Key") == "" {
		key := make([]byte, 16)
		_, _ = rand.Read(key)
		r.header.Set("Idempotency-Key", hex.EncodeToString(key))
	}
	return r
}

const (
	firstDelay   = 500 * time.Millisecond
	longestDelay = 10 * time.Second
)

var busy = []int{
	http.StatusTooManyRequests,
	http.StatusBadGateway,
	http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// send sends a request until it is answered by anything but a failure that may pass: a broken connection, or the
// status 429, 502, 503 or 504. A request that could have an effect twice is only repeated after a 429. What is no
// success is an error.
func (c *Client) send(ctx context.Context, r *request) (*answer, error) {
	if c.invalid != nil {
		return nil, c.invalid
	}
	sent, err := c.build(r)
	if err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		a, err := c.sendOnce(ctx, r, sent)
		if ctx.Err() != nil {
			return nil, interrupted(ctx)
		}
		if err == nil && isSuccess(a.status) {
			if problem := r.check(a); problem != "" {
				return nil, unexpected(a, problem)
			}
			return a, nil
		}
		delay := backoff(attempt)
		mayRepeat := r.isIdempotent
		if err == nil {
			err = errorOf(a)
			mayRepeat = isPassing(a) && (r.isIdempotent || a.status == http.StatusTooManyRequests)
			delay = max(delay, retryAfter(a.header))
		}
		if attempt >= c.retries || !mayRepeat || !isBefore(ctx, delay) {
			return nil, err
		}
		if err := sleep(ctx, delay); err != nil {
			return nil, err
		}
	}
}

// isPassing tells whether another attempt may help. It does not where the generation has an outcome or goes on.
func isPassing(a *answer) bool {
	if !slices.Contains(busy, a.status) {
		return false
	}
	failure := failureOf(a)
	return failure == nil || failure.Code != CodeRenderTimeout && failure.Code != CodeWaitTimeout
}

// backoff has jitter, so that clients that failed at the same moment do not come back at the same moment.
func backoff(attempt int) time.Duration {
	delay := min(firstDelay<<min(attempt, 10), longestDelay)
	return delay/2 + mathrand.N(delay/2)
}

func isBefore(ctx context.Context, delay time.Duration) bool {
	deadline, hasDeadline := ctx.Deadline()
	return !hasDeadline || delay < time.Until(deadline)
}

func sleep(ctx context.Context, delay time.Duration) error {
	select {
	case <-time.After(delay):
		return nil
	case <-ctx.Done():
		return interrupted(ctx)
	}
}

// retryAfter reads a number of seconds or a date (RFC 9110, section 10.2.3).
func retryAfter(header http.Header) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	seconds, err := strconv.ParseUint(value, 10, 31)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}

func (c *Client) sendOnce(ctx context.Context, r *request, prepared *http.Request) (*answer, error) {
	sent := prepared.Clone(ctx)
	// One of its own for each attempt. It cannot fail.
	sent.Body, _ = prepared.GetBody()
	client := c.http
	if r.isFile {
		client = c.httpOfFiles
	}
	response, err := client.Do(sent)
	if err != nil {
		return nil, networkError(sent.URL.Host, err)
	}
	a := &answer{status: response.StatusCode, header: response.Header}
	if r.isFile && isSuccess(a.status) && r.check(a) == "" {
		a.stream = response
		return a, nil
	}
	defer response.Body.Close()
	if a.body, err = io.ReadAll(response.Body); err != nil {
		return nil, networkError(sent.URL.Host, err)
	}
	return a, nil
}

func (c *Client) build(r *request) (*http.Request, error) {
	target := r.target
	if strings.HasPrefix(target, "/") {
		target = c.baseURL + target
	}
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	sent, err := http.NewRequest(r.method, target, bytes.NewReader(r.body))
	if err != nil {
		return nil, fmt.Errorf("platen: the request cannot be sent: %w", withoutURL(err))
	}
	sent.Header = r.header.Clone()
	if sent.Header.Get("Accept") == "" {
		sent.Header.Set("Accept", jsonType)
	}
	sent.Header.Set("User-Agent", "platen-client-go/"+Version)
	if c.key != "" && !r.hasNoKey {
		sent.Header.Set("Authorization", "Bearer "+c.key)
	}
	return sent, nil
}
