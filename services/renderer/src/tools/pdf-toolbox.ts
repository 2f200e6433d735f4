import { DomainError } from '@platen/domain/http/errors.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import type { PdfTools } from '@platen/pdf-tools/pdf-tools.ts'
import type { SigningKeys } from '@platen/pdf-tools/sign/signing-keys.ts'
import type { PdfFailureReason, PdfToolFailed } from '@platen/pdf-tools/task/pdf-tool-failed.ts'
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
}

/**
 * The PDF tools: a process for the steps after a print, and one for operations on PDFs. Their code is loaded, and each is started, by the
 * first document that needs them.
 */
export class PdfToolbox implements AsyncDisposable {
  readonly #bounds: PdfBounds
  readonly #signKeysDir: string | undefined
  readonly #fonts: InstalledFonts
  readonly #opening: { steps?: Promise<PdfTools>; operations?: Promise<PdfTools> } = {}

  constructor(bounds: PdfBounds, { signKeysDir, environment = {} }: ToolboxOptions = {}) {
    this.#bounds = bounds
    this.#signKeysDir = signKeysDir
    this.#fonts = new InstalledFonts(environment)
  }

  get bounds(): PdfBounds {
    return this.#bounds
  }

  /** Throws DomainError PDF_TOOL_ERROR, RENDER_LIMIT_EXCEEDED and RENDER_TIMEOUT, and the reason of the signal. */
  async run(task: PdfTask, { signal, caller, timeoutMs = Number.POSITIVE_INFINITY }: ToolRun): Promise<PdfResult> {
    // A long merge keeps no printed document waiting for its steps.
    const kind = task.operation.operation === 'steps' ? 'steps' : 'operations'
    this.#opening[kind] ??= open()
    const tools = await this.#opening[kind]
    const bounds = { ...this.#bounds, timeoutMs: Math.min(timeoutMs, this.#bounds.timeoutMs) }
    const sign = task.steps?.sign
    const signing = sign && { keys: await openKeys(this.#signKeysDir), step: sign, callers: idsOf(caller) }
    const signer = signing && (await signerOf(signing))
    const texts = [...drawnTexts(task.steps ?? {}, signer), ...fieldTexts(task)]
    const fonts = texts.length > 0 && { fonts: await this.#fonts.of(texts) }
    const whole = { ...task, ...fonts, ...(signer !== undefined && { signer }) }
    try {
      const result = await tools.run(whole, bounds, { signal, caller })
      if (!signing) return result
      const spentMs = result.steps.reduce((sum, { ms }) => sum + ms, 0)
      return await completeSignatures(result, signing, { signal, limitMs: Math.max(1, bounds.timeoutMs - spentMs) })
    } catch (err) {
      throw isFailure(err) ? domainErrorOf(err) : err
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(Object.values(this.#opening))
    await Promise.all(opened.map((tools) => tools.status === 'fulfilled' && tools.value[Symbol.asyncDispose]()))
  }
}

async function open(): Promise<PdfTools> {
  const { PdfTools } = await import('@platen/pdf-tools/pdf-tools.ts')
  return new PdfTools()
}

async function openKeys(folder: string | undefined): Promise<SigningKeys | undefined> {
  if (folder === undefined) return undefined
  const { SigningKeys } = await import('@platen/pdf-tools/sign/signing-keys.ts')
  return new SigningKeys(folder)
}

const isFailure = (err: unknown): err is PdfToolFailed => err instanceof Error && err.name === 'PdfToolFailed'

const codes: Partial<Record<PdfFailureReason, 'RENDER_LIMIT_EXCEEDED' | 'RENDER_TIMEOUT'>> = {
  'too-many-pages': 'RENDER_LIMIT_EXCEEDED',
  'too-large': 'RENDER_LIMIT_EXCEEDED',
  'out-of-memory': 'RENDER_LIMIT_EXCEEDED',
  'out-of-time': 'RENDER_TIMEOUT',
}

function domainErrorOf({ reason, step, message }: PdfToolFailed): DomainError {
  const details = { reason, ...(step !== undefined && { step }) }
  const named = step === undefined ? message : `${step}: ${message}`
  return new DomainError(codes[reason] ?? 'PDF_TOOL_ERROR', named, { details })
}
