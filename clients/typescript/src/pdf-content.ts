/** How many bytes at the end of a file have its `%%EOF`: readers of PDF look there. */
export const pdfEndLength = 1_024

export const startsAsPdf = (bytes: Uint8Array) => latin1(bytes.subarray(0, 5)) === '%PDF-'

/** `bytes` may be the end of a file only. */
export const endsAsPdf = (bytes: Uint8Array) => latin1(bytes.subarray(-pdfEndLength)).includes('%%EOF')

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes)
