// What the renderer and its functions in pages say to each other. Everything becomes JSON. The renderer has no types of the DOM.

import type { FormInput } from '@platen/pdf-tools/task/document-form.ts'
import type { CarriedSums } from '@platen/templating/html/carried-sums.ts'
import type { TableSizes } from '../inspect/document-traits.ts'
import type { PageRules } from '../inspect/page-rules.ts'

/** Facts about a loaded document, read in its page. Scripts control them, so that every size is bounded. */
export interface DocumentDescription {
  /** `<html lang>`; empty if absent. */
  lang: string
  /** `<meta name="author">`; empty if absent. The same for the next two. */
  author: string
  description: string
  keywords: string
  /** URLs of images that have loaded but are not readable. */
  brokenImages: string[]
  /** Visible characters that the system may have no font for, each once, without those in the document's own fonts. */
  rareCharacters: string
  /** What its `@page` rules without a name set, if requested. */
  pageRules?: PageRules | undefined
  /** The lines and blocks of each heading that has several, if requested. */
  brokenHeadings?: string[][] | undefined
}

/** The parts of the description that take time, which are read only if requested. */
export interface DescriptionParts {
  rareCharacters: boolean
  pageRules: boolean
  brokenHeadings: boolean
}

/** `whenLoaded`: undefined until the document is complete. `atOnce`: the same without layout. `anyway`: the time is up. */
export type DescriptionTime = 'whenLoaded' | 'atOnce' | 'anyway'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Attributes and classes that templates set. */
export interface ContentsMarks {
  /** Of a contents list: its levels, such as `1-3`. */
  toc: string
  /** Of a link: the id of the element whose page it shows. */
  pageOf: string
}

export interface MarginMarks {
  /** Of an element that is printed on some pages only. */
  pages: string
  /** A pattern for the values of `pages` in lower case. Other values choose every page. */
  choice: string
  /** Of an element that shows a sum. */
  carry: string
  /** Of the same element: how the sum is shown. */
  format: string
}

/** Distances in CSS pixels from the edges of the box of a header or footer. */
export interface MeasuredMargin {
  right: number
  below: number
  above: number
}

/** The text before its index in the comment at the place of a template's warning. */
export const placeMark = 'platen-warning '

/** The most that the inputs of a document may have. */
export interface InputLimits {
  inputs: number
  /** Of a select. */
  options: number
  /** Of the value of an input, and of all options of a select. */
  valueChars: number
  /** Of the names, labels and values of all inputs. */
  chars: number
}

/** What of a document exceeds a limit: an input, or all of them together. */
export interface InputExcess {
  inputs?: number
  /** Of the input. */
  name?: string
  options?: number
  chars?: number
}

/** What a document did, and still does. */
export interface DocumentRecorder {
  /** Console errors and uncaught errors, each with \0 behind it. */
  complaints(): string
  /** Whether an animation frame was requested since the last call, or a timer is due within `withinMs`. */
  moving(withinMs: number): boolean
  /** Whether an animation frame was requested since the last call, and fewer than 60 since the start. */
  drawing(): boolean
}

/** The id of the style element that hides the rows of tables. */
export const hidingId = 'platen-hidden-rows'

/** Prefix of the destinations of rows in the PDF. */
export const rowPrefix = 'platen-row-'

/** A row that a slice shows. The first row of the document has number 0. */
export type ShownRow = [row: number, table: number, canStart: boolean]

/** Prefix of the destinations of amounts in the PDF. */
export const amountPrefix = 'platen-amount-'

/** The functions in `scripts/`. */
export interface PageScripts {
  /** The first element that refers to each URL (without fragment), as `<tag>`. URLs that only style sheets refer to are missing. */
  findElements(urls: readonly string[]): Record<string, string>
  matchesSelector(selector: string): boolean | 'invalid'
  /** Undefined if no element matches. */
  boxOf(selector: string): Box | undefined
  /** Removes forced page breaks, and returns the height of the document in CSS pixels. */
  measureHeight(): number
  layOut(): void
  describeDocument(time: DescriptionTime): DocumentDescription | undefined
  /** The same with parts that take time. */
  describeInDepth(time: DescriptionTime, parts: DescriptionParts): DocumentDescription | undefined
  /** Whether fonts and images of a frame are loaded. */
  isFrameLoaded(): boolean
  /** Whether an animation is running that will end. */
  isAnimating(): boolean
  frameMovement(): 'animating' | 'scripted' | ''
  /** Charts draw themselves in animation frames. Frames come in real time, also while virtual time is paused. */
  drawTwoFrames(): Promise<void>
  /**
   * Runs in the document's own world before its scripts. Keeps the first console errors and uncaught errors, and tracks
   * pending timers and animation frames.
   */
  recordDocument(): DocumentRecorder
  callRecorder<Name extends keyof DocumentRecorder>(this: DocumentRecorder, name: Name, value: number): string | boolean
  /** Runs in the document's own world. */
  describeThrown(thrown: unknown, maxChars: number): string
  /** Fills the contents lists, and returns what is wrong with them. Their page numbers are not known yet. */
  buildContents(marks: ContentsMarks): string[]
  showPageNumbers(pages: readonly [destination: string, shown: string][]): void
  /**
   * Gives the elements that warnings may be about a name, and adds hidden links to them, so that Chromium writes their
   * pages into the PDF. Returns what each is for, with its name.
   */
  markPlaces(): [key: string, name: string][]
  /**
   * Gives each shown element with an amount a destination in the PDF. Returns the amounts, or only their number if that
   * is more than `most`.
   */
  markAmounts(attribute: string, most: number): string[] | number
  unmarkAmounts(): void
  /** Splits tables with more than `mostRows` rows into parts that print like one table. Returns how many are split. */
  splitTables(sizes: Pick<TableSizes, 'mostRows' | 'rowsOfPart'>): number
  /** Hides split tables in a window with a height of one pixel, but not on pages. */
  hideSplitTables(): void
  /**
   * Takes the rows of tables with more than `mostRows` out of the document. Returns their number, or 0 if slices could
   * look different from the whole document, which must then be loaded again.
   */
  takeRows(mostRows: number): number
  /**
   * Gives each large table the widths of the columns that it has with all rows. Returns false if the rows that decide were
   * laid out differently.
   */
  fixWidths(): boolean
  /**
   * Shows a range of rows, with the parts of the document around them. `shift` moves them down, in pixels. Each shown row
   * gets a destination. Undefined if a part of the document would be missing.
   */
  showRows(from: number, to: number, shift: number): ShownRow[] | undefined
  /** Frees the memory of the rows. */
  releaseRows(): void
  /** Replaces the document with so many empty pages, which have its title and `@page` rules. */
  showEmptyPages(pages: number): void
  /**
   * Describes the inputs that are shown, and puts a link to `url` with its index over each: Chromium writes its box on the
   * page into the PDF. What the field will show is no longer drawn. What exceeds a limit does not leave the browser.
   */
  markInputs(url: string, limits: InputLimits): { fields: FormInput[] } | { exceeded: InputExcess }
  /**
   * Runs on each page of a header or footer, after the script that fills in the page number. It removes elements for other
   * pages, and shows the sums of the page. `control` is an element before them that has the numbers, and is removed.
   */
  choosePages(control: object, marks: MarginMarks, carried: CarriedSums): void
  /** Measures text and pictures of a header or footer. */
  measureMargin(html: string, width: number, marks: MarginMarks): MeasuredMargin
}
