import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, type Schemas, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { useChanges } from '../../parts/use-changes.ts'
import { type Resource, useResource } from '../../parts/use-resource.ts'

type Generation = Schemas['Generation']
type Delivery = Schemas['Delivery']

export interface LiveGeneration {
  generation: Resource<Generation>
  timeline: Resource<Schemas['GenerationTimeline']>
  deliveries: Resource<readonly Delivery[]>
  /** Loads all of it again, after something was done with it. */
  refresh(): void
}

const waitS = 25
const whileRunningMs = 1_000
const whileWaitingMs = 15_000
/** So long after the end, or after an act, a webhook is looked for. */
const settlingMs = 8_000
/** An attempt that is due within this time is waited for. */
const soonMs = 30_000

export const isUnfinished = ({ status }: Generation): boolean => status === 'queued' || status === 'rendering'

/** A generation with its timeline and its webhooks, which change on the page as they change on the server. */
export function useLiveGeneration(id: string): LiveGeneration {
  const path = { id }
  const generation = useResource(`generation ${id}`, (signal) =>
    unwrap(api.GET('/v1/generations/{id}', { params: { path }, signal })),
  )
  const timeline = useResource(`timeline ${id}`, (signal) =>
    unwrap(api.GET('/v1/generations/{id}/timeline', { params: { path }, signal })),
  )
  const deliveries = useResource<readonly Delivery[]>(`deliveries ${id}`, async (signal) => {
    const { data } = await unwrap(api.GET('/v1/generations/{id}/deliveries', { params: { path }, signal }))
    return data
  })
  const changedAt = useSignal(0)
  const details = () => {
    timeline.reload()
    deliveries.reload()
  }
  const current = generation.value
  const status = current?.status
  const isRunning = current !== undefined && isUnfinished(current)
  useEffect(() => {
    if (!isRunning) return
    const abort = new AbortController()
    void untilEnded(id, abort.signal, (found) => {
      generation.set(found)
      changedAt.value = Date.now()
      details()
    })
    return () => abort.abort()
  }, [id, isRunning])
  const delivery = deliveries.value?.find(({ status }) => status === 'pending')?.id
  const isFollowed = useChanges({
    category: isRunning ? 'generation' : delivery === undefined ? undefined : 'delivery',
    stream: mayUse('admin') ? (isRunning ? `generation-${id}` : `delivery-${delivery}`) : undefined,
    onChange: () => {
      if (isRunning) generation.reload()
      details()
    },
  })
  const delayMs = lookAgainAfter({
    isFollowed,
    isRunning,
    deliveries: deliveries.value ?? [],
    changedAt: Math.max(changedAt.value, Date.parse(current?.created_at ?? '') || 0),
  })
  useEffect(() => {
    if (delayMs === undefined) return
    const look = () => !document.hidden && details()
    const timer = setTimeout(look, delayMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [delayMs, timeline.value, deliveries.value, status])
  return {
    generation,
    timeline,
    deliveries,
    refresh() {
      changedAt.value = Date.now()
      generation.reload()
      details()
    },
  }
}

/** Each response comes when it has ended, or after `waitS`. */
async function untilEnded(id: string, signal: AbortSignal, onChange: (found: Generation) => void): Promise<void> {
  let before: string | undefined
  while (!signal.aborted) {
    try {
      const params = { path: { id }, query: { wait: before === undefined ? 1 : waitS } }
      const found = await unwrap(api.GET('/v1/generations/{id}', { params, signal }))
      if (signal.aborted) return
      if (found.status !== before) onChange(found)
      before = found.status
      if (!isUnfinished(found)) return
    } catch {
      // A lost connection has a banner, and comes back.
      await new Promise((resolve) => setTimeout(resolve, whileRunningMs))
    }
  }
}

interface Situation {
  /** Whether changes arrive by themselves. */
  isFollowed: boolean
  isRunning: boolean
  deliveries: readonly Delivery[]
  changedAt: number
}

function lookAgainAfter({ isFollowed, isRunning, deliveries, changedAt }: Situation): number | undefined {
  if (isFollowed) return whileWaitingMs
  if (isRunning || Date.now() - changedAt < settlingMs) return whileRunningMs
  const pending = deliveries.find(({ status }) => status === 'pending')
  if (pending === undefined) return undefined
  const dueIn = Date.parse(pending.next_attempt_at ?? '') - Date.now()
  return dueIn < soonMs ? whileRunningMs : whileWaitingMs
}
