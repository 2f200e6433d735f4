import { createHash } from 'node:crypto'
import { authoredFieldNames } from '@platen/domain/template/template-content.ts'
import { isUnedited, signed } from './jsreport/made-by.ts'
import type { Plan, PlannedPartial, PlannedTemplate } from './jsreport/plan.ts'
import { nameOf } from './jsreport/read-export.ts'
import type { Remarks } from './jsreport/report.ts'
import { type Content, ifFound, type Partial, sameContent, type Template, type TemplateLibrary } from './library.ts'
import type { PushTrial } from './push-trial.ts'

/** Something that an import has made. */
export interface Imported {
  type: 'asset' | 'partial' | 'template'
  name: string
  /** That of a dry run is the one that it would be. */
  version?: number
  change: 'created' | 'updated' | 'unchanged'
}

export interface Sending {
  force: boolean
  /** Set in a dry run: checks what would be sent, and sends nothing. */
  trial: PushTrial | undefined
  /** Gets what Platen refuses. */
  remarks: Remarks
}

const notOurs = 'one of this name was edited since, or is not from jsreport; --force replaces it'

/** Sends a plan, and yields each thing that Platen has taken. What it refuses is left, and nothing else depends on the order. */
export async function* sendImport(library: TemplateLibrary, plan: Plan, sending: Sending): AsyncIterable<Imported> {
  const { trial, remarks } = sending
  const contents = new Map((await library.assets()).map(({ name, sha256 }) => [name, sha256]))
  const partials = new Map((await library.partials()).map((partial) => [partial.name, partial]))
  trial?.expect(new Map([...partials.values(), ...plan.partials].map(({ name, html }) => [name, html])))
  for (const { entity, name, bytes } of plan.assets) {
    const before = contents.get(name)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const change = before === sha256 ? 'unchanged' : before === undefined ? 'created' : 'updated'
    const send = () => library.putAsset(name, new Uint8Array(bytes))
    if (change !== 'unchanged' && !trial && (await refused(send, nameOf(entity), remarks))) continue
    contents.set(name, sha256)
    yield { type: 'asset', name, change }
  }
  for (const planned of plan.partials) yield* sendPartial(library, planned, partials, sending)
  for (const planned of plan.templates) yield* sendTemplate(library, planned, { contents, partials }, sending)
}

async function* sendPartial(
  library: TemplateLibrary,
  { entity, name, html: source }: PlannedPartial,
  stored: Map<string, Pick<Partial, 'html' | 'version'>>,
  { force, trial, remarks }: Sending,
): AsyncIterable<Imported> {
  const html = signed(entity.shortid, { html: source })
  const before = stored.get(name)
  if (before?.html === html) return yield { type: 'partial', name, version: before.version, change: 'unchanged' }
  if (before && !force && !isUnedited(entity.shortid, { html: before.html }))
    return remarks.left(nameOf(entity), notOurs)
  const send = async () => {
    if (trial) await trial.partial(name, html)
    else if (before) await library.updatePartial(name, before.version, html)
    else await library.createPartial(name, html)
  }
  if (await refused(send, nameOf(entity), remarks)) return
  const version = (before?.version ?? 0) + 1
  stored.set(name, { html, version })
  yield { type: 'partial', name, version, change: before ? 'updated' : 'created' }
}

interface Pins {
  /** The SHA-256 of assets. */
  contents: ReadonlyMap<string, string>
  partials: ReadonlyMap<string, { version: number }>
}

async function* sendTemplate(
  library: TemplateLibrary,
  { entity, slug, content: planned }: PlannedTemplate,
  pins: Pins,
  { force, trial, remarks }: Sending,
): AsyncIterable<Imported> {
  const content = { ...planned, html: signed(entity.shortid, planned) }
  const current = await ifFound(library.template(slug))
  const version = current?.version ?? 0
  if (current && sameContent(current, content) && isPinned(current, pins)) {
    return yield { type: 'template', name: slug, version, change: 'unchanged' }
  }
  if (current && !force && !isUnedited(entity.shortid, authored(current))) return remarks.left(nameOf(entity), notOurs)
  const send = async () => {
    if (trial) await trial.template(content)
    else await library.putTemplate(slug, current?.version, content)
  }
  if (await refused(send, nameOf(entity), remarks)) return
  yield { type: 'template', name: slug, version: version + 1, change: current ? 'updated' : 'created' }
}

/** Whether the version has the newest partials and assets. */
const isPinned = ({ partials = {}, assets = {} }: Template, pins: Pins) =>
  Object.entries(partials).every(([name, { version }]) => pins.partials.get(name)?.version === version) &&
  Object.entries(assets).every(([name, sha256]) => pins.contents.get(name) === sha256)

const authored = (template: Template) =>
  Object.fromEntries(
    authoredFieldNames.flatMap((name) => (template[name] === undefined ? [] : [[name, template[name]]])),
  ) as Content

/** Whether Platen refuses what is sent, for which there is a remark. Throws if Platen cannot be reached. */
async function refused(send: () => Promise<unknown>, entity: string, remarks: Remarks): Promise<boolean> {
  try {
    await send()
    return false
  } catch (err) {
    const { message } = err as Error
    if (/\((NETWORK_ERROR|UNAUTHORIZED|FORBIDDEN)\)/.test(message)) throw err
    remarks.left(entity, message)
    return true
  }
}
