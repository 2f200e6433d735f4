package platen

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
)

// check says why a successful answer cannot be of Platen, or is not whole. It is empty if it can.
type check func(*answer) string

var (
	pdfStart = []byte("%PDF-")
	pdfEnd   = []byte("%%EOF")
)

// pdfEndLength is how many bytes at the end have %%EOF: readers of PDF look there.
const pdfEndLength = 1024

const (
	jsonType = "application/json"
	pdfType  = "application/pdf"
)

// otherFileTypes are the types of files that are no PDF.
var otherFileTypes = []string{"image/png", "image/jpeg", "image/webp", "application/zip"}

const otherType = "it has another content type"

func hasType(header http.Header, types ...string) bool {
	mediaType, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	return err == nil && slices.Contains(types, mediaType)
}

// isJSON tells whether the body is a JSON object that has the fields of the target.
func isJSON(a *answer, target any) string {
	if !hasType(a.header, jsonType) {
		return otherType
	}
	if trimmed := bytes.TrimLeft(a.body, " \t\r\n"); !bytes.HasPrefix(trimmed, []byte("{")) {
		return "its body is not a JSON object"
	}
	if err := json.Unmarshal(a.body, target); err != nil {
		return "its body is not JSON as it is expected: " + err.Error()
	}
	return ""
}

func isObject(a *answer) string { return isJSON(a, &map[string]any{}) }

func isGeneration(a *answer) string {
	var generation Generation
	if problem := isJSON(a, &generation); problem != "" {
		return problem
	}
	if generation.ID == "" || generation.Status == "" {
		return "its body is not a generation"
	}
	return ""
}

func isPage(a *answer) string {
	var page struct {
		Data *[]json.RawMessage `json:"data"`
	}
	if problem := isJSON(a, &page); problem != "" {
		return problem
	}
	if page.Data == nil {
		return "its body is not a page of a list"
	}
	return ""
}

func isPDF(a *answer) string {
	switch end := a.body[max(0, len(a.body)-pdfEndLength):]; {
	case !hasType(a.header, pdfType):
		return otherType
	case !bytes.HasPrefix(a.body, pdfStart):
		return "its body is not a PDF"
	case !bytes.Contains(end, pdfEnd):
		return "its body is only a part of a PDF"
	}
	return ""
}

func isGeneratedPDF(a *answer) string {
	if problem := isPDF(a); problem != "" {
		return problem
	}
	if a.header.Get("X-Generation-Id") == "" {
		return "it has no id of a generation"
	}
	return ""
}

func isFileStream(a *answer) string {
	if !hasType(a.header, pdfType) && !hasType(a.header, otherFileTypes...) {
		return otherType
	}
	return ""
}

func isPreview(a *answer) string {
	if hasType(a.header, "image/png") {
		return ""
	}
	return isPDF(a)
}

func isAnything(*answer) string { return "" }
