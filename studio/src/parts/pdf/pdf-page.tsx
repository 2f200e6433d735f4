import { useSignal } from '@preact/signals'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef } from 'preact/hooks'

interface PdfPageProps {
  pdf: PDFDocumentProxy
  /** From 1. */
  number: number
  /** In CSS pixels. The page is drawn for the pixels of the screen. */
  width: number
}

const a4 = Math.SQRT2
/** A page is drawn before it is scrolled to. */
const margin = '600px'
/** `scrollMargin` is for what scrolls inside of the window, as the page does. */
const nearby = { rootMargin: margin, scrollMargin: margin }

/**
 * A page of a PDF as a picture, which is drawn when it is about to be seen. It is let go of when it is far away: those of 500 pages
 * would fill the memory.
 */
export function PdfPage({ pdf, number, width }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isNear = useSignal(false)
  const ratio = useSignal(a4)
  useEffect(() => {
    const { current } = canvas
    if (current === null) return
    const observer = new IntersectionObserver((entries) => {
      isNear.value = entries.at(-1)?.isIntersecting ?? false
    }, nearby)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const { value: near } = isNear
  useEffect(() => {
    const { current } = canvas
    if (current === null) return
    if (!near) {
      current.width = 0
      current.height = 0
      delete current.dataset.drawn
    }
    if (!near || width <= 0) return
    let isStopped = false
    let stop = () => {}
    void (async () => {
      const page = await pdf.getPage(number)
      if (isStopped) return
      const natural = page.getViewport({ scale: 1 })
      ratio.value = natural.height / natural.width
      const viewport = page.getViewport({ scale: (width * devicePixelRatio) / natural.width })
      // Drawn aside, so that the page before stays until this one is there.
      const drawn = document.createElement('canvas')
      drawn.width = Math.round(viewport.width)
      drawn.height = Math.round(viewport.height)
      const task = page.render({ canvas: drawn, viewport })
      stop = () => task.cancel()
      await task.promise
      current.width = drawn.width
      current.height = drawn.height
      current.getContext('2d')?.drawImage(drawn, 0, 0)
      current.dataset.drawn = 'true'
    })().catch(() => {
      // Cancelled, because another width or document is drawn.
    })
    return () => {
      isStopped = true
      stop()
    }
  }, [near, pdf, number, width])
  return (
    <canvas
      ref={canvas}
      class="pdf-page"
      role="img"
      aria-label={`Page ${number}`}
      style={{ width: `${width}px`, height: `${Math.round(width * ratio.value)}px` }}
    />
  )
}
