import type { Json } from '@platen/foundation/json/json.ts'
import type { Door } from '../faults/harness/system.ts'

/** What a release answered, by path. */
export type Answers = Record<string, Json>

interface Document {
  paths: Record<string, { get?: { responses: Record<string, { content?: Record<string, unknown> }> } }>
}

/** They say how the process is, what the program knows, or when a file was written, and not what was stored. */
const ofProgram = /^\/v1\/(?:status|session|helpers|events|dead-letters|webhook-secret)|\/timeline$/

/** They depend on the day of the request. */
const ofToday = /^last_used_at$|_until$/

/** Of a list, the first items are read one by one. */
const mostItems = 25

/** Everything that the API says of what is stored: the lists, and of each item what there is at its own paths. */
export async function readAnswers(door: Door): Promise<Answers> {
  const { paths } = (await door.json<Document>('/openapi.json')).body
  const readable = Object.entries(paths)
    .filter(([path, { get }]) => path.startsWith('/v1/') && !ofProgram.test(path) && get && isJson(get))
    .map(([path]) => path)
  const answers: Answers = {}
  for (const list of readable.filter((path) => !path.includes('{'))) {
    const body = await read(door, `${list}?limit=100`)
    answers[list] = body
    const names = itemsOf(body).slice(0, mostItems).map(nameOf)
    const below = readable.filter((path) => path.startsWith(`${list}/{`) && path.match(/\{/g)?.length === 1)
    for (const path of below) {
      for (const name of names) {
        const filled = path.replace(/\{\w+\}/, encodeURIComponent(name))
        const { status, body } = await door.json<Json>(filled)
        if (status === 200) answers[filled] = body
      }
    }
  }
  return answers
}

/** What is the same in both: without URLs that are signed anew, and without times that go on. */
export function stable(one: Answers, other: Answers): Answers {
  const paths = Object.keys(one).filter((path) => path in other)
  return Object.fromEntries(paths.flatMap((path) => common(one[path], other[path]).map((value) => [path, value])))
}

/** One line for each recorded value that is answered otherwise. Fields that are new are none. */
export function differences(recorded: Json | undefined, now: Json | undefined, path: string): string[] {
  if (Array.isArray(recorded) && Array.isArray(now)) {
    if (recorded.length !== now.length) return [`${path} had ${recorded.length} items, and has ${now.length}`]
    return recorded.flatMap((value, at) => differences(value, now[at], `${path}[${at}]`))
  }
  if (isObject(recorded) && isObject(now)) {
    return Object.entries(recorded).flatMap(([name, value]) => differences(value, now[name], `${path}.${name}`))
  }
  return recorded === now ? [] : [`${path} was ${JSON.stringify(recorded)}, and is ${JSON.stringify(now)}`]
}

const isJson = ({ responses }: { responses: Record<string, { content?: Record<string, unknown> }> }) =>
  responses['200']?.content?.['application/json'] !== undefined

async function read(door: Door, path: string): Promise<Json> {
  const { status, body } = await door.json<Json>(path)
  if (status !== 200) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`)
  return body
}

const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const itemsOf = (body: Json) => (isObject(body) && Array.isArray(body.data) ? body.data.filter(isObject) : [])

const nameOf = ({ id, name }: Record<string, Json>) => String(id ?? name)

/** The equal part as the one item of a list; none if nothing is equal. A field that differs somewhere is left out. */
function common(one: Json | undefined, other: Json | undefined): Json[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    return [one.map((value, at) => common(value, other[at])[0] ?? {})]
  }
  if (isObject(one) && isObject(other)) {
    const fields = Object.entries(one)
      .filter(([name]) => !ofToday.test(name))
      .flatMap(([name, value]) => common(value, other[name]).map((equal) => [name, equal] as const))
    return [Object.fromEntries(fields)]
  }
  return one === other && one !== undefined ? [one] : []
}
