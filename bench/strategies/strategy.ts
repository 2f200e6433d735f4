import type { BenchDocument } from '../documents/document.ts'

/** One way to make PDFs. */
export interface Strategy extends AsyncDisposable {
  /** The letter in the tables. */
  id: string
  name: string
  /** The numbers of concurrent documents to measure. */
  concurrency: readonly number[]
  /** Whether documents with scripts cannot see each other's state. */
  isolated: boolean
  /** The processes to measure, together with their descendants. */
  roots(): number[]
  /** Whether the processor time of this process counts. */
  inProcess: boolean
  accepts(document: BenchDocument): boolean
  /** Called before a document is measured. */
  prepare?(document: BenchDocument, concurrency: number): Promise<void>
  /** Prints the document. */
  render(document: BenchDocument, worker: number): Promise<Rendered>
}

export interface Rendered {
  bytes: number
  /** The latency, if it is not the duration of the whole call. */
  latencyMs?: number
}

export const anyDocument = () => true
