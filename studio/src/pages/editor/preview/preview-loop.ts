import { batch, effect, signal } from '@preact/signals'
import { ApiError } from '../../../api/api-error.ts'
import { recoveries } from '../../../api/connection.ts'
import { mayUse } from '../../../api/session-state.ts'
import { type DocumentId, dataDocument, documentText } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import type { Fields } from '../model/fields.ts'
import { documentOf, type Place, type Problem, problemsOf } from '../model/problem.ts'
import { previewBody } from './preview-body.ts'
import { type PreviewBody, type PreviewResult, requestPreview, type Warning } from './preview-request.ts'

const sources: readonly DocumentId[] = ['html', 'header_html', 'footer_html']

/** Warnings with the place in the sources that they are about, where it can be found. */
function problemsOfWarnings(warnings: readonly Warning[], fields: Fields): Problem[] {
  return warnings.map((warning) => {
    const { code, message, page, path } = warning
    const place = placeOf(warning, fields)
    // Warnings of the template end with their place, which is shown beside the text.
    const text = place && message.replace(/: (\w+|partial "[^"]*"), line \d+, column \d+$/, '')
    const shared = { severity: 'warning' as const, code, text: text ?? message }
    const missing = code === 'MISSING_VALUE' && path !== undefined && { missing: path }
    return { ...shared, ...(place && { place }), ...missing, ...(page !== undefined && { page }) }
  })
}

function placeOf({ message, element, source, line, column = 1 }: Warning, fields: Fields): Place | undefined {
  const document = source === undefined ? undefined : documentOf(source)
  if (document !== undefined && line !== undefined) return { document, line, column }
  if (element === 'header_html' || element === 'footer_html') return { document: element, line: 1, column: 1 }
  const [, url] = /^(\S+): /.exec(message) ?? []
  return url === undefined ? undefined : find(url, fields)
}

/** The first place with the text. */
function find(wanted: string, fields: Fields): Place | undefined {
  for (const document of sources) {
    const text = documentText(fields, document)
    const at = text.indexOf(wanted)
    if (at === -1) continue
    const before = text.slice(0, at).split('\n')
    return { document, line: before.length, column: (before.at(-1) ?? '').length + 1 }
  }
  return undefined
}

/** While one types without a pause, a preview is let run to its end that often. */
const oldestMs = 600
const retryMs = 1_000
/** Of errors that pass by themselves. */
const passing: readonly number[] = [409, 429, 503]

/** The same list each time, so that nothing is rendered anew for it. */
const none: readonly Problem[] = []

/** Requests a preview of each state of the draft. The newest wins: an older request is aborted. */
export class PreviewLoop {
  readonly result = signal<{ preview: PreviewResult; revision: number } | undefined>(undefined)
  /** Of the newest state that has an answer. */
  readonly problems = signal<readonly Problem[]>(none)
  readonly warnings = signal<readonly Problem[]>(none)
  /** An error that is not about the template. */
  readonly failure = signal<unknown>(undefined)
  readonly isBusy = signal(false)
  readonly mayPreview = mayUse('generate')
  readonly #model: EditorModel
  #revision = 0
  #running: AbortController | undefined
  #next: PreviewBody | undefined
  #lastAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(model: EditorModel) {
    this.#model = model
  }

  /** Follows the draft until the returned function is called. */
  follow(): () => void {
    if (!this.mayPreview) return () => {}
    let before = ''
    const stop = effect(() => {
      const isBack = recoveries.value
      const wanted = previewBody(this.#model)
      const text = JSON.stringify([isBack, wanted])
      if (text === before) return
      before = text
      if ('problems' in wanted) this.#refuse(wanted.problems)
      else this.#want(wanted.body)
    })
    return () => {
      stop()
      clearTimeout(this.#timer)
      this.#next = undefined
      this.#running?.abort()
    }
  }

  /** Requests the newest state again. */
  again(): void {
    const wanted = previewBody(this.#model)
    if ('body' in wanted) this.#want(wanted.body)
  }

  #refuse(problems: readonly Problem[]): void {
    this.#next = undefined
    this.#running?.abort()
    this.problems.value = problems
  }

  #want(body: PreviewBody): void {
    clearTimeout(this.#timer)
    this.#next = body
    const isOverdue = performance.now() - this.#lastAt > oldestMs
    if (this.#running === undefined) void this.#run()
    else if (!isOverdue) this.#running.abort()
  }

  async #run(): Promise<void> {
    this.isBusy.value = true
    while (this.#next !== undefined) {
      const body = this.#next
      this.#next = undefined
      const running = new AbortController()
      this.#running = running
      const revision = ++this.#revision
      try {
        const preview = await requestPreview(body, running.signal)
        if (!running.signal.aborted) this.#take(preview, revision)
      } catch (err) {
        if (!running.signal.aborted && this.#next === undefined) this.#fail(err)
      }
    }
    this.#running = undefined
    this.isBusy.value = false
  }

  #take(preview: PreviewResult, revision: number): void {
    this.#lastAt = performance.now()
    batch(() => {
      this.result.value = { preview, revision }
      const warnings = problemsOfWarnings(preview.warnings, this.#model.fields.value)
      if (JSON.stringify(warnings) !== JSON.stringify(this.warnings.value)) this.warnings.value = warnings
      this.problems.value = none
      this.failure.value = undefined
    })
  }

  #fail(err: unknown): void {
    const isTemplate = err instanceof ApiError && (err.status === 422 || err.status === 400 || err.status === 413)
    if (isTemplate) {
      batch(() => {
        const model = this.#model
        this.problems.value = problemsOf(err, dataDocument(model.set.value), (id) => model.text(id))
        this.failure.value = undefined
      })
      return
    }
    this.failure.value = err
    if (err instanceof ApiError && passing.includes(err.status)) this.#timer = setTimeout(() => this.again(), retryMs)
  }
}
