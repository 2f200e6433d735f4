import type { Part } from './part.ts'
import type { PdfFailure } from './pdf-tool-failed.ts'
import type { PdfBounds, PdfResult, PdfTask } from './task.ts'

/** To the process. It does one task at a time, tells which parts of it begin, and answers it. */
export interface TaskMessage {
  task: PdfTask
  bounds: PdfBounds
}

export type AnswerMessage = { result: PdfResult } | { failed: PdfFailure }
export type ChildMessage = AnswerMessage | { part: Part }
