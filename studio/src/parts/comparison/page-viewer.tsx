import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { keepInHistory, keptInHistory, queryValue, setQuery } from '../../router/address.ts'
import { IconButton } from '../button.tsx'
import { useShortcut } from '../shortcuts.ts'
import { Tabs } from '../tabs.tsx'
import { ZoomControl } from '../zoom.tsx'
import { type ComparedPage, changeOf, differs, type Names, nameOf, shortChangeOf } from './compared.ts'
import { Alone, Blink, Overlay, SideBySide, Slider } from './page-views.tsx'
import type { Pictures } from './pictures.ts'
import { shownView, showView, views } from './views.ts'
import { scaleOf } from './zoom.ts'

interface PageViewerProps {
  pictures: Pictures
  names: Names
  page: ComparedPage
  /** The page that differs before and after. */
  onNext(): void
  onPrevious(): void
}

const gapPx = 24
const paddingPx = 48

/** One page in both documents. */
export function PageViewer({ pictures, names, page, onNext, onPrevious }: PageViewerProps) {
  const stage = useRef<HTMLElement>(null)
  const room = useSignal(0)
  const view = shownView()
  const hasBoxes = queryValue('boxes') !== 'off'
  const { from: older, to: newer } = page
  const isBeside = view === '' && differs(page)
  const widest = Math.max(older?.width ?? 0, newer?.width ?? 0)
  const contentMm = isBeside ? (older?.width ?? widest) + (newer?.width ?? widest) : widest
  const scale = scaleOf({ contentMm, gapPx: paddingPx + (isBeside ? gapPx : 0), roomPx: room.value })
  useLayoutEffect(() => {
    const { current } = stage
    if (current === null) return
    const measure = () => {
      room.value = current.clientWidth
    }
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(current)
    return () => resized.disconnect()
  }, [])
  for (const { value, text, key } of views) useShortcut(key, text, () => showView(value))
  useShortcut('n', 'Next page that differs', onNext)
  useShortcut('p', 'Previous page that differs', onPrevious)
  useShortcut('b', 'Show or hide the boxes', () => setQuery({ boxes: hasBoxes ? 'off' : '' }))
  useKeptScroll(stage, page, room.value > 0)
  const boxes = hasBoxes ? page.boxes : []
  const common = { pictures, names, page, scale, boxes }
  return (
    <section class="comparison-viewer" aria-label={`${nameOf(page)}, ${changeOf(page)}`}>
      <div class="comparison-tools">
        <h2 class="comparison-page-name" title={changeOf(page)}>
          {nameOf(page)} <small>{shortChangeOf(page)}</small>
        </h2>
        <IconButton icon="chevron-left" label="Previous page that differs" onClick={onPrevious} />
        <IconButton icon="chevron-right" label="Next page that differs" onClick={onNext} />
        <span class="space" />
        <Tabs label="View" name="view" tabs={views} />
        <IconButton
          icon="square-dashed"
          label="Boxes around what differs"
          aria-pressed={hasBoxes}
          onClick={() => setQuery({ boxes: hasBoxes ? 'off' : '' })}
        />
        <ZoomControl scale={scale} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="comparison-stage" ref={stage} tabIndex={0} aria-label="Pictures of the page">
        {room.value > 0 &&
          (!differs(page) ? (
            <Alone {...common} />
          ) : view === '' ? (
            <SideBySide {...common} />
          ) : older === undefined || newer === undefined ? (
            <Alone {...common} />
          ) : view === 'overlay' ? (
            <Overlay {...common} older={older} newer={newer} />
          ) : view === 'slider' ? (
            <Slider {...common} older={older} newer={newer} />
          ) : (
            <Blink {...common} older={older} newer={newer} />
          ))}
      </section>
    </section>
  )
}

const keptName = 'pageScroll'
const pauseMs = 200

/** A reload, back and forward find the place. Else the first place that differs is shown. */
function useKeptScroll(stage: { current: HTMLElement | null }, page: ComparedPage, isReady: boolean): void {
  useEffect(() => {
    const { current } = stage
    if (current === null || !isReady) return
    const place = keptInHistory(keptName)
    if (Array.isArray(place)) current.scrollTo({ left: Number(place[0]), top: Number(place[1]) })
    else showFirstBox(current)
  }, [page, isReady])
  useEffect(() => {
    const { current } = stage
    if (current === null) return
    let timer: ReturnType<typeof setTimeout>
    const keep = () => {
      clearTimeout(timer)
      timer = setTimeout(() => keepInHistory(keptName, [current.scrollLeft, current.scrollTop]), pauseMs)
    }
    current.addEventListener('scroll', keep, { passive: true })
    return () => {
      clearTimeout(timer)
      current.removeEventListener('scroll', keep)
    }
  }, [])
}

/** What differs is to be seen also where the page is larger than the window. */
function showFirstBox(stage: HTMLElement): void {
  const box = stage.querySelector('.comparison-box')?.getBoundingClientRect()
  if (box === undefined) return
  const { top, left, height, width } = stage.getBoundingClientRect()
  // Of what is larger than the window, the beginning.
  const isSeen = (from: number, to: number, length: number) =>
    from >= 0 && from < length && (to <= length || to - from > length)
  if (isSeen(box.top - top, box.bottom - top, height) && isSeen(box.left - left, box.right - left, width)) return
  stage.scrollBy({
    top: box.top - top - Math.max(0, (height - box.height) / 2),
    left: box.left - left - Math.max(0, (width - box.width) / 2),
  })
}
