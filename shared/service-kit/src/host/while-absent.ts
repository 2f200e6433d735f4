import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'

/** How long a start waits for a server that is restarted. */
const patienceMs = 60_000
const pauseMs = 500
const tellEveryMs = 10_000

/** Error codes that mean that nothing listens at the address. A wrong login, host or kind of server has others. */
const absent = ['ECONNREFUSED', 'CONNECTION_REFUSED']
/**
 * Error codes of a closed connection. A server that is stopping closes its connections, as does one of another kind; a
 * moment later nothing may listen there.
 */
const lost = ['ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED', 'DISCONNECT']
const lostForMs = 2_000

export interface Awaited {
  /** The name in log messages: `NATS`. */
  name: string
  log: Pick<Logger, 'warn'>
  /** Default: a minute. */
  patienceMs?: number | undefined
  /** Errors that are waited for beside those of a server that is not there. */
  isAwaited?: (err: unknown) => boolean
  /** Ends the wait: the next error is thrown. */
  signal?: AbortSignal
}

/** Opens a server. While nothing listens at its address, tries again for a minute, then throws the last error. */
export async function whileAbsent<Server>(open: () => Promise<Server>, awaited: Awaited): Promise<Server> {
  const { name, log, patienceMs: limitMs = patienceMs, isAwaited = () => false, signal } = awaited
  const startedAt = performance.now()
  let toldAt = Number.NEGATIVE_INFINITY
  let lostAt: number | undefined
  for (;;) {
    try {
      return await open()
    } catch (err) {
      const now = performance.now()
      const isAbsent = isAwaited(err) || isAny(absent, err)
      if (signal?.aborted || (!isAbsent && !isAny(lost, err))) throw err
      // Counted from the first time: a starting server, or a proxy before it, may close connections after a long
      // absence.
      lostAt = isAbsent ? undefined : (lostAt ?? now)
      if (now - startedAt + pauseMs > limitMs) throw err
      if (lostAt !== undefined && now - lostAt + pauseMs > lostForMs) throw err
      if (now - toldAt >= tellEveryMs) {
        const reason = err instanceof Error ? err.message : String(err)
        log.warn({ reason }, `${name} unavailable, waiting for it for ${limitMs / 1_000} s at most`)
        toldAt = now
      }
      await sleep(pauseMs, signal)
    }
  }
}

function isAny(codes: readonly string[], err: unknown): boolean {
  if (!(err instanceof Error)) return false
  return ('code' in err && codes.includes(String(err.code))) || isAny(codes, err.cause)
}
