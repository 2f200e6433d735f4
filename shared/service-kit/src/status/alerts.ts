import { partsOf } from '../relay/relay-status.ts'
import { isRunning, missingServices, nameOf } from './attention.ts'
import { shortDuration, shortSize } from './duration.ts'
import { idleConsumerS, lateDeliveryS, lateRelayS, lateViewS, leastFreeBytes, oldBackupS, oldQueueS } from './limits.ts'
import { isChecked, type NotChecked, type Part, type StatusReport } from './status-report.ts'

/** An alert of deploy/monitoring/alerts.yaml, evaluated with what the report has. */
export interface Alert {
  alert: string
  severity: 'critical' | 'warning'
  /** `active`: the condition holds now. Prometheus fires when it has held for `for_s`. */
  state: 'active' | 'inactive' | 'not_evaluated'
  for_s: number
  /** What meets the condition, in sentences. */
  found: string[]
  /** Why it was not evaluated. */
  reason?: string
}

/** The generations that have ended in the last ten minutes. */
export interface EndedLately {
  all: number
  failed: number
}

export interface AlertFacts {
  report: StatusReport
  endedLately: Part<EndedLately>
}

interface Rule extends Pick<Alert, 'severity' | 'for_s'> {
  look: (facts: AlertFacts) => string[] | NotChecked
}

const minuteS = 60
const mostFailed = 0.1
const overTime: NotChecked = { not_checked: 'it needs counters over time, which Prometheus keeps' }

/** By the names that they have there. */
const rules: Readonly<Record<string, Rule>> = {
  PlatenTargetIsDown: {
    severity: 'critical',
    for_s: 2 * minuteS,
    look: ({ report }) =>
      of(report.processes, (all) =>
        all
          .filter(({ silent }) => silent)
          .map((it) => `${nameOf(it)} has given no sign for ${shortDuration(it.seen_s)}`),
      ),
  },
  PlatenServiceIsGone: {
    severity: 'critical',
    for_s: 2 * minuteS,
    look: ({ report }) => of(report.services, () => missingServices(report).map(({ what }) => `no ${what} runs`)),
  },
  PlatenIsNotReady: {
    severity: 'critical',
    for_s: 5 * minuteS,
    look: ({ report }) =>
      of(report.processes, (all) =>
        all
          .filter(isRunning)
          .flatMap((it) => Object.entries(it.reasons).map(([check, why]) => `${nameOf(it)}: ${check}: ${why}`)),
      ),
  },
  PlatenConsumerIsStuck: {
    severity: 'warning',
    for_s: 10 * minuteS,
    look: ({ report }) =>
      of(report.consumers, (all) =>
        all
          .filter(({ pending, in_progress }) => pending + in_progress > 0)
          .filter(({ idle_s }) => (idle_s ?? Number.POSITIVE_INFINITY) > idleConsumerS)
          .map(({ stream, consumer, pending, in_progress }) => `${consumer} of ${stream}: ${pending + in_progress}`),
      ),
  },
  PlatenWebhooksAreLate: {
    severity: 'warning',
    for_s: 5 * minuteS,
    look: ({ report }) =>
      of(report.deliveries, ({ overdue_s }) =>
        overdue_s > lateDeliveryS ? [`the oldest attempt has been due for ${shortDuration(overdue_s)}`] : [],
      ),
  },
  PlatenQueueIsOld: {
    severity: 'warning',
    for_s: 5 * minuteS,
    look: ({ report }) =>
      of(report.queues, (queues) =>
        queues
          .filter(({ oldest_s }) => oldest_s > oldQueueS)
          .map(({ priority, oldest_s }) => `${priority}: the oldest has waited for ${shortDuration(oldest_s)}`),
      ),
  },
  PlatenGenerationsFail: {
    severity: 'warning',
    for_s: 10 * minuteS,
    look: ({ endedLately }) =>
      of(endedLately, ({ all, failed }) =>
        all > 0 && failed / all > mostFailed ? [`${failed} of ${all} in the last ten minutes`] : [],
      ),
  },
  PlatenRequestsFail: { severity: 'critical', for_s: 5 * minuteS, look: () => overTime },
  PlatenAppendsFail: { severity: 'critical', for_s: 5 * minuteS, look: () => overTime },
  PlatenRelayIsBehind: {
    severity: 'warning',
    for_s: 5 * minuteS,
    look: ({ report }) =>
      of(report.relays, (relays) =>
        relays.flatMap(partsOf).flatMap(({ name, oldest }) => {
          const ageS = oldest === undefined ? 0 : (Date.now() - Date.parse(oldest)) / 1_000
          return ageS > lateRelayS ? [`${name}: not published for ${shortDuration(ageS)}`] : []
        }),
      ),
  },
  PlatenViewsAreBehind: {
    severity: 'warning',
    for_s: 5 * minuteS,
    look: ({ report }) =>
      of(report.views, (views) =>
        views
          .filter(({ lag_s }) => lag_s > lateViewS)
          .map(({ process, view, lag_s }) => `${view} in ${process}: ${shortDuration(lag_s)} behind`),
      ),
  },
  PlatenDeadLetters: {
    severity: 'warning',
    for_s: 5 * minuteS,
    look: ({ report }) => of(report.dead_letters, ({ count }) => (count > 0 ? [`${count} dead letters`] : [])),
  },
  PlatenWebhooksFail: { severity: 'warning', for_s: 0, look: () => overTime },
  PlatenBrowserIsDown: {
    severity: 'critical',
    for_s: 5 * minuteS,
    look({ report }) {
      if (!isChecked(report.processes)) return report.processes
      const browsers = report.processes
        .filter(({ silent }) => !silent)
        .flatMap((it) => (it.browsers ?? []).map(({ mode, up }) => ({ up, what: `${mode} browser of ${nameOf(it)}` })))
      if (browsers.length === 0) return { not_checked: 'no renderer says how its browsers are' }
      return browsers.filter(({ up }) => !up).map(({ what }) => what)
    },
  },
  PlatenBackupIsOld: {
    severity: 'warning',
    for_s: 60 * minuteS,
    look: ({ report }) =>
      of(report.last_backup, (last) => {
        if (last === null) return ['no backup is known']
        return last.age_s > oldBackupS ? [`the last one is ${shortDuration(last.age_s)} old`] : []
      }),
  },
  PlatenDiskIsFull: {
    severity: 'critical',
    for_s: 5 * minuteS,
    look: ({ report }) =>
      report.disks.length === 0
        ? { not_checked: 'no disk is known' }
        : report.disks
            .filter(({ free_bytes }) => free_bytes < leastFreeBytes)
            .map(({ host, path, free_bytes }) => `${shortSize(free_bytes)} are free for ${path} on ${host}`),
  },
}

/** All alerts, in the order of the file. */
export function alertsOf(facts: AlertFacts): Alert[] {
  return Object.entries(rules).map(([alert, { severity, for_s, look }]) => {
    const found = look(facts)
    if ('not_checked' in found)
      return { alert, severity, for_s, state: 'not_evaluated', found: [], reason: found.not_checked }
    return { alert, severity, for_s, state: found.length > 0 ? 'active' : 'inactive', found }
  })
}

function of<Value>(part: Part<Value>, look: (value: Value) => string[]): string[] | NotChecked {
  return isChecked(part) ? look(part) : (part as NotChecked)
}
