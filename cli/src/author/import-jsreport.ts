import { readFile, stat } from 'node:fs/promises'
import { isAssetName } from '@platen/domain/asset/asset-name.ts'
import { defineCommand, exitFound, one } from '../frame/command.ts'
import { dryRun, UsageError } from '../frame/options.ts'
import { exportLimits, readExport } from './jsreport/read-export.ts'
import { Remarks } from './jsreport/report.ts'
import { openLibrary, ownerOption } from './library.ts'
import { PushTrial } from './push-trial.ts'
import { type Imported, sendImport } from './send-import.ts'

const maxMiB = exportLimits.totalBytes / 2 ** 20

export const importJsreport = defineCommand({
  name: 'import jsreport',
  argument: one('export'),
  summary: 'create templates, partials and assets from a file that jsreport has exported (*.jsrexport)',
  options: {
    into: { value: 'FOLDER', about: 'the folder of the names of assets', default: 'jsreport', read: readFolder },
    force: { about: 'also over templates and partials that have been edited since, or are not from jsreport' },
    ...ownerOption,
    ...dryRun,
  },
  notes: [
    'Templates of the engine handlebars or none, and of the recipe chrome-pdf or html, are taken, with their sample data, options of',
    'Chrome and helpers. Child templates and components become partials. Each thing that cannot be taken is named as left, with the',
    'reason, and each that may look different as changed. Exits with 1 if something was left, and with 2 if the import has failed. A',
    'later import updates what this one has made.',
  ],
  exitFailed: 2,
  async run({ env, print, note }, { argument, into, force, owner, json, 'dry-run': isDryRun }) {
    const exported = await readExport(await readArchive(argument))
    const remarks = new Remarks()
    // It loads all helpers, which takes as long as a fifth of a start.
    const { planImport } = await import('./jsreport/plan-import.ts')
    const plan = planImport(exported, into, remarks)
    const library = await openLibrary(env, owner)
    await using trial = isDryRun ? new PushTrial() : undefined
    const dry = isDryRun ? { dry_run: true } : {}
    const count = { created: 0, updated: 0, unchanged: 0 }
    for await (const made of sendImport(library, plan, { force, trial, remarks })) {
      count[made.change]++
      print(json ? JSON.stringify({ ...made, ...dry }) : lineOf(made, isDryRun))
    }
    for (const { entity, reason } of remarks.allChanged) {
      print(json ? JSON.stringify({ changed: entity, reason, ...dry }) : `changed ${entity}  ${reason}`)
    }
    const left = remarks.allLeft
    for (const { entity, reason } of left) {
      print(json ? JSON.stringify({ left: entity, reason, ...dry }) : `left ${entity}  ${reason}`)
    }
    note(`${count.created} created, ${count.updated} updated, ${count.unchanged} unchanged, ${left.length} left`)
    return left.length > 0 ? exitFound : 0
  },
})

async function readArchive(path: string): Promise<Buffer> {
  const { size } = await stat(path).catch(() => {
    throw new Error(`there is no file ${path}`)
  })
  if (size > exportLimits.totalBytes) throw new Error(`${path} has more than ${maxMiB} MiB`)
  return readFile(path)
}

function readFolder(text: string, option: string): string {
  const folder = text.replace(/\/+$/, '')
  if (isAssetName(`${folder}/x.css`)) return folder
  throw new UsageError(`${option} must be a folder of assets, such as brand or brand/2026`)
}

function lineOf({ type, name, change, version }: Imported, isDryRun: boolean): string {
  const told = isDryRun && change !== 'unchanged' ? `would be ${change}` : change
  return [`${type} ${name}`, told, ...(version === undefined ? [] : [`version ${version}`])].join('  ')
}
