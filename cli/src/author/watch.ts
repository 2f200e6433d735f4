import { watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CommandContext, defineCommand, one } from '../frame/command.ts'
import { openLibrary, type TemplateLibrary } from './library.ts'
import { partialsFolder } from './partial-files.ts'
import { lineOf, lineOfPartial, pushNotes, pushOptions, pushTemplate } from './push.ts'
import { type PartialVersions, type Pushing, pushPartials } from './push-partials.ts'
import { PushTrial } from './push-trial.ts'
import { templateFolders } from './template-folder.ts'

/** Editors save in several steps. */
const settledMs = 100

export const watchTemplates = defineCommand({
  name: 'templates watch',
  argument: one('folder'),
  summary: 'push templates as soon as their files are saved, until Ctrl-C',
  options: pushOptions,
  notes: [...pushNotes, 'A template that is refused is reported, and pushed again when it is saved next.'],
  async run(context, { argument, owner, force, json, 'dry-run': isDryRun }) {
    const { env, note, signal } = context
    const folder = resolve(argument)
    await templateFolders(folder)
    const library = await openLibrary(env, owner)
    await using trial = isDryRun ? new PushTrial() : undefined
    const push = pusher(context, { library, folder, force, trial, json })
    let pushing = Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    // Both listeners are added before the first push, which may take long: a file saved meanwhile, or Ctrl-C, would be
    // missed.
    const stopped = new Promise<void>((done) => {
      if (signal.aborted) done()
      else signal.addEventListener('abort', () => done(), { once: true })
    })
    const watcher = watch(folder, { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        pushing = pushing.then(push)
      }, settledMs)
    })
    try {
      note(`watching ${folder}`)
      pushing = pushing.then(push)
      await stopped
    } finally {
      watcher.close()
      clearTimeout(timer)
    }
    await pushing
  },
})

interface Watched extends Omit<Pushing, 'partials'> {
  library: TemplateLibrary
  folder: string
  json: boolean
}

/** Pushes changed files, and reports refusals. Stops between two templates when the signal aborts. */
function pusher({ print, note, signal }: CommandContext, { library, folder, force, trial, json }: Watched) {
  const shown = { json, isDryRun: trial !== undefined }
  const reporting = async (path: string, work: () => Promise<void>) => {
    if (!signal.aborted) await work().catch((err: Error) => note(`${path}: ${err.message}`))
  }
  return async () => {
    const partials: PartialVersions = new Map()
    await reporting(join(folder, partialsFolder), async () => {
      for await (const partial of pushPartials(library, folder, { force, trial, partials }))
        print(lineOfPartial(partial, shown))
    })
    await reporting(folder, async () => {
      for (const path of await templateFolders(folder)) {
        await reporting(path, async () => {
          const pushed = await pushTemplate(library, path, { force, trial, partials })
          if (pushed.change !== 'unchanged') print(lineOf(path, pushed, shown))
        })
      }
    })
  }
}
