import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Driver, driverProcess } from './driver.ts'

export const goFolder = join(import.meta.dirname, '../../../clients/go')

/** Nothing is downloaded, because the client needs the standard library only. */
export const goEnv = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '', CGO_ENABLED: '0' }

/** Whether there is a Go that is new enough, or why not. */
export function findGo(): { go: 'go' } | { missing: string } {
  try {
    const version = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', env: goEnv, stdio: 'pipe' })
    const [, minor] = /^go1\.(\d+)/.exec(version) ?? []
    if (Number(minor) >= 24) return { go: 'go' }
  } catch {
    // Go is not installed.
  }
  return { missing: 'Go 1.24 or newer is needed' }
}

/** Compiles the program that makes the calls, and removes it at the end. */
export function goDriver(): Driver {
  const folder = mkdtempSync(join(tmpdir(), 'platen-go-'))
  const program = join(folder, 'driver')
  execFileSync('go', ['build', '-o', program, './internal/driver'], { cwd: goFolder, env: goEnv })
  const driver = driverProcess('Go', program, [], { env: goEnv })
  return {
    ...driver,
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
