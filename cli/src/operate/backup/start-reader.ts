import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Environment } from '@platen/foundation/settings/config.ts'

const program = fileURLToPath(new URL('../../../../deploy/single-node/src/main.ts', import.meta.url))

/** The longest time that a process of Platen needs to exit. */
const patienceMs = 75_000

/** A Platen that only answers requests. */
export interface Reader extends AsyncDisposable {
  url: string
}

/**
 * Starts a Platen with the data of a folder, on free ports. It gets no settings of the deployment, so that it cannot
 * send anything anywhere. It ends with this process, even if that is killed, and then removes `scratch`.
 */
export async function startReader(
  dataDir: string,
  { scratch, env, signal }: { scratch: string; env: Environment; signal: AbortSignal },
): Promise<Reader> {
  const { PATH, HOME, NODE_COMPILE_CACHE, NATS_SERVER_PATH } = env
  const found = { PATH, HOME, NODE_COMPILE_CACHE, NATS_SERVER_PATH }
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
  const child = spawn(process.execPath, [program, 'drill', scratch], {
    // A group of its own: Ctrl-C reaches this process, which ends it.
    detached: true,
    env: { ...known, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const end = async () => {
    child.stdin.end()
    // It exits by itself unless it hangs.
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    await exited.finally(() => clearTimeout(timer))
  }
  let printed = ''
  child.stderr.on('data', (chunk) => (printed += chunk))
  const lines = createInterface({ input: child.stdout })
  const ready = once(lines, 'line').then(([line]) => JSON.parse(line) as { url: string })
  const failed = exited.then(() => {
    throw new Error(`Platen did not start with the restored data: ${printed.trim()}`)
  })
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    const { url } = await Promise.race([ready, failed, aborted])
    // Marks the rejection as handled. Ctrl-C does not end the process before the comparison has ended.
    failed.catch(() => {})
    aborted.catch(() => {})
    return { url, [Symbol.asyncDispose]: end }
  } catch (err) {
    await end()
    throw err
  }
}
