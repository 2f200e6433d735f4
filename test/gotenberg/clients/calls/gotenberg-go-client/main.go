package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/starwalkn/gotenberg-go-client/v8"
	"github.com/starwalkn/gotenberg-go-client/v8/document"
)

var ctx = context.Background()

func main() {
	key, hook := os.Getenv("API_KEY"), os.Getenv("HOOK_URL")
	client, err := gotenberg.NewClient(os.Getenv("GOTENBERG_URL"), nil)
	check(err)

	html := gotenberg.NewHTMLRequest(text("index.html", `<link rel="stylesheet" href="style.css"><p>Hello</p>`))
	html.Assets(text("style.css", `p::after { content: " styled" }`))
	html.Header(text("header.html", `<p style="font-size: 9px">Head</p>`))
	html.PaperSize(gotenberg.A5)
	html.Margins(gotenberg.NormalMargins)
	html.UseBasicAuth("platen", key)
	check(client.Store(ctx, html, "html.pdf"))

	url := gotenberg.NewURLRequest(os.Getenv("PAGE_URL"))
	url.UseBasicAuth("platen", key)
	check(client.Store(ctx, url, "url.pdf"))

	merge := gotenberg.NewMergeRequest(file("1.pdf", "html.pdf"), file("2.pdf", "url.pdf"))
	merge.UseBasicAuth("platen", key)
	check(client.Store(ctx, merge, "merge.pdf"))

	archive := gotenberg.NewHTMLRequest(text("index.html", "<title>Kept</title><p>Archived"))
	archive.PdfA(gotenberg.PdfA3b)
	archive.UseBasicAuth("platen", key)
	check(client.Store(ctx, archive, "archive.pdf"))

	later := gotenberg.NewHTMLRequest(text("index.html", "<p>Later"))
	later.OutputFilename("later")
	later.UseWebhook(hook, hook+"/error")
	check(later.SetWebhookExtraHeaders(map[string]string{"x-order": "7"}))
	later.UseBasicAuth("platen", key)
	response, err := client.Send(ctx, later)
	check(err)
	if response.StatusCode != 204 {
		check(fmt.Errorf("the webhook was answered with %d", response.StatusCode))
	}
}

func text(name, content string) document.Document {
	made, err := document.FromString(name, content)
	check(err)
	return made
}

func file(name, path string) document.Document {
	made, err := document.FromPath(name, path)
	check(err)
	return made
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
