import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What no PDF may show. */
export const secret = 'CANARYSECRET7F3A'

/** The secret in the type that the ending of a path names: shown by whoever loads it. */
export function dressed(path: string): { type: string; body: string } {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="99"><text id="s" y="50">${secret}</text></svg>`
  const types: Record<string, { type: string; body: string }> = {
    html: { type: 'text/html', body: `<h1>${secret}</h1><script>parent.postMessage('${secret}', '*')</script>` },
    svg: { type: 'image/svg+xml', body: svg },
    css: { type: 'text/css', body: `body::after { content: '${secret}' }` },
    js: { type: 'text/javascript', body: `self.document?.body.append('${secret}')` },
    json: { type: 'application/json', body: JSON.stringify({ secret }) },
    vtt: { type: 'text/vtt', body: `WEBVTT\n\n00:00.000 --> 99:00.000\n${secret}\n` },
    bin: { type: 'application/octet-stream', body: secret },
  }
  return types[path.match(/\.(\w+)$/)?.[1] ?? ''] ?? { type: 'text/plain', body: secret }
}

/** A folder of this machine with the secret in files. */
export async function plantSecrets(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-hostile-'))
  const types = ['html', 'svg', 'css', 'js', 'json', 'vtt', 'txt']
  await Promise.all(types.map((type) => writeFile(join(folder, `secret.${type}`), dressed(`.${type}`).body)))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
