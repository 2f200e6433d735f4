import { type CommandContext, defineCommand, exitFound } from '../../frame/command.ts'
import { printRows } from '../../frame/table.ts'
import { appendsCheck } from './check-appends.ts'
import { chromiumChecks } from './check-chromium.ts'
import { dependencyChecks } from './check-dependencies.ts'
import { machineChecks } from './check-machine.ts'
import { servicesCheck } from './check-services.ts'
import type { Check, Finding } from './finding.ts'

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
