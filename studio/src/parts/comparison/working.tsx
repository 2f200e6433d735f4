import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatDuration } from '../format.ts'
import { useSlow } from '../use-slow.ts'

/** Says what is being done, and for how long already: `Comparing the pages…`. */
export function Working({ text }: { text: string }) {
  const isSlow = useSlow(true)
  const seconds = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      seconds.value++
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="comparison-working" aria-busy="true">
      {isSlow && (
        <>
          <p>
            <span role="status">{text}</span> {seconds.value > 0 && formatDuration(seconds.value * 1_000)}
          </p>
          <div class="comparison-pair" aria-hidden="true">
            <div class="comparison-blank" />
            <div class="comparison-blank" />
          </div>
        </>
      )}
    </div>
  )
}
