import { shellWord } from '../../../parts/shell-word.ts'
import type { ComparedData } from './compared-data.ts'

export interface CommandQuery {
  origin: string
  template: string
  from: number
  to: number
  data: ComparedData
  owner: string | undefined
}

/** The request that the page makes, without the pictures. */
export function curlOf({ origin, template, from, to, data, owner }: CommandQuery): string {
  const url = new URL(`/v1/templates/${encodeURIComponent(template)}/compare`, origin)
  url.searchParams.set('from', String(from))
  url.searchParams.set('to', String(to))
  if (owner !== undefined) url.searchParams.set('owner', owner)
  if (data.kind !== 'pasted') url.searchParams.set('pages', 'true')
  if (data.kind === 'sample') url.searchParams.set('sample', data.name)
  const head = `curl --fail-with-body -H "Authorization: Bearer $API_KEY" ${shellWord(url.href)}`
  if (data.kind !== 'pasted') return head
  return `${head} \\\n  -H 'Content-Type: application/json' -d ${shellWord(`{"data": ${data.json}}`)}`
}

/** The command that exits with 1 if a page differs. It takes data from a file. */
export function platenOf({ origin, template, from, to, data, owner }: CommandQuery): string {
  const words = [
    'platen',
    'templates',
    'diff',
    shellWord(template),
    '--from',
    String(from),
    '--to',
    String(to),
    '--pages',
  ]
  if (data.kind !== 'sample-data') words.push('--data', 'data.json')
  if (owner !== undefined) words.push('--owner', shellWord(owner))
  return `PLATEN_URL=${shellWord(origin)} ${words.join(' ')}`
}
