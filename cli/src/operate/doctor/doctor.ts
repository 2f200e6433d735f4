import { DatabaseSync } from 'node:sqlite'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { announcedProcesses } from '@platen/service-kit/host/announced-processes.ts'
import { nameOf } from '@platen/service-kit/status/attention.ts'
import { expectedServices } from '@platen/service-kit/status/gather.ts'
import { type CommandContext, defineCommand, exitFound } from '../../frame/command.ts'
import { readEventStoreUrl, sqlitePathOf } from '../../frame/open-services.ts'
import { printRows } from '../../frame/table.ts'
import { chromiumChecks } from './check-chromium.ts'
import { dependencyChecks } from './check-dependencies.ts'
import { machineChecks } from './check-machine.ts'
import type { Check, Finding } from './finding.ts'

const servicesCheck: Check = {
  name: 'services',
  needs: ['nats', 'streams'],
  remedy: 'start what does not run; its log says why it ended. `platen status` shows all processes',
  async check({ openBus }) {
    const processes = await announcedProcesses(await openBus())
    if (processes === undefined || processes.length === 0) {
      return { state: 'note', found: 'no process of a service runs', remedy: 'start Platen' }
    }
    const living = processes.filter(({ silent }) => !silent)
    const wrong = [
      ...expectedServices
        .filter((service) => !living.some(({ services }) => services.includes(service)))
        .map((service) => `no ${service} runs`),
      ...processes.filter(({ silent }) => silent).map((it) => `${nameOf(it)} gives no sign`),
      ...living
        .filter(({ state }) => state === 'running')
        .flatMap((it) =>
          Object.entries(it.reasons).map(([check, reason]) => `${nameOf(it)} is not ready: ${check}: ${reason}`),
        ),
    ]
    if (wrong.length > 0) throw new Error(wrong.join('; '))
    return { found: `${living.length === 1 ? 'one process runs' : `${living.length} processes run`} all services` }
  },
}

/** Longer than services hold the lock for a commit on a slow disk. */
const patienceMs = 3_000

/** Appends can fail while reads work, for example if another program has locked the SQLite file. */
const appendsCheck: Check = {
  name: 'appends',
  needs: ['event store'],
  remedy:
    'end the program that holds the lock (fuser -v <file>), and see that the file may be written; nothing is lost',
  async check({ env }) {
    const path = sqlitePathOf(readConfig(env, readEventStoreUrl))
    if (path === undefined) return { found: 'not tried' }
    const database = new DatabaseSync(path, { timeout: patienceMs })
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK')
      return { found: 'nothing else holds the lock for writing' }
    } catch (err) {
      throw new Error(`${path} takes no events: ${(err as Error).message}`, { cause: err })
    } finally {
      database.close()
    }
  },
}

export const doctor = defineCommand({
  name: 'doctor',
  summary:
    'check all that Platen depends on, and that its services run: versions, rights, disk, clock, fonts; what is wrong and what to do',
  notes: [
    'Exits with 1 if something is wrong. It uses the same settings as the services. What depends on something that is wrong is',
    '"not checked".',
  ],
  async run(context, { json }) {
    const { print } = context
    const findings: Finding[] = []
    for (const check of [...machineChecks, ...dependencyChecks, appendsCheck, servicesCheck, ...chromiumChecks])
      findings.push(await run(check, findings, context))
    printRows(findings, { print, json, columns })
    const wrong = findings.filter(({ state }) => state === 'wrong').length
    if (!json) print(wrong === 0 ? 'nothing is wrong' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong`)
    return wrong === 0 ? 0 : exitFound
  },
})

const columns = ({ name, state, found, remedy }: Finding) => [state, name, remedy ? `${found}; ${remedy}` : found]

/** A check that fails has found something wrong. */
async function run(check: Check, before: readonly Finding[], context: CommandContext): Promise<Finding> {
  const { name, remedy, needs = [] } = check
  const broken = before.find((it) => needs.includes(it.name) && ['wrong', 'not checked'].includes(it.state))
  if (broken) return { name, state: 'not checked', found: `${broken.name} is ${broken.state}` }
  try {
    return { name, state: 'ok', ...(await check.check(context)) }
  } catch (err) {
    return { name, state: 'wrong', found: err instanceof Error ? err.message : String(err), remedy }
  }
}
