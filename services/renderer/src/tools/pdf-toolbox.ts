import { DomainError } from '@platen/domain/http/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import type { PdfTools } from '@platen/pdf-tools/pdf-tools.ts'
import type { SigningKeys } from '@platen/pdf-tools/sign/signing-keys.ts'
import { limitCodeOf, PdfToolFailed } from '@platen/pdf-tools/task/pdf-tool-failed.ts'
import type { PdfBounds, PdfResult, PdfTask } from '@platen/pdf-tools/task/task.ts'
import type { ProgramEnvironment } from '../chromium/browser/environment.ts'
import { idsOf } from '../chromium/pool/page-user.ts'
import { drawnTexts, fieldTexts } from './drawn-texts.ts'
import { InstalledFonts } from './installed-fonts.ts'
import { completeSignatures, signerOf } from './sign-result.ts'

export interface ToolRun {
  signal: AbortSignal
  caller: Claim
  /** `options.timeout_ms` of the request. */
  timeoutMs: number | undefined
}

export interface ToolboxOptions {
  /** The folder with the keys of `sign`, if there is one. */
  signKeysDir?: string | undefined
  /** Of the programs that find fonts. */
  environment?: ProgramEnvironment
  /** How many tasks of documents and previews there are at once: none of them waits for that of another owner. Default: 1. */
  processes?: number
}

/**
 * The PDF tools: processes for steps after a print, pictures of pages and comparisons, and one for operations on PDFs. Their code is
 * loaded, and each is started, by the first document that needs them.
 */
export class PdfToolbox implements AsyncDisposable {
  readonly #bounds: PdfBounds
  readonly #signKeysDir: string | undefined
  readonly #fonts: InstalledFonts
  readonly #processes: number
  readonly #opening: { documents?: Promise<PdfTools>; operations?: Promise<PdfTools> } = {}

  constructor(bounds: PdfBounds, { signKeysDir, environment = {}, processes = 1 }: ToolboxOptions = {}) {
    this.#bounds = bounds
    this.#signKeysDir = signKeysDir
    this.#processes = processes
    this.#fonts = new InstalledFonts(environment)
  }

  get bounds(): PdfBounds {
    return this.#bounds
  }

  /** Throws DomainError PDF_TOOL_ERROR, PDF_TOO_COMPLEX and RENDER_LIMIT_EXCEEDED, and the reason of the signal. */
  async run(task: PdfTask, { signal, caller, timeoutMs = Number.POSITIVE_INFINITY }: ToolRun): Promise<PdfResult> {
    // A long merge keeps no printed document waiting for its steps.
    const kind = ofDocuments.has(task.operation.operation) ? 'documents' : 'operations'
    this.#opening[kind] ??= open(kind === 'documents' ? this.#processes : 1)
    const tools = await this.#opening[kind]
    const bounds = { ...this.#bounds, timeoutMs: Math.min(timeoutMs, this.#bounds.timeoutMs) }
    const sign = task.steps?.sign
    const signing = sign && { keys: await openKeys(this.#signKeysDir), step: sign, callers: idsOf(caller) }
    const signer = signing && (await signerOf(signing))
    const texts = [...drawnTexts(task.steps ?? {}, signer), ...fieldTexts(task)]
    const fonts = texts.length > 0 && { fonts: await this.#fonts.of(texts) }
    const whole = { ...task, ...fonts, ...defined({ signer }) }
    try {
      const result = await tools.run(whole, bounds, { signal, caller })
      if (!signing) return result
      const spentMs = result.steps.reduce((sum, { ms }) => sum + ms, 0)
      return await completeSignatures(result, signing, { signal, limitMs: Math.max(1, bounds.timeoutMs - spentMs) })
    } catch (err) {
      throw err instanceof PdfToolFailed ? domainErrorOf(err) : err
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(Object.values(this.#opening))
    await Promise.all(opened.map((tools) => tools.status === 'fulfilled' && tools.value[Symbol.asyncDispose]()))
  }
}

const ofDocuments: ReadonlySet<PdfTask['operation']['operation']> = new Set(['steps', 'compare'])

async function open(processes: number): Promise<PdfTools> {
  const { PdfTools } = await import('@platen/pdf-tools/pdf-tools.ts')
  return new PdfTools({ processes })
}

async function openKeys(folder: string | undefined): Promise<SigningKeys | undefined> {
  if (folder === undefined) return undefined
  const { SigningKeys } = await import('@platen/pdf-tools/sign/signing-keys.ts')
  return new SigningKeys(folder)
}

function domainErrorOf(cause: PdfToolFailed): DomainError {
  const { reason, step, message } = cause
  const details = { reason, ...defined({ step }) }
  const named = step === undefined ? message : `${step}: ${message}`
  return new DomainError(limitCodeOf(reason) ?? 'PDF_TOOL_ERROR', named, { details, cause })
}
