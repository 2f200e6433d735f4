import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Nothing says that it loads before this time: what comes sooner needs no sign. */
export const slowMs = 100

/** Whether it has been going on for a time that one notices, or for another time. */
export function useSlow(isGoingOn: boolean, afterMs = slowMs): boolean {
  const isSlow = useSignal(false)
  useEffect(() => {
    isSlow.value = false
    if (!isGoingOn) return
    const timer = setTimeout(() => {
      isSlow.value = true
    }, afterMs)
    return () => clearTimeout(timer)
  }, [isGoingOn])
  return isGoingOn && isSlow.value
}
