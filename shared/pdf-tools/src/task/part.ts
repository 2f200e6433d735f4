import type { PdfTask } from './task.ts'

/** A part of a task: a step, a page that is drawn, a picture that is encoded. It lasts until the next one begins. */
export interface Part {
  /** What it may take of a processor beyond what every part may take. */
  moreMs: number
}

let tell: (part: Part) => void = () => {}

/** Who limits the parts: the parent of the process. Elsewhere they have no limit. */
export function onPart(begins: (part: Part) => void): void {
  tell = begins
}

const msPerByte = 3_000 / 2 ** 20
const msPerPixel = { draw: 0.2 / 1_000, encode: 2 / 1_000 }
const msPerPair = 0.2
/** What a step may take more. A page may have all that was read. */
let ofStepMs = 0

/** A step, or the operation. */
export const stepOf = ({ sources, files }: Pick<PdfTask, 'sources' | 'files'>): Part => {
  const read = [...sources.map(({ bytes }) => bytes), ...Object.values(files)]
  return { moreMs: msPerByte * read.reduce((sum, { byteLength }) => sum + byteLength, 0) }
}

export function beginStep(task: PdfTask): void {
  ofStepMs = stepOf(task).moreMs
  tell({ moreMs: ofStepMs })
}

export const beginPage = (work: keyof typeof msPerPixel, { width, height }: { width: number; height: number }): void =>
  tell({ moreMs: ofStepMs + msPerPixel[work] * width * height })

/** So many pages are paired with so many others. */
export const beginPairs = (pages: number, others: number): void => tell({ moreMs: msPerPair * pages * others })
