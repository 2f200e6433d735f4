package platen

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

// list returns the items of all pages. A page is requested when the loop has used up the one before.
func list[T any](ctx context.Context, c *Client, path string, query url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for cursor := ""; ; {
			page, err := getPage[T](ctx, c, path, query, cursor)
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			if page.NextCursor == "" {
				return
			}
			// A cache that ignores the query would make the loop endless.
			if page.NextCursor == cursor {
				yield(none, &Error{
					Code:    CodeUnexpectedResponse,
					Message: "the response is not one of Platen: it is the same page of the list again",
					Status:  http.StatusOK,
				})
				return
			}
			cursor = page.NextCursor
		}
	}
}

type page[T any] struct {
	Data       []T    `json:"data"`
	NextCursor string `json:"next_cursor"`
}

func getPage[T any](ctx context.Context, c *Client, path string, query url.Values, cursor string) (*page[T], error) {
	ctx, cancel := c.withTimeout(ctx, defaultTimeout)
	defer cancel()
	r := newRequest(http.MethodGet, path, isPage)
	r.query = url.Values{}
	for name, values := range query {
		r.query[name] = values
	}
	if cursor != "" {
		r.query.Set("cursor", cursor)
	}
	a, err := c.send(ctx, r)
	return decoded[page[T]](a, err)
}

// Filter limits a list. Limit is the size of a page, not of the list, and 50 if it is 0.
type Filter struct {
	Limit int
	// Owner is another one than that of the key, which needs the scope admin.
	Owner string
	// Summary leaves out the sources of templates and partials.
	Summary bool
}

func (f Filter) query() url.Values {
	query := url.Values{}
	if f.Limit > 0 {
		query.Set("limit", strconv.Itoa(f.Limit))
	}
	setIf(query, "owner", f.Owner)
	if f.Summary {
		query.Set("summary", "true")
	}
	return query
}

// GenerationFilter limits a list of generations.
type GenerationFilter struct {
	Limit int
	Owner string
	// Status may be several with commas between.
	Status GenerationStatus
	// Template is an id or a slug.
	Template        string
	TemplateVersion int
	APIKeyID        string
	ErrorCode       Code
	// Warnings tells whether they have any. Nil: with and without.
	Warnings *bool
	// Query is a part of the file name, or the beginning of an id.
	Query string
	// CreatedAfter and CreatedBefore are times of RFC 3339, or dates.
	CreatedAfter, CreatedBefore string
	// Metadata has entries that all must match.
	Metadata Metadata
}

func (f GenerationFilter) query() url.Values {
	query := Filter{Limit: f.Limit, Owner: f.Owner}.query()
	setIf(query, "status", string(f.Status))
	setIf(query, "template", f.Template)
	if f.TemplateVersion > 0 {
		query.Set("template_version", strconv.Itoa(f.TemplateVersion))
	}
	setIf(query, "api_key_id", f.APIKeyID)
	setIf(query, "error_code", string(f.ErrorCode))
	if f.Warnings != nil {
		query.Set("warnings", strconv.FormatBool(*f.Warnings))
	}
	setIf(query, "q", f.Query)
	setIf(query, "created_after", f.CreatedAfter)
	setIf(query, "created_before", f.CreatedBefore)
	for name, value := range f.Metadata {
		query.Set("metadata."+name, value)
	}
	return query
}

func setIf(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}
