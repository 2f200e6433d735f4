import { maxRenderedBytes } from '@platen/templating/handlebars/rendered-limit.ts'

/** A document with more, such as a table of 100,000 rows, has more time in proportion. */
const proportionalAboveChars = 2 * 2 ** 20

/** The largest filled template has as many times `RENDER_TIMEOUT_MS`. */
const mostTimes = maxRenderedBytes / proportionalAboveChars

/** The time limit of a print in ms, by that of a small document and the number of characters of its HTML. */
export const printLimitMs = (deadlineMs: number, chars: number): number =>
  deadlineMs * Math.min(mostTimes, Math.max(1, chars / proportionalAboveChars))

/** How long a renderer may work on one document, in ms: the longest print, and the steps on its PDF, which have a limit of their own. */
export const longestDocumentMs = ({ deadlineMs }: { deadlineMs: number }): number => (mostTimes + 1) * deadlineMs
