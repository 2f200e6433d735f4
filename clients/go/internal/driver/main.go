// The program makes the calls of clients/behaviour, for test/support/clients/driver.ts. Each line of its input is a
// call, and each line of its output is what has come of it.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	platen "github.com/platen/platen/clients/go"
)

type order struct {
	ID      int             `json:"id"`
	URL     string          `json:"url"`
	Key     string          `json:"key"`
	Folder  string          `json:"folder"`
	Call    string          `json:"call"`
	Input   json.RawMessage `json:"input"`
	Options struct {
		IdempotencyKey string `json:"idempotency_key"`
		TimeoutMS      int    `json:"timeout_ms"`
		Retries        *int   `json:"retries"`
	} `json:"options"`
}

type outcome struct {
	ID     int            `json:"id"`
	Result any            `json:"result,omitempty"`
	Error  map[string]any `json:"error,omitempty"`
	Files  []string       `json:"files,omitzero"`
}

func main() {
	var running sync.WaitGroup
	outcomes := make(chan outcome)
	written := make(chan struct{})
	go func() {
		defer close(written)
		encoder := json.NewEncoder(os.Stdout)
		for each := range outcomes {
			if err := encoder.Encode(each); err != nil {
				log.Fatal(err)
			}
		}
	}()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 10<<20)
	for lines.Scan() {
		var one order
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			log.Fatal(err)
		}
		running.Add(1)
		go func() {
			defer running.Done()
			outcomes <- carryOut(one)
		}()
	}
	running.Wait()
	close(outcomes)
	<-written
}

func carryOut(one order) outcome {
	done := outcome{ID: one.ID}
	result, err := one.run()
	if err != nil {
		done.Error = failed(err)
	} else {
		done.Result = result
	}
	if one.Call == "save_file" {
		done.Files = filesOf(one.Folder)
	}
	return done
}

// input has the fields of all calls whose input is not one of the API.
type input struct {
	ID       string            `json:"id"`
	URL      string            `json:"url"`
	IfMatch  int               `json:"if_match"`
	Take     int               `json:"take"`
	Limit    int               `json:"limit"`
	Status   string            `json:"status"`
	Metadata map[string]string `json:"metadata"`
	Name     string            `json:"name"`
	Text     string            `json:"text"`
	Base64   []byte            `json:"base64"`
	Body     string            `json:"body"`
	Headers  map[string]string `json:"headers"`
	Secrets  []string          `json:"secrets"`
}

func (o order) run() (any, error) {
	ctx := context.Background()
	client := o.client()
	in, err := read[input](o.Input)
	if err != nil && o.Call != "preview" {
		in = input{}
	}
	switch o.Call {
	case "generate":
		document, err := read[platen.GenerateInput](o.Input)
		return orError(err, func() (any, error) { return client.Generate(ctx, document, o.callOptions()...) })
	case "generate_pdf":
		document, err := read[platen.GenerateInput](o.Input)
		return orError(err, func() (any, error) { return pdf(client.GeneratePDF(ctx, document, o.callOptions()...)) })
	case "generate_async":
		document, err := read[platen.GenerateAsyncInput](o.Input)
		return orError(err, func() (any, error) { return client.GenerateAsync(ctx, document, o.callOptions()...) })
	case "generate_and_wait":
		document, err := read[platen.GenerateInput](o.Input)
		return orError(err, func() (any, error) { return client.GenerateAndWait(ctx, document, o.callOptions()...) })
	case "wait_for":
		return client.WaitFor(ctx, in.ID)
	case "file":
		return readFile(ctx, client, in.source())
	case "save_file":
		path := filepath.Join(o.Folder, "saved.pdf")
		if err := client.SaveFile(ctx, in.source(), path); err != nil {
			return nil, err
		}
		content, err := os.ReadFile(path)
		return contentOf(content, map[string]any{"files": filesOf(o.Folder)}), err
	case "list_generations":
		filter := platen.GenerationFilter{Limit: in.Limit, Status: platen.GenerationStatus(in.Status), Metadata: in.Metadata}
		return ids(client.Generations.List(ctx, filter), in.Take, func(g platen.Generation) string { return g.ID })
	case "list_templates":
		filter := platen.Filter{Limit: in.Limit}
		return ids(client.Templates.List(ctx, filter), in.Take, func(t platen.ListedTemplate) string { return t.ID })
	case "list_batches":
		filter := platen.Filter{Limit: in.Limit}
		return ids(client.Batches.List(ctx, filter), in.Take, func(b platen.Batch) string { return b.ID })
	case "create_batch":
		batch, err := read[platen.BatchRequest](o.Input)
		return orError(err, func() (any, error) { return client.Batches.Create(ctx, batch, o.callOptions()...) })
	case "get_batch":
		return client.Batches.Get(ctx, in.ID)
	case "cancel_batch":
		return client.Batches.Cancel(ctx, in.ID)
	case "create_template":
		template, err := read[platen.CreateTemplateRequest](o.Input)
		return orError(err, func() (any, error) { return client.Templates.Create(ctx, template) })
	case "get_template":
		return client.Templates.Get(ctx, in.ID)
	case "update_template":
		changes, err := read[platen.UpdateTemplateRequest](o.Input)
		return orError(err, func() (any, error) {
			return client.Templates.Update(ctx, in.ID, changes, platen.WithIfMatch(in.IfMatch))
		})
	case "delete_template":
		return nil, client.Templates.Delete(ctx, in.ID)
	case "put_asset":
		content := in.Base64
		if in.Text != "" {
			content = []byte(in.Text)
		}
		return client.Assets.Put(ctx, in.Name, content)
	case "preview":
		document, err := read[platen.PreviewRequest](o.Input)
		return orError(err, func() (any, error) {
			content, err := client.Preview(ctx, document)
			return contentOf(content, nil), err
		})
	case "webhook_secret":
		secret, err := client.WebhookSecret(ctx)
		return map[string]string{"secret": secret}, err
	case "verify_webhook":
		header := http.Header{}
		for name, value := range in.Headers {
			header.Set(name, value)
		}
		return platen.VerifyWebhook([]byte(in.Body), header, in.Secrets...)
	}
	return nil, fmt.Errorf("there is no call %s", o.Call)
}

