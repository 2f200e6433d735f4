import { useRef } from 'preact/hooks'
import { Button } from '../button.tsx'
import { textOf } from '../use-action.ts'
import { useResource } from '../use-resource.ts'
import { useSlow } from '../use-slow.ts'
import type { ComparedPage, Names, PageSide, Which } from './compared.ts'
import type { Pictures } from './pictures.ts'
import { pxOfMm } from './zoom.ts'

interface Picture {
  src: string | undefined
  isLoading: boolean
  error: unknown
  retry(): void
}

interface Asked {
  of: Which
  side: PageSide
  /** How wide it is shown, in CSS pixels. */
  shownWidth: number
}

const widths = [600, 800, 1200, 1600, 2400, 3200, 4000]
/** A picture is drawn anew when it would be shown so much larger than it is. */
const blurred = 1.3

/** The picture of a page: that of the comparison, until a larger one is needed and drawn. */
function usePicture(pictures: Pictures, { of, side, shownWidth }: Asked): Picture {
  const pixels = shownWidth * devicePixelRatio
  const given = side.image === undefined ? undefined : `data:image/png;base64,${side.image}`
  const isEnough = given !== undefined && pixels <= pxOfMm(side.width) * blurred
  const width = widths.find((one) => one >= pixels) ?? 4000
  const page = `${of} ${side.page}`
  const drawn = useResource<string | undefined>(isEnough ? `${page} given` : `${page} ${width}`, async (signal) =>
    isEnough ? undefined : pictures.draw({ of, page: side.page, width }, signal),
  )
  // A smaller one of the same page stays until the larger one is there.
  const last = useRef<{ page: string; src: string | undefined }>(undefined)
  if (last.current?.page !== page) last.current = { page, src: undefined }
  if (drawn.value !== undefined) last.current.src = drawn.value
  const src = isEnough ? given : (drawn.value ?? last.current.src ?? given)
  return { src, isLoading: drawn.isLoading && !isEnough, error: drawn.error, retry: drawn.reload }
}

export interface SheetProps {
  pictures: Pictures
  names: Names
  of: Which
  side: PageSide
  scale: number
  /** Drawn around what differs. */
  boxes?: ComparedPage['boxes']
  /** From 0 to 1. */
  opacity?: number
  /** What of it is to be seen, from the left edge on: from 0 to 1. */
  clipLeft?: number
  isHidden?: boolean
}

/** A page as large as it is on paper, times the scale. */
export function Sheet({ pictures, names, of, side, scale, boxes = [], opacity, clipLeft, isHidden }: SheetProps) {
  const [width, height] = [pxOfMm(side.width) * scale, pxOfMm(side.height) * scale]
  const { src, isLoading, error, retry } = usePicture(pictures, { of, side, shownWidth: width })
  const isSlow = useSlow(isLoading && src === undefined)
  return (
    <div
      class="paper comparison-sheet"
      style={{
        width: `${width}px`,
        height: `${height}px`,
        opacity: opacity === undefined ? '' : String(opacity),
        clipPath: clipLeft === undefined ? '' : `inset(0 0 0 ${clipLeft * 100}%)`,
        visibility: isHidden === true ? 'hidden' : '',
      }}
    >
      {src !== undefined && <img src={src} alt={`Page ${side.page} of ${names[of]}`} draggable={false} />}
      {isSlow && <p class="comparison-sheet-state">Drawing…</p>}
      {error !== undefined && src === undefined && (
        <div class="comparison-sheet-state" role="alert">
          <p>The picture could not be drawn: {textOf(error)}</p>
          <Button onClick={retry}>Try again</Button>
        </div>
      )}
      <Boxes boxes={boxes} side={side} />
    </div>
  )
}

/** Frames around what differs. */
export function Boxes({ boxes, side }: { boxes: ComparedPage['boxes']; side: PageSide }) {
  return boxes.map(({ x, y, width, height }) => (
    <span
      key={`${x} ${y} ${width} ${height}`}
      class="comparison-box"
      style={{
        left: `${(100 * x) / side.width}%`,
        top: `${(100 * y) / side.height}%`,
        width: `${(100 * width) / side.width}%`,
        height: `${(100 * height) / side.height}%`,
      }}
    />
  ))
}
