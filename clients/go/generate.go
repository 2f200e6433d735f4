package platen

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	// Of one request. Many proxies end connections that are silent for a minute.
	longestPoll = 30 * time.Second
	pollPause   = time.Second
)

// GenerateAsyncInput is what to queue.
type GenerateAsyncInput struct {
	GenerateInput
	// WebhookURL is notified when the generation has ended.
	WebhookURL string `json:"webhook_url,omitempty"`
}

// PDF is a printed document, as GeneratePDF returns it.
type PDF struct {
	// GenerationID is the id of the generation.
	GenerationID string
	Content      []byte
	Pages        int
	// Warnings is how many there are. Generate returns them.
	Warnings int
}

// Generate prints a document and returns the generation. Its URL needs no API key.
func (c *Client) Generate(ctx context.Context, input GenerateInput, options ...CallOption) (*CompletedGeneration, error) {
	ctx, cancel := c.withTimeout(ctx, defaultTimeout)
	defer cancel()
	a, err := c.postGenerate(ctx, input, jsonType, options)
	return c.finish(ctx, a, err, false)
}

// GeneratePDF prints a document and returns the PDF.
func (c *Client) GeneratePDF(ctx context.Context, input GenerateInput, options ...CallOption) (*PDF, error) {
	ctx, cancel := c.withTimeout(ctx, defaultTimeout)
	defer cancel()
	a, err := c.postGenerate(ctx, input, pdfType, options)
	if err == nil {
		pages, _ := strconv.Atoi(a.header.Get("X-Generation-Pages"))
		warnings, _ := strconv.Atoi(a.header.Get("X-Generation-Warnings"))
		return &PDF{a.header.Get("X-Generation-Id"), a.body, pages, warnings}, nil
	}
	generation, err := c.finish(ctx, nil, err, false)
	if err != nil {
		return nil, err
	}
	content, err := c.readFile(ctx, generation.URL)
	if err != nil {
		return nil, err
	}
	return &PDF{generation.ID, content, generation.Pages, len(generation.Warnings)}, nil
}

// GenerateAsync queues a document and returns at once: see WaitFor.
func (c *Client) GenerateAsync(ctx context.Context, input GenerateAsyncInput, options ...CallOption) (*Generation, error) {
	ctx, cancel := c.withTimeout(ctx, defaultTimeout)
	defer cancel()
	a, err := c.postGenerate(ctx, queued{input, true}, jsonType, options)
	return decoded[Generation](a, err)
}

// GenerateAndWait queues a document and waits for it, which may take minutes.
func (c *Client) GenerateAndWait(ctx context.Context, input GenerateInput, options ...CallOption) (*CompletedGeneration, error) {
	ctx, cancel := c.withTimeout(ctx, defaultWaitTimeout)
	defer cancel()
	a, err := c.postGenerate(ctx, queued{GenerateAsyncInput{GenerateInput: input}, true}, jsonType, options)
	return c.finish(ctx, a, err, false)
}

// WaitFor waits until a generation is completed. The error has the code of the generation's if it has failed.
func (c *Client) WaitFor(ctx context.Context, id string) (*CompletedGeneration, error) {
	ctx, cancel := c.withTimeout(ctx, defaultWaitTimeout)
	defer cancel()
	a, err := c.poll(ctx, id)
	return c.finish(ctx, a, err, true)
}

type queued struct {
	GenerateAsyncInput
	Async bool `json:"async"`
}

func (c *Client) postGenerate(ctx context.Context, input any, accept string, options []CallOption) (*answer, error) {
	check := check(isGeneration)
	if accept == pdfType {
		check = isGeneratedPDF
	}
	r, err := newRequest(http.MethodPost, "/v1/generate", check, options...).withJSON(input)
	if err != nil {
		return nil, err
	}
	r.header.Set("Accept", accept)
	return c.send(ctx, r.withKey())
}

// finish waits for the generation of an answer, or of the error of a server that has stopped to wait for it. The first
// poll after the request that began it needs no pause.
func (c *Client) finish(ctx context.Context, a *answer, err error, hasPolled bool) (*CompletedGeneration, error) {
	id := runningGeneration(err)
	for ; ; hasPolled = true {
		if err != nil && (hasPolled || id == "") {
			return nil, err
		}
		if err == nil {
			generation, err := decoded[Generation](a, nil)
			if err != nil || !isRunning(generation) {
				return completed(a, generation, err)
			}
			id = generation.ID
			if hasPolled {
				if err := sleep(ctx, pauseOf(a)); err != nil {
					return nil, err
				}
			}
		}
		a, err = c.poll(ctx, id)
	}
}

func (c *Client) poll(ctx context.Context, id string) (*answer, error) {
	wait := longestPoll
	if deadline, hasDeadline := ctx.Deadline(); hasDeadline {
		wait = max(time.Second, min(wait, time.Until(deadline)))
	}
	r := newRequest(http.MethodGet, "/v1/generations/"+url.PathEscape(id), isGeneration)
	r.query = url.Values{"wait": {strconv.Itoa(int(math.Ceil(wait.Seconds())))}}
	return c.send(ctx, r)
}

func pauseOf(a *answer) time.Duration {
	if a.header.Get("Retry-After") == "" {
		return pollPause
	}
	return retryAfter(a.header)
}

// runningGeneration returns the id of a generation that goes on after the server has stopped to wait for it.
func runningGeneration(err error) string {
	var failed *Error
	if errors.As(err, &failed) && failed.Code == CodeWaitTimeout {
		return failed.GenerationID
	}
	return ""
}

func isRunning(generation *Generation) bool {
	return generation.Status == GenerationStatusQueued || generation.Status == GenerationStatusRendering
}

// completed returns a generation that has ended, if its PDF can be fetched, and its error otherwise.
func completed(a *answer, generation *Generation, err error) (*CompletedGeneration, error) {
	if err != nil {
		return nil, err
	}
	failed := &Error{GenerationID: generation.ID, GenerationStatus: generation.Status}
	switch {
	case generation.Status == GenerationStatusCancelled:
		failed.Code, failed.Message = CodeGenerationCancelled, "the generation was cancelled"
	case generation.Error != nil:
		details, _ := json.Marshal(generation.Error.Details)
		failed.Code, failed.Message = Code(generation.Error.Code), generation.Error.Message
		failed.Details = details
	case generation.Status != GenerationStatusCompleted || generation.URL == "":
		failed.Code = CodeUnexpectedResponse
		failed.Message = "the generation is " + string(generation.Status) + " and has no PDF"
	default:
		return decoded[CompletedGeneration](a, nil)
	}
	return nil, failed
}

// decoded returns the JSON of an answer.
func decoded[T any](a *answer, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	value := new(T)
	if err := json.Unmarshal(a.body, value); err != nil {
		return nil, unexpected(a, "its body is not JSON as it is expected: "+err.Error())
	}
	return value, nil
}
