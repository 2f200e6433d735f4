import { listPartials, partialHistory } from './author/partials/partials.ts'
import {
  diffTemplate,
  listTemplates,
  pullTemplates,
  pushTemplates,
  restoreTemplate,
  templateHistory,
  watchTemplates,
} from './author/templates/templates.ts'
import type { Commands } from './frame/run-command.ts'
import { archive, listArchive, readArchive } from './operate/archive/archive.ts'
import { backup } from './operate/backup/backup.ts'
import { restore } from './operate/backup/restore.ts'
import { dropDead, listDead, retryDead, showDead } from './operate/dead/dead.ts'
import { listDeliveries, redeliverDeliveries, showDelivery } from './operate/deliveries/deliveries.ts'
import { adopt, showDeployment } from './operate/deployment/deployment.ts'
import { doctor } from './operate/doctor/doctor.ts'
import { erase } from './operate/erase/erase.ts'
import { setUpEventStore } from './operate/event-store/set-up.ts'
import { events, stream } from './operate/events/events.ts'
import { replayEvents } from './operate/events/replay-to-events.ts'
import { cancelGenerations, retryGeneration, showGeneration } from './operate/generations/generations.ts'
import { issueKey, listKeys, revokeKey, rotateKey } from './operate/keys/keys.ts'
import { natsUrl } from './operate/nats/nats-url.ts'
import {
  createOwnerCommand,
  disableOwner,
  enableOwner,
  listOwners,
  renameOwner,
  rotateWebhookSecret,
} from './operate/owners/owners.ts'
import { relayReset, relayStatus } from './operate/relay/relay.ts'
import { replay } from './operate/replay/replay.ts'
import { checkStreams } from './operate/streams/check.ts'
import { setUp } from './operate/streams/set-up.ts'
import { trace } from './operate/trace/trace.ts'
import { checkViews } from './operate/views/check.ts'
import { rebuildViews } from './operate/views/rebuild.ts'

export const commands: Commands = {
  trace,
  events,
  stream,
  replay,
  'events replay': replayEvents,
  archive,
  'archive list': listArchive,
  'archive read': readArchive,
  'deliveries list': listDeliveries,
  'deliveries show': showDelivery,
  'deliveries redeliver': redeliverDeliveries,
  'generations show': showGeneration,
  'generations retry': retryGeneration,
  'generations cancel': cancelGenerations,
  'partials list': listPartials,
  'partials history': partialHistory,
  'templates list': listTemplates,
  'templates history': templateHistory,
  'templates diff': diffTemplate,
  'templates restore': restoreTemplate,
  'templates pull': pullTemplates,
  'templates push': pushTemplates,
  'templates watch': watchTemplates,
  'dead list': listDead,
  'dead show': showDead,
  'dead retry': retryDead,
  'dead drop': dropDead,
  erase,
  'keys issue': issueKey,
  'keys list': listKeys,
  'keys rotate': rotateKey,
  'keys revoke': revokeKey,
  'owners create': createOwnerCommand,
  'owners list': listOwners,
  'owners rename': renameOwner,
  'owners disable': disableOwner,
  'owners enable': enableOwner,
  'owners rotate-webhook-secret': rotateWebhookSecret,
  'views rebuild': rebuildViews,
  'views check': checkViews,
  'streams setup': setUp,
  'streams check': checkStreams,
  'relay status': relayStatus,
  'relay reset': relayReset,
  deployment: showDeployment,
  'deployment adopt': adopt,
  'eventstore setup': setUpEventStore,
  'nats-url': natsUrl,
  doctor,
  backup,
  restore,
}
