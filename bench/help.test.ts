import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'

t.setTimeout(600_000)

const folder = fileURLToPath(new URL('.', import.meta.url))

async function run(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [file, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { stdout, stderr, code }
}

t.test('every benchmark says what it measures, and refuses an unknown option with the usage', async (t) => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  for (const file of [...files, 'peers/install-peers.ts']) {
    t.match(await run(file, '--help'), { code: 0, stdout: /^Usage: .+\n\n/, stderr: '' }, file)
    t.match(await run(file, '--no-such-option'), { code: 2, stdout: '', stderr: /no-such-option.*\n\nUsage: / }, file)
  }
})
