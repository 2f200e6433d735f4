import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { recoveries } from '../api/connection.ts'

export interface Resource<Value> {
  /** What was loaded last. It stays while it is loaded again. */
  value: Value | undefined
  error: unknown
  isLoading: boolean
  reload(): void
  /** Shows a value that a change has returned. */
  set(value: Value): void
}

/**
 * Loads something of the API when `key` changes, and again when a lost connection has come back. The key names what is loaded: an
 * id, or a query.
 */
export function useResource<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Resource<Value> {
  const state = useSignal<{ key: string; value?: Value; error?: unknown; isLoading: boolean }>({ key, isLoading: true })
  const running = useRef<AbortController>(undefined)
  const recovered = recoveries.value
  const read = async () => {
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    const { value: before } = state
    state.value = before.key === key ? { ...before, error: undefined, isLoading: true } : { key, isLoading: true }
    try {
      const value = await load(abort.signal)
      if (!abort.signal.aborted) state.value = { key, value, isLoading: false }
    } catch (error) {
      if (!abort.signal.aborted) state.value = { ...state.value, error, isLoading: false }
    }
  }
  useEffect(() => {
    void read()
    return () => running.current?.abort()
  }, [key, recovered])
  const shown = state.value.key === key ? state.value : { key, isLoading: true }
  return {
    value: shown.value,
    error: shown.error,
    isLoading: shown.isLoading,
    reload: () => void read(),
    set: (value) => {
      // A request from before has an older answer.
      running.current?.abort()
      state.value = { key, value, isLoading: false }
    },
  }
}
