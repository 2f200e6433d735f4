import { Button } from '../button.tsx'
import { textOf } from '../use-action.ts'
import { useSlow } from '../use-slow.ts'
import type { ComparedPage, Names, PageSide, Which } from './compared.ts'
import type { Pictures } from './pictures.ts'
import { usePicture } from './use-picture.ts'
import { pxOfMm } from './zoom.ts'

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
