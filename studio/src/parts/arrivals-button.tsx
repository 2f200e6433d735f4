import { Button } from './button.tsx'
import { count } from './format.ts'
import type { Arrivals } from './use-arrivals.ts'

/** A button such as `3 new`, which shows what has arrived since the list was loaded. The list does not move before. */
export function ArrivalsButton({ arrivals }: { arrivals: Arrivals }) {
  if (arrivals.count === 0) return null
  const show = () => {
    arrivals.show()
    document.querySelector('.table-scroller')?.scrollTo({ top: 0 })
  }
  return (
    <Button class="arrivals" icon="arrow-up" onClick={show}>
      {count(arrivals.count, 'new', 'new')}
    </Button>
  )
}
