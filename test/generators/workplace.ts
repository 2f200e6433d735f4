import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { png, ttf } from '@platen/test-support/asset-files.ts'
import type { Place } from './try-generator.ts'

const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env

/** A folder with the description of a running Platen, and files to upload. It is removed at the end unless it is to be kept. */
export async function openWorkplace(
  { url, apiKey }: { url: string; apiKey: string },
  { keep = false } = {},
): Promise<Place & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-generators-'))
  const fileOf = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  const served = async (path: string) => (await fetch(new URL(path, url))).text()
  const env = {
    PLATEN_URL: url,
    API_KEY: apiKey,
    DOCUMENT_3_1: await fileOf('openapi.json', await served('/openapi.json')),
    DOCUMENT_3_0: await fileOf('openapi-3.0.json', await served('/openapi-3.0.json')),
    PNG: await fileOf('picture.png', png(2, 2, [0, 0, 255])),
    FONT: await fileOf('font.ttf', ttf),
  }
  return {
    folder,
    tools: join(XDG_CACHE_HOME, 'platen-generators'),
    env,
    [Symbol.asyncDispose]: async () => {
      if (!keep) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
