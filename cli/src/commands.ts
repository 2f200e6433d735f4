import { archive, listArchive, readArchive } from './archive/archive.ts'
import { backup } from './backup/backup.ts'
import { restore } from './backup/restore.ts'
import { dropDead, listDead, retryDead, showDead } from './dead/dead.ts'
import { listDeliveries, redeliverDeliveries, showDelivery } from './deliveries/deliveries.ts'
import { adopt, showDeployment } from './deployment/deployment.ts'
import { doctor } from './doctor/doctor.ts'
import { erase } from './erase/erase.ts'
import { setUpEventStore } from './event-store/set-up.ts'
import { events, stream } from './events/events.ts'
import { replayEvents } from './events/replay-to-events.ts'
import type { Commands } from './frame/run-command.ts'
import { cancelGenerations, retryGeneration, showGeneration } from './generations/generations.ts'
import { issueKey, listKeys, revokeKey, rotateKey } from './keys/keys.ts'
import { natsUrl } from './nats/nats-url.ts'
import {
  createOwnerCommand,
  disableOwner,
  enableOwner,
  listOwners,
  renameOwner,
  rotateWebhookSecret,
} from './owners/owners.ts'
import { listPartials, partialHistory } from './partials/partials.ts'
import { relayReset, relayStatus } from './relay/relay.ts'
import { replay } from './replay/replay.ts'
import { checkStreams } from './streams/check.ts'
import { setUp } from './streams/set-up.ts'
import {
  diffTemplate,
  listTemplates,
  pullTemplates,
  pushTemplates,
  restoreTemplate,
  templateHistory,
  watchTemplates,
} from './templates/templates.ts'
import { trace } from './trace/trace.ts'
import { checkViews } from './views/check.ts'
import { rebuildViews } from './views/rebuild.ts'

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
