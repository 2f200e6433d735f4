import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatDuration } from '../../../parts/format.ts'
import { useSlow } from '../../../parts/use-slow.ts'

/** Says that the versions are printed, and for how long already. */
export function Working({ from, to }: { from: number; to: number }) {
  const isSlow = useSlow(true)
  const seconds = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      seconds.value++
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="versions-working" aria-busy="true">
      {isSlow && (
        <>
          <p>
            <span role="status">
              Printing versions {from} and {to}, and comparing their pages…
            </span>{' '}
            {seconds.value > 0 && formatDuration(seconds.value * 1_000)}
          </p>
          <div class="versions-pair" aria-hidden="true">
            <div class="versions-blank" />
            <div class="versions-blank" />
          </div>
        </>
      )}
    </div>
  )
}
