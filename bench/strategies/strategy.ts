import type { BenchDocument } from '../documents/document.ts'

/** One way of making PDFs. */
export interface Strategy extends AsyncDisposable {
  /** The letter in the tables. */
  id: string
  name: string
  /** How many documents it is given at once. */
  concurrency: readonly number[]
  /** Whether the next document sees nothing of the one before, even when both run scripts. */
  isolated: boolean
  /** The processes whose time and memory it costs, beside those below them. */
  roots(): number[]
  /** It runs in this process: our time is its time. */
  inProcess: boolean
  accepts(document: BenchDocument): boolean
  /** Called before a document is measured. */
  prepare?(document: BenchDocument, concurrency: number): Promise<void>
  /** Prints it; gives the size of the PDF, and what else than the whole call counts as its time. */
  render(document: BenchDocument, worker: number): Promise<Rendered>
}

export interface Rendered {
  bytes: number
  /** Absent: as long as the call took. */
  latencyMs?: number
}

export const anyDocument = () => true
