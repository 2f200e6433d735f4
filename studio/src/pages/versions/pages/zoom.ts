import { queryValue, setQuery } from '../../../router/address.ts'

/** CSS pixels at 100 %. */
export const pxOfMm = (mm: number): number => (mm * 96) / 25.4

const steps = [25, 33, 50, 67, 75, 90, 100, 125, 150, 200, 300, 400]
const [smallest, largest] = [10, 400]

export interface Zoom {
  /** 1: as large as on paper. */
  scale: number
  isFit: boolean
  by(step: 1 | -1): void
  fit(): void
}

/** How large the pages are shown: as the address says in percent, else as wide as there is room, but not larger than paper. */
export function useZoom({ contentMm, gapPx, roomPx }: { contentMm: number; gapPx: number; roomPx: number }): Zoom {
  const wanted = Number(queryValue('zoom'))
  const isFit = !(wanted >= smallest && wanted <= largest)
  const fitting = Math.min(1, Math.max(smallest / 100, (roomPx - gapPx) / pxOfMm(contentMm)))
  const scale = isFit ? fitting : wanted / 100
  return {
    scale,
    isFit,
    by(step) {
      const percent = Math.round(scale * 100)
      const next = step > 0 ? steps.find((one) => one > percent) : steps.findLast((one) => one < percent)
      if (next !== undefined) setQuery({ zoom: String(next) })
    },
    fit: () => setQuery({ zoom: '' }),
  }
}
