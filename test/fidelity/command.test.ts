import { type ExecFileException, execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCanvas } from '@napi-rs/canvas'
import t, { type Test } from 'tap'
import { startPlaten } from '../support/platen.ts'

t.setTimeout(600_000)

const platen = await startPlaten({ RENDER_EGRESS: 'any' })
t.teardown(() => platen[Symbol.asyncDispose]())

const png = createCanvas(20, 20).toBuffer('image/png')
const page = (body: string) => `<!doctype html><meta charset="utf-8"><body>${body}`
const same = page('<p>Größe</p><code>code</code><img src="a%20b/dot.png">')
const unstable = page('<script>document.write(Math.random())</script>')
/** Platen's documents have an origin of their own. */
const different = page('<p id="p">Host:</p><script>p.append(location.hostname)</script>')

interface Ended {
  code: number
  stdout: string
  stderr: string
}

function fidelity(...args: string[]): Promise<Ended> {
  const run = fileURLToPath(new URL('run.ts', import.meta.url))
  return new Promise((resolve) => {
    const end = (err: ExecFileException | null, stdout: string, stderr: string) =>
      resolve({ code: Number(err?.code ?? 0), stdout, stderr })
    execFile(process.execPath, [run, ...args], end)
  })
}

function compare(t: Test, documents: Record<string, string | Buffer>): Promise<Ended & { out: string }> {
  const folder = t.testdir({ ...documents, 'a b': { 'dot.png': png } })
  const out = join(folder, 'out')
  const access = ['--url', platen.url, '--key', platen.apiKey]
  return fidelity(folder, '--delay', '5', '--out', out, ...access).then((ended) => ({ ...ended, out }))
}

t.test('documents that are the same, or never are the same: exit code 0', async (t) => {
  const latin1 = Buffer.from('<meta charset=iso-8859-1><p>Größe', 'latin1')
  const { code, stdout, out } = await compare(t, {
    'same.html': same,
    'latin1.html': latin1,
    'unstable.html': unstable,
  })
  t.equal(code, 0, stdout)
  t.match(stdout, /^unstable .*unstable\.html/)
  t.match(stdout, /3 documents, each 2 times by Platen: 2 the same, 0 different, 1 that plain Chromium prints/)
  t.match(await readFile(join(out, 'report.html'), 'utf8'), /same\.html<td>same<td>1/)
})

t.test('a document that differs: exit code 1, a report with pictures', async (t) => {
  const { code, stdout, out } = await compare(t, { 'same.html': same, 'different.html': different })
  t.equal(code, 1, stdout)
  t.match(stdout, /^different .*different\.html {2}text, pixels \(2\)\n/)
  t.match(await readFile(join(out, 'report.html'), 'utf8'), /Host:127\.0\.0\.1.*pictures\/1-platen\.png/s)
  t.same((await readdir(join(out, 'pictures'))).sort(), ['1-difference.png', '1-plain.png', '1-platen.png'])
})

t.test('a document that Platen refuses: exit code 1, the status', async (t) => {
  const { code, stdout } = await compare(t, { 'large.html': page(`<!--${'x'.repeat(6e6)}-->`) })
  t.equal(code, 1, stdout)
  t.match(stdout, /^different .*large\.html {2}status \(2\)\n/)
})

t.test('wrong arguments: exit code 2, and what is wrong with them', async (t) => {
  const folder = t.testdir({})
  const wrong: [args: string[], message: RegExp][] = [
    [[], /name a folder or a URL/],
    [[`${folder}/none`], /neither a folder nor an http or https URL/],
    [[folder], /there is no \.html file/],
    [[folder, '--mode', 'fast'], /--mode is auto, on or off/],
    [[folder, '--delay', '1s'], /--delay is a whole number/],
    [[folder, '--repeat', '0'], /--repeat is a whole number, 1 or more/],
    [[folder, '--url', 'localhost'], /--url is an http or https URL/],
    [[folder, '--quick'], /Unknown option '--quick'/],
  ]
  for (const [args, message] of wrong) {
    const { code, stderr } = await fidelity(...args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
  }
  t.match(await fidelity('--help'), { code: 0, stdout: /^Prints documents by plain Chromium and by Platen/ })
})
