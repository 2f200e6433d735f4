import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Failure, Loading } from '../states.tsx'
import { useResource } from '../use-resource.ts'
import { loadBytes } from './load-bytes.ts'
import { PdfView } from './pdf-view.ts'

interface PdfPagesProps {
  /** Of the API, such as `/v1/generations/pdf_…/file`. */
  url: string
  /** What it is: `Pages of invoice.pdf`. */
  label: string
}

/** The pages of a PDF, one below the other, as wide as there is room. The page around them scrolls. */
export function PdfPages({ url, label }: PdfPagesProps) {
  const host = useRef<HTMLElement>(null)
  const view = useRef<PdfView>(undefined)
  const revision = useRef(0)
  const isDrawn = useSignal(false)
  useEffect(() => {
    const { current } = host
    const scroller = current?.closest<HTMLElement>('.content')
    if (!current || !scroller) return
    const opened = new PdfView(current, {
      scroller,
      onDrawn: () => {
        isDrawn.value = true
      },
    })
    view.current = opened
    return () => opened.destroy()
  }, [])
  const { error, reload } = useResource(url, async (signal) => {
    const bytes = await loadBytes(url, signal)
    if (!signal.aborted) await view.current?.show(bytes, ++revision.current)
  })
  return (
    <>
      {error !== undefined && <Failure error={error} title="The PDF could not be loaded" retry={reload} />}
      {error === undefined && !isDrawn.value && <Loading />}
      <section ref={host} class="pdf-pages" aria-label={label} />
    </>
  )
}
