import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import { isTombstone } from '@platen/event-store/with-catalogue.ts'
import { openViewDatabase, type ViewDatabase, type ViewSchema } from '@platen/service-kit/projections/view-database.ts'
import { type ApiKeyView, apiKeyTables, apiKeyView } from './api-key-view.ts'
import { type AppliedEvents, appliedCounter, appliedTables, readApplied } from './applied-events.ts'
import { type AssetView, assetTables, assetView } from './asset-view.ts'
import { type BatchView, batchTables, batchView } from './batch-view.ts'
import { type DeliveryView, deliveryTables, deliveryView } from './delivery-view.ts'
import { type GenerationView, generationTables, generationView } from './generation-view.ts'
import { type LabelView, labelTables, labelView } from './label-view.ts'
import { metadataTables } from './metadata-table.ts'
import { outcomeTables } from './outcome-view.ts'
import { type OwnerView, ownerTables, ownerView } from './owner-view.ts'
import { type PartialUsage, partialUsage } from './partial-usage.ts'
import { type PartialView, partialTables, partialView } from './partial-view.ts'
import { templatePinsTables } from './template-pins.ts'
import { type TemplateView, templateTables, templateView } from './template-view.ts'
import type { View } from './view.ts'

/** The views in a file. The caller applies the events. */
export interface OpenViews extends Disposable {
  database: ViewDatabase
  templates: TemplateView
  partials: PartialView & { usage(ownerId: string, name: string): PartialUsage }
  labels: LabelView
  generations: GenerationView
  batches: BatchView
  deliveries: DeliveryView
  apiKeys: ApiKeyView
  owners: OwnerView
  assets: AssetView
  /** What has led to the views. */
  applied(): AppliedEvents
  /** To be called when wrong rows may have been repaired: older snapshots must not be used any more. */
  purged(at: Date): void
  /** Writes events to the views of their categories. */
  apply(events: readonly StoredEvent[]): void
}

/** The categories that the views are made of. */
export const viewCategories = [
  'template',
  'partial',
  'label',
  'generation',
  'batch',
  'delivery',
  'apikey',
  'keyuse',
  'owner',
  'asset',
] as const

export const viewSchema: ViewSchema = {
  /** Raise it when a table or its content changes: views of another version are rebuilt. */
  version: 11,
  tables: [
    appliedTables,
    templateTables,
    templatePinsTables,
    partialTables,
    labelTables,
    generationTables,
    outcomeTables,
    batchTables,
    deliveryTables,
    metadataTables,
    apiKeyTables,
    ownerTables,
    assetTables,
  ].join(''),
}

/** Creates the file if it is missing, corrupt or of another schema version. */
export function openViews(path: string): OpenViews {
  const database = openViewDatabase(path, viewSchema)
  const apiKeys = apiKeyView(database.db)
  const templates = templateView(database.db)
  const labels = labelView(database.db)
  const generations = generationView(database.db)
  const batches = batchView(database.db)
  const deliveries = deliveryView(database.db)
  const owners = ownerView(database.db)
  const assets = assetView(database.db)
  const ofPartials = partialView(database.db)
  const partials = { ...ofPartials, usage: partialUsage(templates, ofPartials) }
  const counter = appliedCounter(database.db)
  const others: Partial<Record<string, View>> = {
    template: templates,
    partial: partials,
    label: labels,
    batch: batches,
    delivery: deliveries,
    apikey: apiKeys,
    keyuse: { apply: apiKeys.applyUse, remove: () => {} },
    owner: owners,
    asset: assets,
  }
  return {
    database,
    templates,
    partials,
    labels,
    generations,
    batches,
    deliveries,
    apiKeys,
    owners,
    assets,
    applied: () => readApplied(database.db),
    purged: (at) => counter.purged(at),
    apply(events) {
      counter.add(events)
      const ofGenerations: StoredEvent[] = []
      for (const event of events) {
        const category = categoryOf(event.stream)
        if (category === 'generation') ofGenerations.push(event)
        else applyOne(others[category], event)
      }
      generations.apply(ofGenerations)
    },
    [Symbol.dispose]: () => database[Symbol.dispose](),
  }
}

function applyOne(view: View | undefined, event: StoredEvent): void {
  if (isTombstone(event)) view?.remove(aggregateIdOf(event.stream))
  else view?.apply(event)
}
