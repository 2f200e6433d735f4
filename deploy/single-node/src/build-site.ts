import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Logger } from '@platen/foundation/runtime/logger.ts'

const builder = join(import.meta.dirname, '../../../site/src/main.ts')
const kept = 2_000
/** Measured: it then needs 0.7 instead of 0.9 GB, and no more time. test/docs/site.test.ts builds with the same limit. */
const heap = '--max-old-space-size=400'

export interface SiteBuild {
  folder: string
  environment: Readonly<Record<string, string>>
  log: Logger
}

/**
 * Builds the site of the documentation, unless the folder has the site of these pages. It runs with the lowest
 * priority, so that documents come first. A failure is logged, and the next start tries again. Disposal stops the
 * build.
 */
export function buildSite({ folder, environment, log }: SiteBuild): AsyncDisposable {
  const startedAt = performance.now()
  // `nice` executes the builder, which exits when its channel to this process closes.
  const child = spawn('nice', ['-n', '19', process.execPath, heap, builder, folder], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let isStopped = false
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-kept)
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const failed = (reason: string) => log.warn({ reason }, 'the site of the documentation was not built')
  child.once('error', (err) => {
    failed(err.message)
    resolve()
  })
  child.once('close', (code) => {
    const ms = Math.round(performance.now() - startedAt)
    if (code === 0) log.info({ folder, ms }, 'site of the documentation is up to date')
    else if (!isStopped) failed(output.trim() || `exit code ${code}`)
    resolve()
  })
  return {
    async [Symbol.asyncDispose]() {
      isStopped = true
      child.kill('SIGKILL')
      await ended
    },
  }
}
