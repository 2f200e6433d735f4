/** A row that was taken out of its table. */
export interface TakenRow {
  /** Its index in all rows of the document. */
  at: number
  row: HTMLTableRowElement
  body: HTMLTableSectionElement
  /** The index of its table. */
  table: number
  /** A slice may begin with it: no cell of a row above reaches into it. */
  starts: boolean
}

/** A document that is printed in slices. */
export interface Slices {
  tables: HTMLTableElement[]
  rows: TakenRow[]
  /** Elements that are on each page. */
  fixed: Element[]
  /** Rows may have elements that are absolute or fixed. */
  mayPlace: boolean
  /** Ends what was changed for the slice that is shown. */
  undo: (() => void)[]
  /** The rows that are in the document. */
  from: number
  to: number
}

declare global {
  var platenSlices: Slices | undefined
}

/** What the functions for slices keep from one call to the next, in the isolated world. */
export const slices = {
  get(): Slices {
    if (!globalThis.platenSlices) throw new Error('no rows were taken')
    return globalThis.platenSlices
  },
  set(value: Slices | undefined): void {
    globalThis.platenSlices = value
  },
}
