import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { formatPercent } from '../../../parts/format.ts'
import type { ComparedPage, PageSide } from './compared.ts'
import type { Pictures } from './pictures.ts'
import { Boxes, Sheet } from './sheet.tsx'
import { pxOfMm } from './zoom.ts'

export interface ViewProps {
  pictures: Pictures
  from: number
  to: number
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
export function SideBySide({ pictures, from, to, page, scale, boxes }: ViewProps) {
  const { from: older, to: newer } = page
  const column = (version: number, side: PageSide | undefined, other: PageSide | undefined) => (
    <figure class="versions-side">
      <figcaption>
        Version {version}
        {side !== undefined && <span>page {side.page}</span>}
      </figcaption>
      {side === undefined ? (
        other && <NoPage version={version} like={other} scale={scale} />
      ) : (
        <Sheet {...{ pictures, version, side, scale, boxes }} />
      )}
    </figure>
  )
  return (
    <div class="versions-pair">
      {column(from, older, newer)}
      {column(to, newer, older)}
    </div>
  )
}

function NoPage({ version, like, scale }: { version: number; like: PageSide; scale: number }) {
  const size = { width: `${pxOfMm(like.width) * scale}px`, height: `${pxOfMm(like.height) * scale}px` }
  return (
    <div class="versions-no-page" style={size}>
      Version {version} does not have this page
    </div>
  )
}

/** A page that only one of the versions has, or that is the same in both. */
export function Alone({ pictures, from, to, page, scale }: ViewProps) {
  const side = page.to ?? page.from
  if (side === undefined) return null
  const version = page.to === undefined ? from : to
  const about = page.status === 'same' ? `the same in versions ${from} and ${to}` : `only in version ${version}`
  return (
    <figure class="versions-side">
      <figcaption>
        Page {side.page}
        <span>{about}</span>
      </figcaption>
      <Sheet {...{ pictures, version, side, scale }} />
    </figure>
  )
}

/** The newer version over the older one, as transparent as one likes. */
export function Overlay(props: StackedProps) {
  const { pictures, from, to, older, newer, scale } = props
  const percent = useSignal(50)
  return (
    <>
      <label class="versions-above">
        <span>
          <span class="visually-hidden">Opacity of version {to}, over </span>Version {from}
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
        <span aria-hidden="true">Version {to}</span>
      </label>
      <Stack {...props}>
        <Sheet {...{ pictures, scale }} version={from} side={older} />
        <Sheet {...{ pictures, scale }} version={to} side={newer} opacity={percent.value / 100} />
      </Stack>
    </>
  )
}

/** The older version at the left of a divider, the newer one at its right. Arrows and the pointer move it. */
export function Slider(props: StackedProps) {
  const { pictures, from, to, older, newer, scale } = props
  const place = useSignal(50)
  return (
    <Stack {...props}>
      <Sheet {...{ pictures, scale }} version={from} side={older} />
      <Sheet {...{ pictures, scale }} version={to} side={newer} clipLeft={place.value / 100} />
      <input
        type="range"
        class="versions-slider"
        min={0}
        max={100}
        step={1}
        value={place.value}
        aria-label={`Divider between version ${from} and version ${to}`}
        aria-valuetext={`${formatPercent(place.value / 100)} of version ${from}`}
        onInput={({ currentTarget }) => {
          place.value = Number(currentTarget.value)
        }}
      />
      <span class="versions-divider" aria-hidden="true" style={{ left: `${place.value}%` }} />
    </Stack>
  )
}

/** Slow enough that it is no flashing (WCAG 2.3.1). */
const blinkMs = 800

/** Shows the versions in turn. It stands still for who wants less motion. */
export function Blink(props: StackedProps) {
  const { pictures, from, to, older, newer, scale } = props
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
      <div class="versions-above">
        <Button
          icon={runs ? 'pause' : 'play'}
          onClick={() => {
            isRunning.value = !runs
          }}
        >
          {runs ? 'Pause' : 'Play'}
        </Button>
        <Button disabled={runs} onClick={turn}>
          Show version {isNewer.value ? from : to}
        </Button>
        <span>
          Version <b>{isNewer.value ? to : from}</b>
        </span>
      </div>
      <Stack {...props}>
        <Sheet {...{ pictures, scale }} version={from} side={older} isHidden={isNewer.value} />
        <Sheet {...{ pictures, scale }} version={to} side={newer} isHidden={!isNewer.value} />
      </Stack>
    </>
  )
}

function Stack({ older, newer, scale, boxes, children }: StackedProps & { children: ComponentChildren }) {
  const width = pxOfMm(Math.max(older.width, newer.width)) * scale
  const height = pxOfMm(Math.max(older.height, newer.height)) * scale
  return (
    <div class="versions-stack" style={{ width: `${width}px`, height: `${height}px` }}>
      {children}
      <div
        class="versions-boxes"
        style={{ width: `${pxOfMm(newer.width) * scale}px`, height: `${pxOfMm(newer.height) * scale}px` }}
      >
        <Boxes boxes={boxes} side={newer} />
      </div>
    </div>
  )
}
