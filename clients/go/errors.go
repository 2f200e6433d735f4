package platen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// Code says why a call failed. It is an error, so that errors.Is(err, platen.CodeTemplateNotFound) tells whether a
// call failed for this reason.
type Code string

func (c Code) Error() string { return string(c) }

// Error says why a call failed. Code is one of the constants, or one of a later version of Platen.
type Error struct {
	Code    Code
	Message string
	// Status is that of the HTTP response that is the error, and 0 if there is none.
	Status int
	// RequestID is the x-request-id of the response: the log and the events of the server have it.
	RequestID    string
	GenerationID string
	// GenerationStatus is failed or cancelled, if the generation was polled and has ended so.
	GenerationStatus GenerationStatus
	// Details depend on the code: for VALIDATION_ERROR a list of {path, message}, and for UNEXPECTED_RESPONSE the
	// content_type and the first 200 bytes of the body.
	Details json.RawMessage

	cause error
}

func (e *Error) Error() string { return fmt.Sprintf("platen: %s (%s)", e.Message, e.Code) }

// Is reports whether the target is the code of the error.
func (e *Error) Is(target error) bool {
	code, isCode := target.(Code)
	return isCode && code == e.Code
}

// Unwrap returns the failure of the connection, or context.DeadlineExceeded.
func (e *Error) Unwrap() error { return e.cause }

const shownBytes = 200

func unexpected(a *answer, reason string) *Error {
	contentType := a.header.Get("Content-Type")
	shown := string(a.body[:min(len(a.body), shownBytes)])
	details, _ := json.Marshal(map[string]string{"content_type": contentType, "body": shown})
	if contentType == "" {
		contentType = "no content type"
	}
	message := fmt.Sprintf("the response is not one of Platen: %s (status %d, %s)", reason, a.status, contentType)
	return &Error{
		Code:      CodeUnexpectedResponse,
		Message:   message,
		Status:    a.status,
		RequestID: a.header.Get("X-Request-Id"),
		Details:   details,
	}
}

type failure struct {
	Code    Code            `json:"code"`
	Message *string         `json:"message"`
	Details json.RawMessage `json:"details"`
}

// failureOf returns the error in an error response, and nil if the response is not of Platen.
func failureOf(a *answer) *failure {
	var envelope struct {
		Error *failure `json:"error"`
	}
	err := json.Unmarshal(a.body, &envelope)
	if err != nil || envelope.Error == nil || envelope.Error.Code == "" || envelope.Error.Message == nil {
		return nil
	}
	return envelope.Error
}

// errorOf returns the error of an answer that is no success.
func errorOf(a *answer) *Error {
	failure := failureOf(a)
	if failure == nil {
		if a.status >= 300 && a.status < 400 {
			return unexpected(a, "it is a redirect")
		}
		return unexpected(a, "it is not an error of Platen")
	}
	var named struct {
		GenerationID string `json:"generation_id"`
	}
	_ = json.Unmarshal(failure.Details, &named)
	if named.GenerationID == "" {
		named.GenerationID = a.header.Get("X-Generation-Id")
	}
	return &Error{
		Code:         failure.Code,
		Message:      *failure.Message,
		Status:       a.status,
		RequestID:    a.header.Get("X-Request-Id"),
		GenerationID: named.GenerationID,
		Details:      failure.Details,
	}
}

// errTimeout is the cause of a context that waited too long for a part of a file.
var errTimeout = errors.New("no data has arrived in time")

// interrupted returns the error of a context that has ended: its own if the caller has cancelled it.
func interrupted(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) || errors.Is(cause, errTimeout) {
		return &Error{Code: CodeTimeout, Message: "the call took too long", cause: context.DeadlineExceeded}
	}
	return fmt.Errorf("platen: %w", cause)
}

func networkError(host string, cause error) *Error {
	cause = withoutURL(cause)
	message := fmt.Sprintf("the connection to %s failed: %v", host, cause)
	return &Error{Code: CodeNetworkError, Message: message, cause: cause}
}

// withoutURL returns what an error of net/http or net/url is about, without the URL: it may have a signature.
func withoutURL(err error) error {
	var named *url.Error
	if errors.As(err, &named) {
		return named.Err
	}
	return err
}

func isSuccess(status int) bool {
	return status >= http.StatusOK && status < http.StatusMultipleChoices
}
