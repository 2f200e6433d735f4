import type { PdfFailure } from './pdf-tool-failed.ts'
import type { PdfBounds, PdfResult, PdfTask } from './task.ts'

/** To the process. It does one task at a time, and answers each with one message. */
export interface TaskMessage {
  task: PdfTask
  bounds: PdfBounds
}

export type AnswerMessage = { result: PdfResult } | { failed: PdfFailure }
