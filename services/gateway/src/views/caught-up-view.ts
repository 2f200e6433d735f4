import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import type { PublishedEvents } from './published-events.ts'

export interface CaughtUpViewOptions {
  category: 'template' | 'partial' | 'generation'
  /** Waits until the views show what is in the log. */
  untilCaughtUp: () => Promise<void>
  published: PublishedEvents
  view: { shows(event: CloudEvent): boolean }
}

/**
 * To be called before a list is read: waits until the view shows every change that any gateway has acknowledged. While
 * the event store does not answer, the view counts as caught up if it shows the newest published event. A busy gateway
 * tries twice. Throws DependencyUnavailable.
 */
export function caughtUpView({ category, untilCaughtUp, published, view }: CaughtUpViewOptions): () => Promise<void> {
  const catchesUp = async () => {
    try {
      await untilCaughtUp()
    } catch (err) {
      if (!(err instanceof DependencyUnavailable)) throw err
      const newest = await published.newestOf(category)
      if (newest !== undefined && !view.shows(newest)) throw err
    }
  }
  return () =>
    catchesUp().catch((err) => {
      if (!(err instanceof DependencyUnavailable)) throw err
      return catchesUp()
    })
}
