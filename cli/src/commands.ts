import { cancelBatch, listBatches, listBatchItems, showBatch, waitForBatch } from './author/batches.ts'
import { createBatch } from './author/create-batch.ts'
import { diffTemplate } from './author/diff.ts'
import { downloadBatch } from './author/download-batch.ts'
import { importJsreport } from './author/import-jsreport.ts'
import { listPartials, partialHistory } from './author/partials.ts'
import { pullTemplates } from './author/pull.ts'
import { pushTemplates } from './author/push.ts'
import { pushAssets } from './author/push-assets.ts'
import { listTemplates, restoreTemplate, templateHistory } from './author/templates.ts'
import { watchTemplates } from './author/watch.ts'
import type { Command } from './frame/command.ts'
import { archive, listArchive, readArchive } from './operate/archive/archive.ts'
import { removeArchived } from './operate/archive/remove.ts'
import { backup } from './operate/backup/backup.ts'
import { drillBackup } from './operate/backup/drill.ts'
import { backupEngines } from './operate/backup/engines.ts'
import { restore } from './operate/backup/restore.ts'
import { verifyBackup } from './operate/backup/verify.ts'
import { dropDead, listDead, retryDead, showDead } from './operate/dead-letters/verbs.ts'
import { listDeliveries, redeliverDeliveries, showDelivery } from './operate/deliveries/deliveries.ts'
import { claim, showDeployment } from './operate/deployment/deployment.ts'
import { doctor } from './operate/doctor/doctor.ts'
import { erase } from './operate/erase/erase.ts'
import { setUpEventStore } from './operate/event-store/set-up.ts'
import { events, stream } from './operate/events/events.ts'
import { cancelGenerations } from './operate/generations/cancel.ts'
import { listGenerations, showGeneration } from './operate/generations/generations.ts'
import { retryGenerations } from './operate/generations/retry.ts'
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
import { relayStatus } from './operate/relay/relay.ts'
import { replay } from './operate/replay/replay.ts'
import { status } from './operate/status/status.ts'
import { checkStreams } from './operate/streams/check.ts'
import { setUp } from './operate/streams/set-up.ts'
import { trace } from './operate/trace/trace.ts'
import { checkViews } from './operate/views/check.ts'
import { rebuildViews } from './operate/views/rebuild.ts'

/** Every verb, in the order of the help and of docs/reference/commands.md. */
export const commands: readonly Command[] = [
  ...[listTemplates, templateHistory, diffTemplate, restoreTemplate, pullTemplates, pushTemplates, watchTemplates],
  ...[listPartials, partialHistory],
  ...[pushAssets, importJsreport],
  ...[createBatch, listBatches, showBatch, listBatchItems, waitForBatch, cancelBatch, downloadBatch],
  status,
  ...[trace, events, stream],
  replay,
  ...[listDeliveries, showDelivery, redeliverDeliveries],
  ...[listGenerations, showGeneration, retryGenerations, cancelGenerations],
  ...[listDead, showDead, retryDead, dropDead],
  erase,
  ...[issueKey, listKeys, rotateKey, revokeKey],
  ...[createOwnerCommand, listOwners, renameOwner, disableOwner, enableOwner, rotateWebhookSecret],
  ...[checkViews, rebuildViews],
  ...[archive, listArchive, readArchive, removeArchived],
  ...[setUp, checkStreams],
  relayStatus,
  ...[showDeployment, claim],
  setUpEventStore,
  natsUrl,
  doctor,
  ...[backup, verifyBackup, drillBackup, backupEngines, restore],
]
