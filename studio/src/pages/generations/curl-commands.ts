import { apiUrl } from '../../api/client.ts'
import type { Generation } from './generation-columns.tsx'

export interface Command {
  title: string
  text: string
}

/** What the page shows and does, for a shell. `API_KEY` is set there. */
export function curlCommands({ id, status, retry_of }: Generation): Command[] {
  const call = (path: string, more = '') => curlOf(apiUrl(`/v1/generations/${id}${path}`), more)
  const isUnfinished = status === 'queued' || status === 'rendering'
  return [
    { title: 'Its state', text: call('') },
    { title: 'Its timeline', text: call('/timeline') },
    ...(status === 'completed' ? [{ title: 'The PDF', text: call('/file', ` -o ${id}.pdf`) }] : []),
    ...(isUnfinished ? [{ title: 'Cancel it', text: call('', ' -X DELETE') }] : []),
    ...(isUnfinished ? [] : [{ title: 'Render it again', text: call('/retry', ' -X POST') }]),
    ...(status === 'completed' && retry_of !== undefined
      ? [{ title: 'Compare it with the earlier one', text: compareCommand(retry_of, id) }]
      : []),
    { title: 'Send its webhook again', text: call('/deliveries/redeliver', ' -X POST') },
  ]
}

/** Compares the pages of two documents. */
export const compareCommand = (from: string, to: string): string =>
  curlOf(apiUrl(`/v1/generations/${from}/compare`, { to }))

function curlOf(path: string, more = ''): string {
  return `curl -sS${more} '${location.origin}${path}' \\\n  -H "Authorization: Bearer $API_KEY"`
}
