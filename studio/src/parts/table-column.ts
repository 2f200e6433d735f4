import type { ComponentChildren } from 'preact'

/** A column of a `Table`. */
export interface Column<Item> {
  id: string
  /** Empty for a column of buttons or boxes, which needs a `label`. */
  header: string
  label?: string
  cell(item: Item): ComponentChildren
  /** A CSS width, such as `12rem`. The columns without one share what is left. */
  width?: string
  /** `end` for numbers. */
  align?: 'end'
  /** Left out where the table has less than 900 px. */
  isWide?: boolean
  /** The value of `sort` for this column. */
  sort?: string
}

/** How a list is sorted, and what a click on the head of a column does. */
export interface Sort {
  by: string
  onSort(by: string): void
}
