import { useRef } from 'preact/hooks'
import { useResource } from '../use-resource.ts'
import type { PageSide, Which } from './compared.ts'
import type { Pictures } from './pictures.ts'
import { pxOfMm } from './zoom.ts'

export interface Picture {
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
export function usePicture(pictures: Pictures, { of, side, shownWidth }: Asked): Picture {
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
