import { readConfig } from '@platen/foundation/settings/config.ts'
import { recordBackup } from '@platen/service-kit/host/last-backup.ts'
import { defineCommand } from '../../frame/command.ts'
import { readEventStoreUrl, readObjectStoreUrl } from '../../frame/open-services.ts'
import { dryRun } from '../../frame/options.ts'
import { type EngineStep, engineSteps } from './engine-steps.ts'
import { recordInFolder } from './record-last-backup.ts'

const titles = {
  first: 'first, in the shell in which the other lines are run',
  backup: 'back up, in this order',
  'event store lost': 'if the event store is lost, or goes back to a copy',
  'object store lost': 'if the object store is lost',
  'NATS lost': 'if NATS is lost',
} as const

export const backupEngines = defineCommand({
  name: 'backup engines',
  summary: 'print what to copy of the configured engines, in which order, and how to recover after the loss of each',
  options: {
    done: { about: 'records that they were backed up just now, for `status`, the metric and the alert' },
    ...dryRun,
  },
  notes: ['Reads the settings only. --done writes the object platen/last-backup to the object store.'],
  async run({ env, openObjects, print }, { done, json, 'dry-run': isDryRun }) {
    const urls = readConfig(env, (settings) => ({
      eventStore: readEventStoreUrl(settings),
      objectStore: readObjectStoreUrl(settings),
    }))
    if (done) {
      const last = { at: new Date().toISOString(), where: 'backups of the engines' }
      const folder = /^file:(.+)$/s.exec(urls.objectStore)?.[1]
      if (isDryRun) {
        // A store that is not there could not record it.
        await openObjects()
        const would = `it would be recorded that the engines were backed up at ${last.at}`
        return print(json ? JSON.stringify({ ...last, dry_run: true }) : would)
      }
      await (folder === undefined ? recordBackup(await openObjects(), last) : recordInFolder(folder, last))
      return print(json ? JSON.stringify(last) : `recorded: the engines were backed up at ${last.at}`)
    }
    const steps = engineSteps(urls)
    if (json) for (const step of steps) print(JSON.stringify(step))
    else for (const line of linesOf(steps)) print(line)
  },
})

function linesOf(steps: readonly EngineStep[]): string[] {
  return Object.entries(titles).flatMap(([when, title]) => {
    const lines = steps
      .filter((step) => step.when === when)
      .flatMap(({ what, command }, at) => [
        `  ${at + 1}. ${what}`,
        ...(command === undefined ? [] : [`       ${command}`]),
      ])
    return [`${title}:`, ...lines, '']
  })
}
