import { DomainError } from '@platen/domain/http/errors.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import type { PdfTools } from '@platen/pdf-tools/pdf-tools.ts'
import type { SigningKeys } from '@platen/pdf-tools/sign/signing-keys.ts'
import type { PdfFailureReason, PdfToolFailed } from '@platen/pdf-tools/task/pdf-tool-failed.ts'
import type { PdfBounds, PdfResult, PdfTask } from '@platen/pdf-tools/task/task.ts'
import { completeSignatures, signerOf } from './sign-result.ts'

export interface ToolRun {
  signal: AbortSignal
  caller: Claim
  /** `options.timeout_ms` of the request. */
  timeoutMs: number | undefined
}

/** The PDF tools. Their code is loaded by the first document that needs them. */
export class PdfToolbox implements AsyncDisposable {
  readonly #bounds: PdfBounds
  readonly #signKeysDir: string | undefined
  #opening: Promise<PdfTools> | undefined

  /** `signKeysDir`: the folder with the keys of `sign`, if there is one. */
  constructor(bounds: PdfBounds, signKeysDir?: string) {
    this.#bounds = bounds
    this.#signKeysDir = signKeysDir
  }

  get bounds(): PdfBounds {
    return this.#bounds
  }

  /** Throws DomainError PDF_TOOL_ERROR, RENDER_LIMIT_EXCEEDED and RENDER_TIMEOUT, and the reason of the signal. */
  async run(task: PdfTask, { signal, caller, timeoutMs = Number.POSITIVE_INFINITY }: ToolRun): Promise<PdfResult> {
    this.#opening ??= open()
    const tools = await this.#opening
    const bounds = { ...this.#bounds, timeoutMs: Math.min(timeoutMs, this.#bounds.timeoutMs) }
    const sign = task.steps?.sign
    const signing = sign && { keys: await openKeys(this.#signKeysDir), step: sign }
    const signer = signing && { signer: await signerOf(signing) }
    try {
      const result = await tools.run({ ...task, ...signer }, bounds, { signal, caller })
      if (!signing) return result
      const spentMs = result.steps.reduce((sum, { ms }) => sum + ms, 0)
      return await completeSignatures(result, signing, { signal, limitMs: Math.max(1, bounds.timeoutMs - spentMs) })
    } catch (err) {
      throw isFailure(err) ? domainErrorOf(err) : err
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const tools = await this.#opening?.catch(() => undefined)
    await tools?.[Symbol.asyncDispose]()
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
