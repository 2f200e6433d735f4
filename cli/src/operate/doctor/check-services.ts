import { announcedProcesses } from '@platen/service-kit/host/announced-processes.ts'
import { nameOf } from '@platen/service-kit/status/attention.ts'
import { expectedServices } from '@platen/service-kit/status/gather.ts'
import type { Check } from './finding.ts'

export const servicesCheck: Check = {
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
