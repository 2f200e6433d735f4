import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'

/** A version such as `2.15.1`. */
export type NatsVersion = string

/** The version of the program. Throws if it cannot be run, or prints no version of nats-server within the limit. */
export async function versionOf(program: string, limitMs = 8_000): Promise<NatsVersion> {
  const options = { timeout: limitMs, killSignal: 'SIGKILL' } as const
  const { stdout } = await promisify(execFile)(program, ['--version'], options).catch((cause) => {
    if (cause.killed) throw new Error(`NATS_SERVER_PATH: ${program} prints no version within ${limitMs / 1_000} s`)
    throw new Error(`${program} cannot be run: install nats-server, or set NATS_SERVER_PATH or NATS_URL`, { cause })
  })
  const [, version] = /^nats-server: v(\d+\.\d+\.\d+)/m.exec(stdout) ?? []
  if (version === undefined) {
    const [name = ''] = stdout.trim().split('\n')
    throw new Error(`NATS_SERVER_PATH: ${program} is not nats-server, but ${name.slice(0, 100) || 'prints nothing'}`)
  }
  return version
}

/** Compares major and minor version only. */
export function isOlder(version: NatsVersion, than: string): boolean {
  const [number, limit] = [version, than].map((text) => {
    const [major = 0, minor = 0] = text.split('.').map(Number)
    return major * 1_000 + minor
  })
  return (number ?? 0) < (limit ?? 0)
}

/**
 * Records the version that is about to write to the store in `<dataDir>/nats`. Throws if a newer one has: nats-server 2.9
 * starts on a newer store, and then stops answering.
 */
export async function claimStore(dataDir: string, version: NatsVersion): Promise<void> {
  const path = join(dataDir, 'nats-version')
  const known = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (known !== '' && isOlder(version, known)) {
    throw new Error(
      `DATA_DIR: the queue in ${dataDir} was written by nats-server ${known}, and ${version} is older; use ${known} or newer`,
    )
  }
  if (known !== version) await writePrivateFile(path, `${version}\n`)
}
