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

/** A step, or the operation. */
export const stepOf = ({ sources, files }: Pick<PdfTask, 'sources' | 'files'>): Part => {
  const read = [...sources.map(({ bytes }) => bytes), ...Object.values(files)]
  return { moreMs: msPerByte * read.reduce((sum, { byteLength }) => sum + byteLength, 0) }
}

export const beginStep = (task: PdfTask): void => tell(stepOf(task))

export const beginPage = (work: keyof typeof msPerPixel, { width, height }: { width: number; height: number }): void =>
  tell({ moreMs: msPerPixel[work] * width * height })
