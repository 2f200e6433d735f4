import { connection } from '../api/connection.ts'
import { Icon } from '../parts/icon.tsx'

/** Says that the server cannot be reached, until it can. What is shown was loaded before. */
export function ConnectionBanner() {
  return (
    <div role="status">
      {connection.value === 'lost' && (
        <p class="connection-banner">
          <Icon name="wifi-off" />
          The server cannot be reached. What is shown may be out of date. Trying again…
        </p>
      )}
    </div>
  )
}
