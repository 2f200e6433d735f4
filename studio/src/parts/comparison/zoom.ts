import { zoomOfAddress } from '../zoom.tsx'

/** CSS pixels at 100 %. */
export const pxOfMm = (mm: number): number => (mm * 96) / 25.4

const smallest = 0.1

/** How large the pages are shown: as the address says, else as wide as there is room, but not larger than paper. */
export function scaleOf({ contentMm, gapPx, roomPx }: { contentMm: number; gapPx: number; roomPx: number }): number {
  const zoom = zoomOfAddress()
  return zoom === 'fit' ? Math.min(1, Math.max(smallest, (roomPx - gapPx) / pxOfMm(contentMm))) : zoom
}
