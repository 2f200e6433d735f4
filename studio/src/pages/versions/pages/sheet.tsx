import { Button } from '../../../parts/button.tsx'
import { textOf } from '../../../parts/use-action.ts'
import { useSlow } from '../../../parts/use-slow.ts'
import type { ComparedPage, PageSide } from './compared.ts'
import type { Pictures } from './pictures.ts'
import { usePicture } from './use-picture.ts'
import { pxOfMm } from './zoom.ts'

export interface SheetProps {
  pictures: Pictures
  version: number
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
export function Sheet({ pictures, version, side, scale, boxes = [], opacity, clipLeft, isHidden }: SheetProps) {
  const [width, height] = [pxOfMm(side.width) * scale, pxOfMm(side.height) * scale]
  const { src, isLoading, error, retry } = usePicture(pictures, { version, side, shownWidth: width })
  const isSlow = useSlow(isLoading && src === undefined)
  return (
    <div
      class="paper versions-sheet"
      style={{
        width: `${width}px`,
        height: `${height}px`,
        opacity: opacity === undefined ? '' : String(opacity),
        clipPath: clipLeft === undefined ? '' : `inset(0 0 0 ${clipLeft * 100}%)`,
        visibility: isHidden === true ? 'hidden' : '',
      }}
    >
      {src !== undefined && <img src={src} alt={`Page ${side.page} of version ${version}`} draggable={false} />}
      {isSlow && <p class="versions-sheet-state">Drawing…</p>}
      {error !== undefined && src === undefined && (
        <div class="versions-sheet-state" role="alert">
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
      class="versions-box"
      style={{
        left: `${(100 * x) / side.width}%`,
        top: `${(100 * y) / side.height}%`,
        width: `${(100 * width) / side.width}%`,
        height: `${(100 * height) / side.height}%`,
      }}
    />
  ))
}
