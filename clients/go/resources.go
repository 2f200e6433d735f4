package platen

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

// WithIfMatch refuses a change or a deletion, with PRECONDITION_FAILED, if the thing is at another version.
func WithIfMatch(version int) CallOption {
	return func(r *request) { r.header.Set("If-Match", strconv.Quote(strconv.Itoa(version))) }
}

// Generations are the documents that were requested.
type Generations struct{ client *Client }

// List returns all of them, newest first.
func (g *Generations) List(ctx context.Context, filter GenerationFilter) iter.Seq2[Generation, error] {
	return list[Generation](ctx, g.client, "/v1/generations", filter.query())
}

// Get returns the state of one.
func (g *Generations) Get(ctx context.Context, id string) (*Generation, error) {
	return call[Generation](ctx, g.client, newRequest(http.MethodGet, path("generations", id), isGeneration))
}

// Cancel ends one that is queued or printed.
func (g *Generations) Cancel(ctx context.Context, id string) (*Generation, error) {
	return call[Generation](ctx, g.client, newRequest(http.MethodDelete, path("generations", id), isGeneration))
}

// Retry renders the document of one that has ended again, as a new generation. It fails with CONFLICT if the input is not stored.
func (g *Generations) Retry(ctx context.Context, id string, options ...CallOption) (*Generation, error) {
	r := newRequest(http.MethodPost, path("generations", id)+"/retry", isGeneration, options...)
	return call[Generation](ctx, g.client, r.withKey())
}

// Erase deletes the PDF and the stored input of one for good.
func (g *Generations) Erase(ctx context.Context, id string) (*Erasure, error) {
	return call[Erasure](ctx, g.client, newRequest(http.MethodDelete, path("generations", id)+"/content", isObject))
}

// Templates are stored Handlebars templates.
type Templates struct{ client *Client }

// List returns all of them.
func (t *Templates) List(ctx context.Context, filter Filter) iter.Seq2[ListedTemplate, error] {
	return list[ListedTemplate](ctx, t.client, "/v1/templates", filter.query())
}

// Create stores a template.
func (t *Templates) Create(ctx context.Context, template CreateTemplateRequest, options ...CallOption) (*Template, error) {
	r := newRequest(http.MethodPost, "/v1/templates", isObject, options...)
	return callWith[Template](ctx, t.client, r.withKey(), template)
}

// Get returns the newest version of a template, by id or slug.
func (t *Templates) Get(ctx context.Context, idOrSlug string) (*Template, error) {
	return call[Template](ctx, t.client, newRequest(http.MethodGet, path("templates", idOrSlug), isObject))
}

// Update makes a new version of a template.
func (t *Templates) Update(
	ctx context.Context, idOrSlug string, changes UpdateTemplateRequest, options ...CallOption,
) (*Template, error) {
	r := newRequest(http.MethodPatch, path("templates", idOrSlug), isObject, options...)
	return callWith[Template](ctx, t.client, r, changes)
}

// Delete deletes a template.
func (t *Templates) Delete(ctx context.Context, idOrSlug string, options ...CallOption) error {
	return t.client.delete(ctx, path("templates", idOrSlug), options)
}

// Partials are stored fragments that templates call by their names.
type Partials struct{ client *Client }

// List returns all of them.
func (p *Partials) List(ctx context.Context, filter Filter) iter.Seq2[ListedPartial, error] {
	return list[ListedPartial](ctx, p.client, "/v1/partials", filter.query())
}

// Create stores a partial.
func (p *Partials) Create(ctx context.Context, name, html string, options ...CallOption) (*Partial, error) {
	r := newRequest(http.MethodPost, "/v1/partials", isObject, options...)
	return callWith[Partial](ctx, p.client, r.withKey(), map[string]string{"name": name, "html": html})
}

// Get returns the newest version of a partial, by id or name.
func (p *Partials) Get(ctx context.Context, idOrName string) (*Partial, error) {
	return call[Partial](ctx, p.client, newRequest(http.MethodGet, path("partials", idOrName), isObject))
}

// Update makes a new version of a partial.
func (p *Partials) Update(ctx context.Context, idOrName, html string, options ...CallOption) (*Partial, error) {
	r := newRequest(http.MethodPatch, path("partials", idOrName), isObject, options...)
	return callWith[Partial](ctx, p.client, r, map[string]string{"html": html})
}

// Delete deletes a partial.
func (p *Partials) Delete(ctx context.Context, idOrName string, options ...CallOption) error {
	return p.client.delete(ctx, path("partials", idOrName), options)
}

