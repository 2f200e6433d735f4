import { randomUUID } from 'node:crypto'
import { fail } from '@platen/domain/http/errors.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { DocumentForm } from '@platen/pdf-tools/task/document-form.ts'
import { AnswerTooLong } from '../chromium/browser/cdp/session.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import type { InputExcess, InputLimits } from '../page/contract.ts'
import { runInPage } from '../page/run-in-page.ts'

/** They go from the browser to this process, and on to the PDF tools, as a whole. */
const most: InputLimits = {
  // As many fields as one request can fill.
  inputs: 2_000,
  options: 1_000,
  valueChars: 10_000,
  chars: 5_000_000,
}

/**
 * Call it before the print. The PDF then has a link in the place of each input, which `addForm` of the PDF tools makes a field.
 * Throws DomainError RENDER_LIMIT_EXCEEDED and RENDER_FAILED.
 */
export async function markInputs(page: BrowserPage, signal: AbortSignal): Promise<DocumentForm> {
  // The document does not know the URL, so that its own links stay links. Names below .invalid do not exist (RFC 6761).
  const url = `https://${randomUUID()}.invalid/`
  const marked = await untilAborted(runInPage(page, 'markInputs', url, most).catch(refuseLong), signal)
  if (!marked) return fail('RENDER_FAILED', 'options.form_fields: the inputs of the document cannot be read')
  return 'exceeded' in marked ? refuse(marked.exceeded) : { url, fields: marked.fields }
}

/** Of a deployment whose PDFs may have few bytes. */
function refuseLong(err: unknown): never {
  if (!(err instanceof AnswerTooLong)) throw err
  return fail(
    'RENDER_LIMIT_EXCEEDED',
    'options.form_fields: the inputs of the document have more text than a PDF may have',
  )
}

function refuse({ inputs, name, options, chars }: InputExcess): never {
  const exceeds = (found: string, limit: number, what: string) =>
    fail('RENDER_LIMIT_EXCEEDED', `options.form_fields: ${found}, at most ${limit} ${what}`)
  if (inputs !== undefined) return exceeds(`the document has ${inputs} inputs`, most.inputs, 'become form fields')
  if (name === undefined)
    return exceeds('names, labels and values are too long together', most.chars, 'characters are possible')
  const what = `the input ${JSON.stringify(name)}`
  if (options !== undefined) return exceeds(`${what} has ${options} options`, most.options, 'are possible')
  return exceeds(`${what} has a value of ${chars} characters`, most.valueChars, 'are possible')
}
