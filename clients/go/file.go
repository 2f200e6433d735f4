package platen

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// File is a PDF that is being downloaded. Where the connection breaks, the download continues there with a range
// request. It must be closed.
type File struct {
	// Name is for those who save it, such as "Invoice 2026-0042.pdf".
	Name string
	// Size is in bytes, and -1 if a proxy has compressed the response.
	Size int64

	client *Client
	ctx    context.Context
	end    context.CancelCauseFunc
	target string
	first  *answer
	start  *bytes.Reader

	// mutex is for Close, which may be called while another goroutine reads.
	mutex    sync.Mutex
	body     io.ReadCloser
	timer    *time.Timer
	cancel   context.CancelCauseFunc
	partCtx  context.Context
	tag      string
	received int64
	last     []byte
	failures int
}

// File opens the PDF of a signed URL, or of the id of a generation, which needs a key with the scope
// generations:read. It returns when the beginning of a PDF has arrived.
func (c *Client) File(ctx context.Context, source string) (*File, error) {
	f := &File{client: c, target: source, Size: -1}
	f.ctx, f.end = context.WithCancelCause(ctx)
	a, err := f.open(http.Header{})
	if err != nil {
		f.end(err)
		return nil, err
	}
	f.first = a
	f.Name = fileName(a.header)
	if a.header.Get("Content-Encoding") == "" {
		f.Size = a.stream.ContentLength
		if tag := a.header.Get("Etag"); !strings.HasPrefix(tag, "W/") {
			f.tag = tag
		}
	}
	start := make([]byte, len(pdfStart))
	n, err := io.ReadFull(readerFunc(f.read), start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		f.Close()
		return nil, err
	}
	if !bytes.Equal(start[:n], pdfStart) && f.isPDF() {
		more, _ := io.ReadAll(io.LimitReader(readerFunc(f.read), shownBytes))
		f.Close()
		body := append(start[:n], more...)
		return nil, unexpected(&answer{status: a.status, header: a.header, body: body}, "its body is not a PDF")
	}
	f.start = bytes.NewReader(start[:n])
	return f, nil
}

// SaveFile writes a PDF to a file while it arrives. The file exists only when it is whole.
func (c *Client) SaveFile(ctx context.Context, source, path string) (err error) {
	file, err := c.File(ctx, source)
	if err != nil {
		return err
	}
	defer file.Close()
	// Not by os.CreateTemp, whose files only their owner may read.
	partial, err := os.OpenFile(path+"."+rand.Text()+".part", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(partial.Name())
		}
	}()
	_, err = io.Copy(partial, file)
	if err = errors.Join(err, partial.Close()); err != nil {
		return err
	}
	return os.Rename(partial.Name(), path)
}

func (c *Client) readFile(ctx context.Context, source string) ([]byte, error) {
	file, err := c.File(ctx, source)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// Read reads what has arrived. At the end it returns io.EOF only if the PDF is whole.
func (f *File) Read(p []byte) (int, error) {
	if f.start.Len() > 0 {
		return f.start.Read(p)
	}
	return f.read(p)
}

// Close ends the download, also while another goroutine reads it. Later reads fail with [os.ErrClosed].
func (f *File) Close() error {
	f.end(os.ErrClosed)
	return f.stop()
}

// stop ends the response that is being read.
func (f *File) stop() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.timer.Stop()
	f.cancel(context.Canceled)
	return f.body.Close()
}

func (f *File) read(p []byte) (int, error) {
	for {
		f.timer.Reset(f.timeout())
		n, err := f.body.Read(p)
		f.timer.Stop()
		switch {
		case n > 0:
			f.failures = 0
			f.received += int64(n)
			f.last = append(f.last, p[:n]...)
			f.last = f.last[max(0, len(f.last)-pdfEndLength):]
			return n, nil
		case err == io.EOF:
			return 0, f.finish()
		case err != nil:
			if err := f.resume(err); err != nil {
				return 0, err
			}
		}
	}
}

func (f *File) isPDF() bool { return !hasType(f.first.header, otherFileTypes...) }

func (f *File) finish() error {
	if f.received > 0 && !bytes.Contains(f.last, pdfEnd) && f.isPDF() {
		reason := "its body ends after " + strconv.FormatInt(f.received, 10) + " bytes, in the middle of a PDF"
		return unexpected(&answer{status: f.first.status, header: f.first.header, body: pdfStart}, reason)
	}
	return io.EOF
}

// resume continues a broken download, if the server can tell that the file is the same.
func (f *File) resume(cause error) error {
	f.failures++
	if f.ctx.Err() != nil {
		return interrupted(f.ctx)
	}
	if f.tag == "" || f.failures > f.client.retries {
		if f.partCtx.Err() != nil {
			return interrupted(f.partCtx)
		}
		return networkError(f.first.stream.Request.URL.Host, cause)
	}
	f.stop()
	header := http.Header{"Range": {"bytes=" + strconv.FormatInt(f.received, 10) + "-"}}
	// An object store has entity tags of its own.
	if isRedirected := f.first.stream.Request.Response != nil; !isRedirected {
		header.Set("If-Match", f.tag)
	}
	a, err := f.open(header)
	if err != nil {
		return err
	}
	if a.status != http.StatusPartialContent || a.header.Get("Etag") != f.tag {
		return &Error{Code: CodeUnexpectedResponse, Message: "the rest of the file is not available", Status: a.status}
	}
	return nil
}

func (f *File) open(header http.Header) (*answer, error) {
	r := &request{method: http.MethodGet, target: f.target, check: isFileStream, header: header, isFile: true}
	r.isIdempotent = true
	if strings.HasPrefix(f.target, "pdf_") {
		r.target = path("generations", f.target) + "/file"
	} else {
		r.hasNoKey = true
	}
	r.header.Set("Accept", pdfType)
	// What is compressed on its way has no length and cannot continue.
	r.header.Set("Accept-Encoding", "identity")
	ctx, cancel := context.WithCancelCause(f.ctx)
	timer := time.AfterFunc(f.timeout(), func() { cancel(errTimeout) })
	a, err := f.client.send(ctx, r)
	timer.Stop()
	if err != nil {
		cancel(err)
		return nil, err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.body, f.timer, f.cancel, f.partCtx = a.stream.Body, timer, cancel, ctx
	return a, nil
}

func (f *File) timeout() time.Duration {
	if f.client.timeout > 0 {
		return f.client.timeout
	}
	return defaultTimeout
}

type readerFunc func([]byte) (int, error)

func (read readerFunc) Read(p []byte) (int, error) { return read(p) }

// fileName is that of Content-Disposition (RFC 6266), without folders: a file is saved under it.
func fileName(header http.Header) string {
	_, params, err := mime.ParseMediaType(header.Get("Content-Disposition"))
	name := params["filename"]
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if err != nil || !utf8.ValidString(name) || name == "" || name == "." || name == ".." {
		return "document.pdf"
	}
	return name
}
