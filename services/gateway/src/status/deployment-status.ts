import type { Status } from '@platen/domain/status/status.ts'
import { isInteractive } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { type AlertFacts, alertsOf } from '@platen/service-kit/status/alerts.ts'
import { isChecked, type Part, type StatusReport } from '@platen/service-kit/status/status-report.ts'
import type { Outcomes } from '../views/outcome-view.ts'

export interface DeploymentFacts {
  report: StatusReport
  lastHour: Outcomes
  endedLately: AlertFacts['endedLately']
}

const mostFound = 20

/** In the API the names of points in time end with `_at`. */
const dated = <Body extends { oldest?: string }>({ oldest, ...body }: Body) => ({
  ...body,
  ...defined({ oldest_at: oldest }),
})

/** The report as the API has it: points in time instead of ages, and without what is only for those who have the machine. */
export function deploymentStatus({ report, lastHour, endedLately }: DeploymentFacts): Status {
  const notChecked: Status['not_checked'] = []
  const shown = <Value, Body>(part: string, value: Part<Value>, body: (value: Value) => Body): Body | undefined => {
    if (isChecked(value)) return body(value)
    notChecked.push({ part, reason: (value as { not_checked: string }).not_checked })
    return undefined
  }
  const parts = {
    deployment: shown('deployment', report.deployment, (id) => id),
    processes: shown('processes', report.processes, (all) => all.map(processBody)),
    services: shown('services', report.services, (counts) =>
      Object.entries(counts).map(([service, processes]) => ({ service, processes })),
    ),
    queues: shown('queues', report.queues, (queues) =>
      queues.map(({ priority, waiting, in_progress, oldest_at }) => ({
        priority,
        waiting,
        in_progress,
        ...defined({ oldest_at }),
      })),
    ),
    consumers: shown('consumers', report.consumers, (all) =>
      all.map(({ idle_s: _, in_progress, ...consumer }) => ({ ...consumer, unacknowledged: in_progress })),
    ),
    relays: shown('relays', report.relays, (relays) =>
      relays.map(({ last_seq: _, partitions, ...relay }) => ({
        ...dated(relay),
        ...(partitions && { partitions: partitions.map((partition) => dated(partition)) }),
      })),
    ),
    views: shown('views', report.views, (views) =>
      views.map(({ lag_s, ...view }) => ({ ...view, lag_s: inTenths(lag_s) })),
    ),
    deliveries: shown('deliveries', report.deliveries, ({ view_lag_s: _, overdue_s, ...figures }) => ({
      ...figures,
      overdue_s: inTenths(overdue_s),
    })),
    dead_letters: shown('dead_letters', report.dead_letters, (letters) => letters),
    last_backup: shown('last_backup', report.last_backup, (last) => (last ? { at: last.at, where: last.where } : {})),
  }
  return {
    at: report.at,
    generations: { ...inQueues(report), last_hour: lastHour },
    not_checked: notChecked,
    attention: report.attention,
    alerts: alertsOf({ report, endedLately }).map(({ found, ...alert }) => ({
      ...alert,
      found: found.slice(0, mostFound),
    })),
    engines: report.engines.map(({ engine, ok, found }) => ({ engine, ok, ...(!ok && { reason: found }) })),
    disks: report.disks,
    ...(Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Partial<Status>),
  }
}

function inQueues({ queues }: StatusReport): Omit<Status['generations'], 'last_hour'> {
  if (!isChecked(queues)) return {}
  const sum = (of: 'waiting' | 'in_progress', isWanted = (_: string) => true) =>
    queues.filter(({ priority }) => isWanted(priority)).reduce((total, queue) => total + queue[of], 0)
  return {
    accepted: sum('waiting') + sum('in_progress'),
    queued: {
      interactive: sum('waiting', isInteractive),
      batch: sum('waiting', (priority) => !isInteractive(priority)),
    },
    rendering: sum('in_progress'),
  }
}

type Announced = Extract<StatusReport['processes'], unknown[]>[number]

function processBody(process: Announced): NonNullable<Status['processes']>[number] {
  const { instance, program, state, services, ready, silent, version, host, pid, started_at, seen_at, browsers } =
    process
  return {
    instance,
    program,
    state,
    services,
    ready,
    silent,
    version,
    host,
    pid,
    started_at,
    seen_at,
    reasons: Object.entries(process.reasons).map(([check, reason]) => ({ check, reason })),
    ...defined({ browsers }),
  }
}

const inTenths = (seconds: number) => Math.round(seconds * 10) / 10
