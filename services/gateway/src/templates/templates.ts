import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { FastifyPluginAsync } from 'fastify'
import { resource } from '../http/resource.ts'
import type { Urls } from '../http/urls.ts'
import type { IdempotencyEntries } from '../idempotency/idempotency-entries.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import { caughtUpView } from '../views/caught-up-view.ts'
import type { PublishedEvents } from '../views/published-events.ts'
import type { Views } from '../views/run-views.ts'
import { type CurrentLabels, currentLabels } from './current-labels.ts'
import { type CurrentTemplates, currentTemplates } from './current-templates.ts'
import { helperRoutes } from './helper-routes.ts'
import { labelRoutes } from './label-routes.ts'
import { templateCommands } from './template-commands.ts'
import { templateRoutes } from './template-routes.ts'
import { type VersionReader, versionReader } from './version-reader.ts'
import { versionRoutes } from './version-routes.ts'

export interface TemplatesOptions {
  views: Pick<Views, 'templates' | 'labels' | 'apiKeys' | 'untilCaughtUp'>
  reader: StreamReader
  published: PublishedEvents
  client: CommandClient
  idempotency: IdempotencyEntries
  urls: Urls
}

/** Stored templates with their versions and labels, and what other resources read of them. */
export interface Templates {
  templates: CurrentTemplates
  labels: CurrentLabels
  readVersion: VersionReader
  /** Resolves when the view shows every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
  routes: FastifyPluginAsync
}

export function openTemplates({ views, reader, published, client, idempotency, urls }: TemplatesOptions): Templates {
  const { templates: view, labels: labelView, apiKeys } = views
  const templates = currentTemplates({ view, store: reader, published })
  const labels = currentLabels({ view: labelView, store: reader })
  const untilCaughtUp = caughtUpView({ category: 'template', untilCaughtUp: views.untilCaughtUp, published, view })
  const commands = templateCommands(client)
  return {
    templates,
    labels,
    readVersion: versionReader(templates),
    untilCaughtUp,
    routes: resource('templates', async (app) => {
      app.register(templateRoutes, { view, labelView, templates, labels, untilCaughtUp, commands, idempotency, urls })
      app.register(versionRoutes, { templates, labels, apiKeys, commands, store: reader })
      app.register(labelRoutes, { templates, commands })
      app.register(helperRoutes)
    }),
  }
}
