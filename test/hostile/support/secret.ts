import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Text that no PDF may contain. */
export const secret = 'CANARYSECRET7F3A'

/** A file with the secret, in the content type of the path's extension. A document that loads it shows the secret. */
export function secretFile(path: string): { type: string; body: string } {
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

/** Creates a folder with the secret in files of several types. */
export async function plantSecrets(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-hostile-'))
  const types = ['html', 'svg', 'css', 'js', 'json', 'vtt', 'txt']
  await Promise.all(types.map((type) => writeFile(join(folder, `secret.${type}`), secretFile(`.${type}`).body)))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
