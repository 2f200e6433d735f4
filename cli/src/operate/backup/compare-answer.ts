import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RecordedAnswer } from './recorded-answers.ts'

export interface Asking {
  url: string
  apiKey: string
  signal: AbortSignal
}

/** The difference between an answer and the recorded data; undefined if there is none. */
export async function compareAnswer(
  recorded: RecordedAnswer,
  { url, apiKey, signal }: Asking,
): Promise<string | undefined> {
  const answer = await fetch(new URL(recorded.path, url), { headers: { authorization: `Bearer ${apiKey}` }, signal })
  if (answer.status !== 200) return `GET is answered with ${answer.status}: ${(await answer.text()).slice(0, 300)}`
  const body = (await answer.json()) as Record<string, unknown>
  const different = Object.entries(recorded.fields).filter(([name, value]) => !isDeepStrictEqual(body[name], value))
  const [first] = different
  if (first) {
    const [name, value] = first
    return `${name} is ${shown(body[name])}; its events say ${shown(value)}`
  }
  return recorded.sha256 === undefined ? undefined : compareFile(String(body.url), recorded.sha256, { url, signal })
}

async function compareFile(file: string, recorded: string, { url, signal }: Pick<Asking, 'url' | 'signal'>) {
  // No other server is asked for the file.
  if (new URL(file).origin !== new URL(url).origin) return `its file has the URL ${new URL(file).origin}`
  const answer = await fetch(file, { signal })
  if (answer.status !== 200) return `its file is answered with ${answer.status}`
  const bytes = Buffer.from(await answer.arrayBuffer())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 === recorded) return undefined
  return `its file has ${bytes.length} bytes and the SHA-256 ${sha256}; its event says ${recorded}`
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 200) ?? 'absent'
