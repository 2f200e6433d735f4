import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, type Schemas, unwrap } from '../../api/client.ts'
import { follow } from '../../api/follow.ts'
import { type Resource, useResource } from '../../parts/use-resource.ts'
import { actingOwner } from '../../router/acting-owner.ts'

export type Status = Schemas['Status']

export interface LiveStatus {
  resource: Resource<Status>
  /** Whether changes arrive by themselves. */
  isLive: boolean
}

/** The status of the deployment, or of the owner that the address or the key names. It changes as the server sends it. */
export function useStatus(): LiveStatus {
  const isLive = useSignal(false)
  const key = `status ${actingOwner.value ?? ''}`
  const resource = useResource(key, (signal) => unwrap(api.GET('/v1/status', { signal })))
  const isLoaded = resource.value !== undefined
  useEffect(() => {
    if (!isLoaded) return
    const ended = new AbortController()
    follow({
      path: '/v1/status/events',
      events: ['status'],
      isCurrent: true,
      onEvent: ({ data }) => resource.set(data as Status),
      onState: (state) => {
        isLive.value = state === 'open'
      },
      signal: ended.signal,
    })
    return () => {
      ended.abort()
      isLive.value = false
    }
  }, [key, isLoaded])
  return { resource, isLive: isLive.value }
}
