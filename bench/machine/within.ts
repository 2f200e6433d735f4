import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'

/** Rejects if the work takes longer than the limit. Its timer keeps this process running, unlike that of `AbortSignal.timeout`. */
export async function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new Error(`not done within ${limitMs / 1_000} s`)), limitMs)
  try {
    return await untilAborted(work, limit.signal)
  } finally {
    clearTimeout(timer)
  }
}
