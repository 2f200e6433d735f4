import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { errorOf } from '../../api/api-error.ts'
import { send } from '../../api/client.ts'
import { Loaded } from '../states.tsx'
import { useResource } from '../use-resource.ts'
import type { OpenedPdf } from './open-pdf.ts'
import { PdfPage } from './pdf-page.tsx'

interface PdfPagesProps {
  /** Of the API, such as `/v1/generations/pdf_…/file`. */
  url: string
  /** What it is: `Pages of invoice.pdf`. */
  label: string
}

/** The pages of a PDF, one below the other, as wide as there is room. */
export function PdfPages({ url, label }: PdfPagesProps) {
  const opened = useRef<OpenedPdf>(undefined)
  const close = () => {
    void opened.current?.[Symbol.asyncDispose]()
    opened.current = undefined
  }
  const resource = useResource(url, async (signal) => {
    // pdf.js has half a megabyte, and is loaded when the first PDF is shown.
    const [{ openPdf }, bytes] = await Promise.all([import('./open-pdf.ts'), bytesOf(url, signal)])
    const pdf = await openPdf(bytes)
    close()
    opened.current = pdf
    return pdf
  })
  useEffect(() => close, [])
  return (
    <Loaded resource={resource} failure="The PDF could not be loaded">
      {(pdf) => <Pages pdf={pdf} label={label} />}
    </Loaded>
  )
}

/** The bytes of a file of the API. Rejects with an ApiError. */
async function bytesOf(url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await send(new Request(new URL(url, location.origin), { signal }))
  if (response.ok) return new Uint8Array(await response.arrayBuffer())
  throw errorOf(await response.json().catch(() => undefined), response)
}

function Pages({ pdf, label }: { pdf: OpenedPdf; label: string }) {
  const frame = useRef<HTMLElement>(null)
  const width = useSignal(0)
  useEffect(() => {
    const { current } = frame
    if (current === null) return
    const measure = () => {
      width.value = current.clientWidth
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return (
    <section ref={frame} class="pdf-pages" aria-label={label}>
      {Array.from({ length: pdf.document.numPages }, (_, at) => (
        <PdfPage key={`${at}`} pdf={pdf.document} number={at + 1} width={width.value} />
      ))}
    </section>
  )
}
