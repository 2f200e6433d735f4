/**
 * The default memory of one browser process, in MiB. V8's own limit applies to its heap only: buffers, canvases, WebAssembly and
 * DOM nodes come on top, up to a gigabyte a second in a malicious document. A process over the limit crashes its page.
 */
export const defaultDocumentMemoryMb = 1_536
