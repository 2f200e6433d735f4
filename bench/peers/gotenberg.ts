import { randomUUID } from 'node:crypto'
import { expectPdf, openHttpClient } from '../strategies/http-client.ts'
import { anyDocument, type Strategy } from '../strategies/strategy.ts'

/** A4 with margins of 10 mm and without tags, like the other strategies. Chromium makes tags by default. */
const fields = {
  paperWidth: '210mm',
  paperHeight: '297mm',
  marginTop: '10mm',
  marginBottom: '10mm',
  marginLeft: '10mm',
  marginRight: '10mm',
  printBackground: 'true',
  generateTaggedPdf: 'false',
}

/**
 * A running Gotenberg (GOTENBERG_URL), over HTTP. GOTENBERG_PID is its process id on this machine. Without it, the
 * processor time is unknown. Undefined if GOTENBERG_URL is not set.
 */
export function openGotenberg(env: NodeJS.ProcessEnv = process.env): Strategy | undefined {
  const url = env.GOTENBERG_URL
  if (!url) return undefined
  const client = openHttpClient(url)
  return {
    id: 'k',
    name: 'Gotenberg, HTTP',
    isolated: false,
    inProcess: false,
    accepts: anyDocument,
    concurrency: [1, 2, 4, 8],
    roots: () => (env.GOTENBERG_PID ? [Number(env.GOTENBERG_PID)] : []),
    async render({ html }) {
      const boundary = randomUUID()
      const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      return expectPdf(await client.post('/forms/chromium/convert/html', multipart(html, boundary), type))
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
    },
  }
}

/** RFC 7578. */
function multipart(html: string, boundary: string): Buffer {
  const part = (disposition: string, content: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
  const settings = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value))
  const file = part('name="files"; filename="index.html"', html)
  return Buffer.from(`${settings.join('')}${file}--${boundary}--\r\n`)
}
