import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../test/support/free-port.ts'
import { expectPdf, openHttpClient } from '../strategies/http-client.ts'
import type { BareOptions } from '../strategies/reused-page.ts'
import { anyDocument, type Strategy } from '../strategies/strategy.ts'
import { jsreportFolder, jsreportVersion } from './peers-folder.ts'
import { spawnReady } from './spawn-ready.ts'

const script = fileURLToPath(new URL('jsreport-server.cjs', import.meta.url))
const chrome = {
  printBackground: true,
  format: 'A4',
  marginTop: '10mm',
  marginRight: '10mm',
  marginBottom: '10mm',
  marginLeft: '10mm',
}

/** jsreport with the same Chromium and one running browser for each worker. Undefined if it is not installed. */
export async function openJsreport({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy | undefined> {
  if (!existsSync(join(jsreportFolder, 'node_modules/jsreport'))) return undefined
  const [port = 0] = await freePorts(1)
  const temporary = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  const child = await spawnReady(process.execPath, [script, String(port), chromiumPath, String(maxConcurrency)], {
    cwd: jsreportFolder,
    env: { ...process.env, TMPDIR: temporary },
  })
  const client = openHttpClient(`http://127.0.0.1:${port}`)
  return {
    id: 'j',
    name: `jsreport ${jsreportVersion}, chrome-pdf, HTTP`,
    isolated: false,
    inProcess: false,
    accepts: anyDocument,
    concurrency: [1, maxConcurrency],
    roots: () => [child.pid],
    async render({ html }) {
      const template = { content: html, engine: 'none', recipe: 'chrome-pdf', chrome }
      return expectPdf(await client.post('/api/report', { template }))
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await child[Symbol.asyncDispose]()
      await rm(temporary, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
