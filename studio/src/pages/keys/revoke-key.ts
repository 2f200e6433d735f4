import { api, unwrap } from '../../api/client.ts'
import type { PagedList } from '../../api/paged-list.ts'
import { currentSession } from '../../api/session-state.ts'
import { attempt } from '../../parts/attempt.ts'
import { confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/toasts.tsx'
import type { ApiKey } from './resources.ts'

/** Asks, and then revokes the key. It stays in the list. */
export async function revokeKey({ id, name }: ApiKey, list: PagedList<ApiKey>): Promise<void> {
  const endsSession = id === currentSession().api_key.id
  const isConfirmed = await confirm({
    title: `Revoke the key “${name}”?`,
    body: `Programs that use it are refused at once. A revoked key cannot be used again.${endsSession ? ' You are signed in with it: your session ends.' : ''}`,
    action: 'Revoke key',
    tone: 'danger',
  })
  if (!isConfirmed) return
  await attempt(async () => {
    await unwrap(api.DELETE('/v1/keys/{id}', { params: { path: { id } } }))
    list.update((keys) => keys.map((key) => (key.id === id ? { ...key, status: 'revoked' } : key)))
    notify(`The key “${name}” was revoked`)
  })
}