func (o order) client() *platen.Client {
	var options []platen.Option
	if o.Options.Retries != nil {
		options = append(options, platen.WithRetries(*o.Options.Retries))
	}
	if o.Options.TimeoutMS > 0 {
		options = append(options, platen.WithTimeout(time.Duration(o.Options.TimeoutMS)*time.Millisecond))
	}
	return platen.New(o.URL, o.Key, options...)
}

func (o order) callOptions() []platen.CallOption {
	if o.Options.IdempotencyKey == "" {
		return nil
	}
	return []platen.CallOption{platen.WithIdempotencyKey(o.Options.IdempotencyKey)}
}

func (in input) source() string {
	if in.URL != "" {
		return in.URL
	}
	return in.ID
}

func read[T any](text json.RawMessage) (value T, err error) {
	err = json.Unmarshal(text, &value)
	return value, err
}

func orError(err error, call func() (any, error)) (any, error) {
	if err != nil {
		return nil, err
	}
	return call()
}

func readFile(ctx context.Context, client *platen.Client, source string) (any, error) {
	file, err := client.File(ctx, source)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var content bytes.Buffer
	_, err = content.ReadFrom(file)
	return contentOf(content.Bytes(), map[string]any{"name": file.Name}), err
}

func pdf(printed *platen.PDF, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	facts := map[string]any{"id": printed.GenerationID, "pages": printed.Pages, "warnings": printed.Warnings}
	return contentOf(printed.Content, facts), nil
}

func contentOf(content []byte, facts map[string]any) map[string]any {
	if facts == nil {
		facts = map[string]any{}
	}
	facts["size"] = len(content)
	facts["start"] = string(content[:min(len(content), 5)])
	facts["whole"] = bytes.HasPrefix(content, []byte("%PDF-")) && bytes.HasSuffix(content, []byte("\n%%EOF\n"))
	return facts
}

func filesOf(folder string) []string {
	entries, _ := os.ReadDir(folder)
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func ids[T any](items iter.Seq2[T, error], take int, id func(T) string) (any, error) {
	found := []string{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		if found = append(found, id(item)); len(found) == take {
			break
		}
	}
	return map[string]any{"ids": found}, nil
}

func failed(err error) map[string]any {
	if errors.Is(err, platen.ErrWebhook) {
		return map[string]any{"code": "WebhookVerificationError"}
	}
	var failure *platen.Error
	if !errors.As(err, &failure) {
		return map[string]any{"code": err.Error()}
	}
	fields := map[string]any{"code": failure.Code, "message": failure.Message, "details": failure.Details}
	if failure.Status != 0 {
		fields["status"] = failure.Status
	}
	if failure.Details == nil {
		delete(fields, "details")
	}
	for name, value := range map[string]string{
		"request_id":        failure.RequestID,
		"generation_id":     failure.GenerationID,
		"generation_status": string(failure.GenerationStatus),
	} {
		if value != "" {
			fields[name] = value
		}
	}
	return fields
}
