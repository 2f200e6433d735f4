import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import type { PublishedEvents } from './published-events.ts'

export interface LevelViewOptions {
  category: 'template' | 'partial' | 'generation'
  /** Waits until the views show what is in the log. */
  level: () => Promise<void>
  published: PublishedEvents
  view: { shows(event: CloudEvent): boolean }
}

/**
 * To be called before a list is read: waits until the view shows every change that a gateway has acknowledged. While the
 * event store does not answer, the view is level if it shows the newest published event. A busy gateway gets a second try.
 * Throws DependencyUnavailable.
 */
export function levelView({ category, level, published, view }: LevelViewOptions): () => Promise<void> {
  const becomesLevel = async () => {
    try {
      await level()
    } catch (err) {
      if (!(err instanceof DependencyUnavailable)) throw err
      const newest = await published.newestOf(category)
      if (newest !== undefined && !view.shows(newest)) throw err
    }
  }
  return () =>
    becomesLevel().catch((err) => {
      if (!(err instanceof DependencyUnavailable)) throw err
      return becomesLevel()
    })
}
