package platen

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"
)

// begun sends the beginning of a PDF, and no more until the client is gone.
func begun(t *testing.T) (*File, *atomic.Int32) {
	requests := new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Type", pdfType)
		w.Header().Set("Content-Length", "1000")
		w.Header().Set("Etag", `"a"`)
		io.WriteString(w, "%PDF-1.7")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	file, err := New(server.URL, "pk_1").File(context.Background(), "pdf_1")
	if err != nil {
		t.Fatal(err)
	}
	return file, requests
}

func TestAClosedFileIsNotRequestedAgain(t *testing.T) {
	file, requests := begun(t)
	file.Close()
	if _, err := io.ReadAll(file); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the error of a read is %v", err)
	}
	if sent := requests.Load(); sent != 1 {
		t.Errorf("%d requests were sent", sent)
	}
}

func TestCloseEndsARead(t *testing.T) {
	file, requests := begun(t)
	read := make(chan error)
	go func() {
		_, err := io.ReadAll(file)
		read <- err
	}()
	file.Close()
	if err := <-read; !errors.Is(err, os.ErrClosed) {
		t.Errorf("the error of the read is %v", err)
	}
	if sent := requests.Load(); sent != 1 {
		t.Errorf("%d requests were sent", sent)
	}
}
