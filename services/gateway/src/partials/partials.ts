import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { FastifyPluginAsync } from 'fastify'
import { resource } from '../http/resource.ts'
import type { Urls } from '../http/urls.ts'
import type { IdempotencyEntries } from '../idempotency/idempotency-entries.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import { caughtUpView } from '../views/caught-up-view.ts'
import type { PublishedEvents } from '../views/published-events.ts'
import type { Views } from '../views/run-views.ts'
import { currentPartials } from './current-partials.ts'
import { type NewestPins, newestPins } from './newest-pins.ts'
import { partialCommands } from './partial-commands.ts'
import { partialHistoryRoutes } from './partial-history-routes.ts'
import { partialRoutes } from './partial-routes.ts'

export interface PartialsOptions {
  views: Pick<Views, 'partials' | 'untilCaughtUp'>
  reader: StreamReader
  published: PublishedEvents
  client: CommandClient
  idempotency: IdempotencyEntries
  urls: Urls
}

/** Fragments that templates call by name, and what other resources read of them. */
export interface Partials {
  newestPins: NewestPins
  routes: FastifyPluginAsync
}

export function openPartials({ views, reader, published, client, idempotency, urls }: PartialsOptions): Partials {
  const { partials: view } = views
  const partials = currentPartials({ view, store: reader, published })
  const untilCaughtUp = caughtUpView({ category: 'partial', untilCaughtUp: views.untilCaughtUp, published, view })
  const commands = partialCommands(client)
  return {
    newestPins: newestPins({ view, untilCaughtUp }),
    routes: resource('partials', async (app) => {
      app.register(partialHistoryRoutes, { view, partials, untilCaughtUp })
      app.register(partialRoutes, { view, partials, untilCaughtUp, commands, idempotency, urls })
    }),
  }
}