// Assets are pictures, fonts and style sheets, which documents use as asset:<name>.
type Assets struct{ client *Client }

// List returns all of them.
func (s *Assets) List(ctx context.Context, filter Filter) iter.Seq2[Asset, error] {
	return list[Asset](ctx, s.client, "/v1/assets", filter.query())
}

// Get returns what is known of an asset, without its content.
func (s *Assets) Get(ctx context.Context, name string) (*Asset, error) {
	return call[Asset](ctx, s.client, newRequest(http.MethodGet, path("assets", name), isObject))
}

// Put stores an asset. The same content again changes nothing.
func (s *Assets) Put(ctx context.Context, name string, content []byte, options ...CallOption) (*Asset, error) {
	r := newRequest(http.MethodPut, path("assets", name), isObject, options...)
	r.header.Set("Content-Type", "application/octet-stream")
	r.body = content
	return call[Asset](ctx, s.client, r)
}

// Delete deletes an asset.
func (s *Assets) Delete(ctx context.Context, name string, options ...CallOption) error {
	return s.client.delete(ctx, path("assets", name), options)
}

// Batches are many documents that were requested at once.
type Batches struct{ client *Client }

// List returns all of them, newest first.
func (b *Batches) List(ctx context.Context, filter Filter) iter.Seq2[Batch, error] {
	return list[Batch](ctx, b.client, "/v1/batches", filter.query())
}

// Create requests up to 1,000 documents.
func (b *Batches) Create(ctx context.Context, batch BatchRequest, options ...CallOption) (*Batch, error) {
	r := newRequest(http.MethodPost, "/v1/batches", isObject, options...)
	return callWith[Batch](ctx, b.client, r.withKey(), batch)
}

// Get returns the status of a batch, and how many of its items have which.
func (b *Batches) Get(ctx context.Context, id string) (*Batch, error) {
	return call[Batch](ctx, b.client, newRequest(http.MethodGet, path("batches", id), isObject))
}

// Cancel ends the items that have not begun.
func (b *Batches) Cancel(ctx context.Context, id string) (*Batch, error) {
	return call[Batch](ctx, b.client, newRequest(http.MethodPost, path("batches", id)+"/cancel", isObject))
}

// Preview returns a PDF, or a picture of one page if the format is png. Nothing is recorded.
func (c *Client) Preview(ctx context.Context, input PreviewRequest) ([]byte, error) {
	ctx, cancel := c.withTimeout(ctx, defaultTimeout)
	defer cancel()
	r, err := newRequest(http.MethodPost, "/v1/preview", isPreview).withJSON(input)
	if err != nil {
		return nil, err
	}
	r.header.Set("Accept", pdfType+", image/png")
	a, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	return a.body, nil
}

// WebhookSecret returns the secret that webhooks are signed with: see [VerifyWebhook].
func (c *Client) WebhookSecret(ctx context.Context) (string, error) {
	secret, err := call[WebhookSecret](ctx, c, newRequest(http.MethodGet, "/v1/webhook-secret", isObject))
	if err != nil {
		return "", err
	}
	return secret.Secret, nil
}

// Call makes any other operation of the API, such as GET /v1/keys. The body and the result are JSON and may be nil.
func (c *Client) Call(ctx context.Context, method, path string, query url.Values, body, result any) error {
	ctx, cancel := c.withTimeout(ctx, defaultTimeout)
	defer cancel()
	check := check(isObject)
	if result == nil {
		check = isAnything
	}
	r := newRequest(method, path, check)
	r.query = query
	if body != nil {
		if _, err := r.withJSON(body); err != nil {
			return err
		}
	}
	a, err := c.send(ctx, r)
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(a.body, result)
}

func path(collection, name string) string { return "/v1/" + collection + "/" + url.PathEscape(name) }

func call[T any](ctx context.Context, c *Client, r *request) (*T, error) {
	ctx, cancel := c.withTimeout(ctx, defaultTimeout)
	defer cancel()
	a, err := c.send(ctx, r)
	return decoded[T](a, err)
}

func callWith[T any](ctx context.Context, c *Client, r *request, body any) (*T, error) {
	if _, err := r.withJSON(body); err != nil {
		return nil, err
	}
	return call[T](ctx, c, r)
}

func (c *Client) delete(ctx context.Context, path string, options []CallOption) error {
	ctx, cancel := c.withTimeout(ctx, defaultTimeout)
	defer cancel()
	_, err := c.send(ctx, newRequest(http.MethodDelete, path, isAnything, options...))
	return err
}
