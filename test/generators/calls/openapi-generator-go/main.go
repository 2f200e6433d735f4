package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	openapi "example.com/calls/client"
)

var slug = os.Getenv("SLUG")

func expect(holds bool, err error, about any) {
	if err != nil || !holds {
		log.Fatalf("%v: %+v", err, about)
	}
}

func to[T any](value T) *T { return &value }

func codeOf(err error) string {
	var failed *openapi.GenericOpenAPIError
	expect(errors.As(err, &failed), nil, err)
	envelope, isEnvelope := failed.Model().(openapi.ErrorEnvelope)
	expect(isEnvelope, nil, err)
	return envelope.Error.Code
}

func hasContent(file *os.File, begin string) bool {
	content, err := io.ReadAll(file)
	return err == nil && bytes.HasPrefix(content, []byte(begin))
}

func main() {
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("API_KEY"))
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("PLATEN_URL")}}
	client := openapi.NewAPIClient(configuration)

	names := []string{slug, slug + "-2"}
	for _, name := range names {
		body := openapi.CreateTemplateRequest{Name: name, Html: "<h1>Hello {{name}}</h1>"}
		created, _, err := client.TemplatesAPI.CreateTemplate(ctx).CreateTemplateRequest(body).Execute()
		expect(err == nil && created.Version == 1, err, created)
	}
	fmt.Println("ok create")

	update := client.TemplatesAPI.UpdateTemplate(ctx, slug).IfMatch(`"1"`)
	changed, _, err := update.UpdateTemplateRequest(openapi.UpdateTemplateRequest{Name: to("changed")}).Execute()
	expect(err == nil && changed.Version == 2, err, changed)
	_, _, err = update.UpdateTemplateRequest(openapi.UpdateTemplateRequest{Name: to("stale")}).Execute()
	expect(codeOf(err) == "PRECONDITION_FAILED", nil, err)
	fmt.Println("ok change")

	for variable, contentType := range map[string]string{"PNG": "image/png", "FONT": "font/ttf"} {
		file, err := os.Open(os.Getenv(variable))
		expect(true, err, variable)
		name := slug + map[string]string{"PNG": "-picture", "FONT": "-font"}[variable]
		put, _, err := client.AssetsAPI.PutAsset(ctx, name).Body(file).Execute()
		expect(err == nil && put.Type == contentType, err, put)
	}
	fmt.Println("ok upload")

	printed, _, err := client.GenerationsAPI.Generate(ctx).GenerateRequest(openapi.GenerateRequest{Html: to("<p>one")}).Execute()
	expect(err == nil, err, printed)
	pdf, _, err := client.FilesAPI.GetGenerationFile(ctx, printed.Id).Execute()
	expect(err == nil && hasContent(pdf, "%PDF-"), err, "the file")
	fmt.Println("ok generate-bytes")
	expect(printed.Status == openapi.COMPLETED && printed.GetPages() == 1, nil, printed)
	fmt.Println("ok generate-json")

	body := openapi.GenerateRequest{Template: to(slug), Async: to(true)}
	queued, _, err := client.GenerationsAPI.Generate(ctx).GenerateRequest(body).Execute()
	for err == nil && (queued.Status == openapi.QUEUED || queued.Status == openapi.RENDERING) {
		queued, _, err = client.GenerationsAPI.GetGeneration(ctx, queued.Id).Wait(10).Execute()
	}
	expect(err == nil && queued.Status == openapi.COMPLETED, err, queued)
	fmt.Println("ok async")

	seen := map[string]bool{}
	for list := client.TemplatesAPI.ListTemplates(ctx).Limit(1); ; {
		page, _, err := list.Execute()
		expect(err == nil, err, page)
		for _, each := range page.Data {
			seen[each.Slug] = true
		}
		if page.NextCursor == nil {
			break
		}
		list = list.Cursor(*page.NextCursor)
	}
	expect(seen[names[0]] && seen[names[1]], nil, seen)
	fmt.Println("ok list")

	_, _, err = client.TemplatesAPI.GetTemplate(ctx, "no-such-template").Execute()
	expect(codeOf(err) == "TEMPLATE_NOT_FOUND", nil, err)
	fmt.Println("ok error")

	for format, begin := range map[openapi.PreviewFormat]string{openapi.PDF: "%PDF-", openapi.PNG: "\x89PNG"} {
		body := openapi.PreviewRequest{Html: to("<p>one"), Format: to(format)}
		shown, _, err := client.GenerationsAPI.Preview(ctx).PreviewRequest(body).Execute()
		expect(err == nil && hasContent(shown, begin), err, format)
	}
	fmt.Println("ok preview")

	for _, name := range names {
		_, err := client.TemplatesAPI.DeleteTemplate(ctx, name).Execute()
		expect(err == nil, err, name)
	}
	_, _, err = client.TemplatesAPI.GetTemplate(ctx, slug).Execute()
	expect(codeOf(err) == "TEMPLATE_NOT_FOUND", nil, err)
	fmt.Println("ok delete")
}
