import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from '../button.tsx'
import { formatPercent } from '../format.ts'
import { type ComparedPage, capitalized, type Names, type PageSide, type Which } from './compared.ts'
import type { Pictures } from './pictures.ts'
import { Boxes, Sheet } from './sheet.tsx'
import { pxOfMm } from './zoom.ts'

export interface ViewProps {
  pictures: Pictures
  names: Names
  page: ComparedPage
  scale: number
  boxes: ComparedPage['boxes']
}

/** Views of both sides of a page at one place. */
export interface StackedProps extends ViewProps {
  older: PageSide
  newer: PageSide
}

/** Both sides of a page, or the one that there is. */
export function SideBySide({ pictures, names, page, scale, boxes }: ViewProps) {
  const { from: older, to: newer } = page
  const column = (of: Which, side: PageSide | undefined, other: PageSide | undefined) => (
    <figure class="comparison-side">
      <figcaption>
        {capitalized(names[of])}
        {side !== undefined && <span>page {side.page}</span>}
      </figcaption>
      {side === undefined ? (
        other && <NoPage name={names[of]} like={other} scale={scale} />
      ) : (
        <Sheet pictures={pictures} names={names} of={of} side={side} scale={scale} boxes={boxes} />
      )}
    </figure>
  )
  return (
    <div class="comparison-pair">
      {column('from', older, newer)}
      {column('to', newer, older)}
    </div>
  )
}

function NoPage({ name, like, scale }: { name: string; like: PageSide; scale: number }) {
  const size = { width: `${pxOfMm(like.width) * scale}px`, height: `${pxOfMm(like.height) * scale}px` }
  return (
    <div class="comparison-no-page" style={size}>
      {capitalized(name)} does not have this page
    </div>
  )
}

/** A page that only one of the documents has, or that is the same in both. */
export function Alone({ pictures, names, page, scale }: ViewProps) {
  const side = page.to ?? page.from
  if (side === undefined) return null
  const of = page.to === undefined ? 'from' : 'to'
  const about = page.status === 'same' ? `the same in ${names.from} and ${names.to}` : `only in ${names[of]}`
  return (
    <figure class="comparison-side">
      <figcaption>
        Page {side.page}
        <span>{about}</span>
      </figcaption>
      <Sheet pictures={pictures} names={names} of={of} side={side} scale={scale} />
    </figure>
  )
}

/** The newer document over the older one, as transparent as one likes. */
export function Overlay(props: StackedProps) {
  const { pictures, names, older, newer, scale } = props
  const percent = useSignal(50)
  return (
    <>
      <label class="comparison-above">
        <span>
          <span class="visually-hidden">Opacity of {names.to}, over </span>
          {capitalized(names.from)}
        </span>
        <input
          type="range"
          min={0}
          max={100}
          value={percent.value}
          aria-valuetext={formatPercent(percent.value / 100)}
          onInput={({ currentTarget }) => {
            percent.value = Number(currentTarget.value)
          }}
        />
        <span aria-hidden="true">{capitalized(names.to)}</span>
      </label>
      <Stack {...props}>
        <Sheet pictures={pictures} names={names} scale={scale} of="from" side={older} />
        <Sheet pictures={pictures} names={names} scale={scale} of="to" side={newer} opacity={percent.value / 100} />
      </Stack>
    </>
  )
}

/** The older document at the left of a divider, the newer one at its right. Arrows and the pointer move it. */
export function Slider(props: StackedProps) {
  const { pictures, names, older, newer, scale } = props
  const place = useSignal(50)
  return (
    <Stack {...props}>
      <Sheet pictures={pictures} names={names} scale={scale} of="from" side={older} />
      <Sheet pictures={pictures} names={names} scale={scale} of="to" side={newer} clipLeft={place.value / 100} />
      <input
        type="range"
        class="comparison-slider"
        min={0}
        max={100}
        step={1}
        value={place.value}
        aria-label={`Divider between ${names.from} and ${names.to}`}
        aria-valuetext={`${formatPercent(place.value / 100)} of ${names.from}`}
        onInput={({ currentTarget }) => {
          place.value = Number(currentTarget.value)
        }}
      />
      <span class="comparison-divider" aria-hidden="true" style={{ left: `${place.value}%` }} />
    </Stack>
  )
}

/** Slow enough that it is no flashing (WCAG 2.3.1). */
const blinkMs = 800

/** Shows the documents in turn. It stands still for who wants less motion. */
export function Blink(props: StackedProps) {
  const { pictures, names, older, newer, scale } = props
  const isNewer = useSignal(true)
  const isRunning = useSignal(!matchMedia('(prefers-reduced-motion: reduce)').matches)
  const { value: runs } = isRunning
  const turn = () => {
    isNewer.value = !isNewer.value
  }
  useEffect(() => {
    if (!runs) return
    const timer = setInterval(turn, blinkMs)
    return () => clearInterval(timer)
  }, [runs])
  return (
    <>
      <div class="comparison-above">
        <Button
          icon={runs ? 'pause' : 'play'}
          onClick={() => {
            isRunning.value = !runs
          }}
        >
          {runs ? 'Pause' : 'Play'}
        </Button>
        <Button disabled={runs} onClick={turn}>
          Show {isNewer.value ? names.from : names.to}
        </Button>
        <b>{capitalized(isNewer.value ? names.to : names.from)}</b>
      </div>
      <Stack {...props}>
        <Sheet pictures={pictures} names={names} scale={scale} of="from" side={older} isHidden={isNewer.value} />
        <Sheet pictures={pictures} names={names} scale={scale} of="to" side={newer} isHidden={!isNewer.value} />
      </Stack>
    </>
  )
}

function Stack({ older, newer, scale, boxes, children }: StackedProps & { children: ComponentChildren }) {
  const width = pxOfMm(Math.max(older.width, newer.width)) * scale
  const height = pxOfMm(Math.max(older.height, newer.height)) * scale
  return (
    <div class="comparison-stack" style={{ width: `${width}px`, height: `${height}px` }}>
      {children}
      <div
        class="comparison-boxes"
        style={{ width: `${pxOfMm(newer.width) * scale}px`, height: `${pxOfMm(newer.height) * scale}px` }}
      >
        <Boxes boxes={boxes} side={newer} />
      </div>
    </div>
  )
}
