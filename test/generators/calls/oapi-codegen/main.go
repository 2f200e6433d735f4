package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/calls/platen"
)

var (
	ctx  = context.Background()
	slug = os.Getenv("SLUG")
)

func expect(holds bool, err error, about any) {
	if err != nil || !holds {
		log.Fatalf("%v: %+v", err, about)
	}
}

func to[T any](value T) *T { return &value }

func main() {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	client, err := platen.NewClientWithResponses(os.Getenv("PLATEN_URL"), platen.WithRequestEditorFn(key))
	expect(true, err, "")

	names := []string{slug, slug + "-2"}
	for _, name := range names {
		body := platen.CreateTemplateRequest{Name: name, Html: "<h1>Hello {{name}}</h1>"}
		created, err := client.CreateTemplateWithResponse(ctx, nil, body)
		expect(err == nil && created.JSON201 != nil && created.JSON201.Version == 1, err, created)
	}
	fmt.Println("ok create")

	match := &platen.UpdateTemplateParams{IfMatch: to(`"1"`)}
	changed, err := client.UpdateTemplateWithResponse(ctx, slug, match, platen.UpdateTemplateRequest{Name: to("changed")})
	expect(err == nil && changed.JSON200 != nil && changed.JSON200.Version == 2, err, changed)
	stale, err := client.UpdateTemplateWithResponse(ctx, slug, match, platen.UpdateTemplateRequest{Name: to("stale")})
	expect(err == nil && stale.JSON412 != nil && stale.JSON412.Error.Code == "PRECONDITION_FAILED", err, stale)
	fmt.Println("ok change")

	for variable, contentType := range map[string]string{"PNG": "image/png", "FONT": "font/ttf"} {
		file, err := os.Open(os.Getenv(variable))
		expect(true, err, variable)
		name := slug + map[string]string{"PNG": "-picture", "FONT": "-font"}[variable]
		put, err := client.PutAssetWithBodyWithResponse(ctx, name, nil, "application/octet-stream", file)
		expect(err == nil && put.JSON201 != nil && string(put.JSON201.Type) == contentType, err, put)
	}
	fmt.Println("ok upload")

	printed, err := client.GenerateWithResponse(ctx, nil, platen.GenerateRequest{Html: to("<p>one")})
	expect(err == nil && printed.JSON200 != nil, err, printed)
	pdf, err := client.GetGenerationFileWithResponse(ctx, printed.JSON200.Id, nil)
	expect(err == nil && bytes.HasPrefix(pdf.Body, []byte("%PDF-")), err, pdf)
	fmt.Println("ok generate-bytes")
	expect(printed.JSON200.Status == platen.Completed && *printed.JSON200.Pages == 1, nil, printed)
	fmt.Println("ok generate-json")

	queued, err := client.GenerateWithResponse(ctx, nil, platen.GenerateRequest{Template: to(slug), Async: to(true)})
	expect(err == nil && queued.JSON202 != nil, err, queued)
	status := queued.JSON202.Status
	for status == platen.Queued || status == platen.Rendering {
		polled, err := client.GetGenerationWithResponse(ctx, queued.JSON202.Id, &platen.GetGenerationParams{Wait: to(10)})
		expect(err == nil && polled.JSON200 != nil, err, polled)
		status = polled.JSON200.Status
	}
	expect(status == platen.Completed, nil, status)
	fmt.Println("ok async")

	seen := map[string]bool{}
	for params := (&platen.ListTemplatesParams{Limit: to(1)}); ; {
		page, err := client.ListTemplatesWithResponse(ctx, params)
		expect(err == nil && page.JSON200 != nil, err, page)
		for _, each := range page.JSON200.Data {
			seen[each.Slug] = true
		}
		if params.Cursor = page.JSON200.NextCursor; params.Cursor == nil {
			break
		}
	}
	expect(seen[names[0]] && seen[names[1]], nil, seen)
	fmt.Println("ok list")

	missing, err := client.GetTemplateWithResponse(ctx, "no-such-template", nil)
	expect(err == nil && missing.JSON404 != nil && missing.JSON404.Error.Code == "TEMPLATE_NOT_FOUND", err, missing)
	fmt.Println("ok error")

	for format, begin := range map[platen.PreviewFormat]string{platen.Pdf: "%PDF-", platen.Png: "\x89PNG"} {
		shown, err := client.PreviewWithResponse(ctx, nil, platen.PreviewRequest{Html: to("<p>one"), Format: to(format)})
		expect(err == nil && bytes.HasPrefix(shown.Body, []byte(begin)), err, format)
	}
	fmt.Println("ok preview")

	for _, name := range names {
		deleted, err := client.DeleteTemplateWithResponse(ctx, name, nil)
		expect(err == nil && deleted.StatusCode() == 204, err, deleted)
	}
	gone, err := client.GetTemplateWithResponse(ctx, slug, nil)
	expect(err == nil && gone.JSON404 != nil, err, gone)
	fmt.Println("ok delete")
}
