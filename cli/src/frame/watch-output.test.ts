import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import { runCli } from '../testing/run-cli.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const { PATH, NODE_COMPILE_CACHE } = process.env
const lines = 3_000

/** Runs `"$@"`, the command, in a shell. */
async function inShell(script: string, env: Record<string, string>, ...args: string[]) {
  const command = ['-c', script, 'sh', process.execPath, main, ...args]
  const child = spawn('bash', command, {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

t.test('a result that cannot be written', async (t) => {
  const temporary = await openTemporaryStore()
  t.teardown(() => temporary[Symbol.asyncDispose]())
  const env = { EVENT_STORE_URL: temporary.url }
  const { store } = temporary
  const event = () => ({ id: crypto.randomUUID(), type: 'TemplateDeleted', data: {} })
  await store.append('template-a', [event(), ...Array.from({ length: lines }, event)], 'none')
  const full = '"$@" > /dev/full'
  const closed = 'exec 3> >(head -n 1 > /dev/null); "$@" >&3'
  const why = 'platen: the result cannot be written: '

  t.match(await inShell(closed, env, 'events'), { code: 0, stderr: '' }, 'who closes a pipe early has read enough')
  const names = async () => (await runCli(env, ['owners', 'list'])).stdout
  const create = (script: string, name: string) => inShell(script, env, 'owners', 'create', '--name', name)
  t.match(await create('exec 3> >(exec true); wait $!; "$@" >&3', 'Piped'), { code: 1, stderr: why })
  t.match(await names(), 'Piped', 'a command that changes something is not ended by it')
  await t.test('on a full disk', { skip: existsSync('/dev/full') ? false : 'no /dev/full' }, async (t) => {
    t.match(await inShell(full, env, 'events'), { code: 1, stderr: `${why}ENOSPC` })
    t.match(await create(full, 'Full'), { code: 1, stderr: /ENOSPC.*; the command goes on/ })
    t.match(await names(), 'Full')
  })
})
