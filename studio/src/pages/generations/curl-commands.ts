import { apiUrl } from '../../api/client.ts'
import type { Generation } from './generation-columns.tsx'

export interface Command {
  title: string
  text: string
}

/** What the page shows and does, for a shell. `API_KEY` is set there. */
export function curlCommands({ id, status }: Generation): Command[] {
  const call = (path: string, more = '') =>
    `curl -sS${more} '${location.origin}${apiUrl(`/v1/generations/${id}${path}`)}' \\\n  -H "Authorization: Bearer $API_KEY"`
  const isUnfinished = status === 'queued' || status === 'rendering'
  return [
    { title: 'Its state', text: call('') },
    { title: 'Its timeline', text: call('/timeline') },
    ...(status === 'completed' ? [{ title: 'The PDF', text: call('/file', ` -o ${id}.pdf`) }] : []),
    ...(isUnfinished ? [{ title: 'Cancel it', text: call('', ' -X DELETE') }] : []),
    ...(isUnfinished ? [] : [{ title: 'Render it again', text: call('/retry', ' -X POST') }]),
    { title: 'Send its webhook again', text: call('/deliveries/redeliver', ' -X POST') },
  ]
}
