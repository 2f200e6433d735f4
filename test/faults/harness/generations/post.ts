/** The numbers of posts begin here, by what sends them. The clients of documents, which send most, begin at 0. */
export const firstNumber = {
  extra: 1_000_000,
  probe: 2_000_000,
  shared: 3_000_000,
  queued: 4_000_000,
  pdfTool: 5_000_000,
  again: 6_000_000,
} as const

/** A generation that a client wants. It may be posted several times. */
export interface Post {
  /** No other post has this number. */
  n: number
  /** All tries have one Idempotency-Key, so they make one generation at most. */
  keyed: boolean
  tries: number
  /** The id in a 200, 202 or 504. */
  id?: string
  /** The ids that earlier tries were told. They were refused. */
  earlierIds?: string[]
  /** Whether the request may be refused, because it waits for a slot for a short time only. */
  mayBeRefused?: boolean
  /** The text of the PDF. */
  text: string
  /** SHA-256 of the inline html, by which the log names it. */
  htmlSha256?: string
  webhookUrl?: string
  /** The template, and the newest version that was acknowledged before the first try. */
  template?: { id: string; atLeast: number }
  /** The value in its metadata by which lists find it. */
  batch?: string
  /** Its input is kept. */
  retained?: true
  /** A cancel was sent. */
  cancelled: boolean
  /** What a synchronous answer or the first poll that found an end said. */
  told?: { status: string; size?: number; pages?: number }
}
