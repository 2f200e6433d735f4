import type { ComparedPage } from './compared.ts'

/** In pixels. */
const height = 40
const smallest = 3

/** A page in little, with the areas that differ. */
export function PageGlyph({ page }: { page: ComparedPage }) {
  const { status, boxes, from, to } = page
  const side = to ?? from
  if (side === undefined) return null
  const width = Math.min(56, (height * side.width) / side.height)
  const pxPerMm = width / side.width
  return (
    <span class="comparison-glyph" data-status={status} style={{ width: `${width}px`, height: `${height}px` }}>
      {status === 'changed' &&
        boxes.map(({ x, y, width, height }) => (
          <span
            key={`${x} ${y} ${width} ${height}`}
            style={{
              left: `${x * pxPerMm}px`,
              top: `${y * pxPerMm}px`,
              width: `${Math.max(smallest, width * pxPerMm)}px`,
              height: `${Math.max(smallest, height * pxPerMm)}px`,
            }}
          />
        ))}
    </span>
  )
}
