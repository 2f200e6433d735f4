import type { AnnouncedProcess } from '@platen/service-kit/host/announced-processes.ts'
import type { Disk } from '@platen/service-kit/host/announcement.ts'
import { partsOf } from '@platen/service-kit/relay/relay-status.ts'
import { shortDuration, shortSize } from '@platen/service-kit/status/duration.ts'
import { lateViewS, leastFreeBytes, oldQueueS } from '@platen/service-kit/status/limits.ts'
import { type Attention, isChecked, type Part, type StatusReport } from '@platen/service-kit/status/status-report.ts'
import { alignCells, type Cell } from './layout.ts'

const barWidth = 20

/** The report as lines for a person. */
export function screenOf(report: StatusReport, hasColours: boolean): string[] {
  const at = report.at.slice(0, 19).replace('T', ' ')
  const sections: Cell[][][] = [
    [[['Platen', 'bold'], isChecked(report.deployment) ? report.deployment : '', `${at} UTC`, summary(report)]],
    report.attention.flatMap(attentionRows),
    [[['ENGINES', 'bold']], ...report.engines.map(({ engine, ok, found }) => [engine, mark(ok), found])],
    processRows(report),
    table(
      ['QUEUES', 'waiting', 'in progress', 'oldest'],
      report.queues,
      ({ priority, waiting, in_progress, oldest_s }) => [
        ...[priority, number(waiting), number(in_progress)],
        waiting + in_progress === 0 ? ['-', 'dim'] : limited(oldest_s, oldQueueS),
      ],
    ),
    consumerRows(report),
    [...relayRows(report), ...viewRows(report)],
    [
      [
        ['WEBHOOKS', 'bold'],
        ...ofPart(report.deliveries, (it) => [
          `${it.pending} waiting; receivers: ${it.receivers_failing} failing, ${it.receivers_disabled} disabled` +
            (it.overdue_s > 1 ? `, the oldest due for ${shortDuration(it.overdue_s)}` : ''),
        ]),
      ],
      [
        ['DEAD LETTERS', 'bold'],
        ...ofPart(report.dead_letters, ({ count }) => [count === 0 ? '0' : ([`${count}`, 'red'] as const)]),
      ],
      [
        ['LAST BACKUP', 'bold'],
        ...ofPart(report.last_backup, (it) => [
          it === null ? (['none known', 'yellow'] as const) : `${shortDuration(it.age_s)} ago, ${it.where}`,
        ]),
      ],
      ...report.disks.map((disk, index): Cell[] => [[index === 0 ? 'DISKS' : '', 'bold'], diskBar(disk)]),
    ],
  ]
  return sections
    .filter((rows) => rows.length > 0)
    .flatMap((rows, index) => [...(index > 0 ? [''] : []), ...alignCells(rows, hasColours)])
}

function summary({ attention }: StatusReport): Cell {
  const wrong = attention.filter(({ level }) => level === 'wrong').length
  const notes = attention.length - wrong
  if (attention.length === 0) return ['● all is well', 'green']
  const texts = [...(wrong > 0 ? [`${wrong} wrong`] : []), ...(notes > 0 ? [`${notes} to note`] : [])]
  return [`● ${texts.join(', ')}`, wrong > 0 ? 'red' : 'yellow']
}

function attentionRows({ level, what, found, remedy }: Attention): Cell[][] {
  const style = level === 'wrong' ? 'red' : 'yellow'
  const name: Cell = [`${level === 'wrong' ? '✗' : '!'} ${what}`, style]
  return [
    [name, found],
    ['', [`→ ${remedy}`, 'dim']],
  ]
}

function processRows({ processes, services, at }: StatusReport): Cell[][] {
  const head = bold(['PROCESSES', '', 'version', 'up', 'host', 'process', 'state'])
  if (!isChecked(processes)) return [[...head.slice(0, 1), ...notChecked(processes)]]
  const row = (service: string, it: AnnouncedProcess): Cell[] => [
    service,
    it.silent ? ['✗', 'red'] : mark(it.ready),
    it.version,
    shortDuration((Date.parse(at) - Date.parse(it.started_at)) / 1_000),
    ...[it.host, String(it.pid), stateOf(it)],
  ]
  const counts = isChecked(services) ? services : {}
  const missing = Object.keys(counts).filter((service) => counts[service] === 0)
  const rows = processes.map((it) => row(it.services.length > 1 ? it.program : (it.services[0] ?? it.program), it))
  return [
    head,
    ...rows,
    ...missing.map((service): Cell[] => [service, ['✗', 'red'], '', '', '', '', ['not running', 'red']]),
  ]
}

function stateOf({ silent, seen_s, state, ready, reasons }: AnnouncedProcess): Cell {
  if (silent) return [`no sign for ${shortDuration(seen_s)}`, 'red']
  // How far a gateway is that has no views yet.
  if (state === 'starting' && reasons.views) return [`starting: ${reasons.views}`, 'yellow']
  if (state !== 'running') return [state, 'yellow']
  return ready ? 'ready' : [`not ready: ${Object.keys(reasons).join(', ')}`, 'red']
}

/** All consumers of subscribers, and those of Platen that are behind. */
function consumerRows({ consumers }: StatusReport): Cell[][] {
  if (!isChecked(consumers)) return [[['CONSUMERS', 'bold'], ...notChecked(consumers)]]
  const shown = consumers.filter(({ own, pending, in_progress }) => !own || pending + in_progress > 0)
  const rows = shown.map((it): Cell[] => [
    ...[it.consumer, number(it.pending + it.in_progress), number(it.redelivered)],
    it.idle_s === undefined ? ['never', 'dim'] : `${shortDuration(it.idle_s)} ago`,
    it.own ? 'Platen' : `subscriber${it.read ? '' : ', nobody reads'}`,
  ])
  const idle = consumers.length - shown.length
  const head = bold(['CONSUMERS', 'behind', 'redelivered', 'last handled', 'of'])
  const rest: Cell[][] = idle === 0 ? [] : [[[`${idle} of Platen: nothing waits`, 'dim']]]
  return shown.length === 0 ? [[['CONSUMERS', 'bold'], ...(rest[0] ?? ['none'])]] : [head, ...rows, ...rest]
}

/** One line while all have caught up. */
function relayRows({ relays, at }: StatusReport): Cell[][] {
  const name: Cell = ['RELAYS', 'bold']
  if (!isChecked(relays)) return [[name, ...notChecked(relays)]]
  const late = relays.flatMap(partsOf).filter(({ state }) => state === 'behind' || state === 'other_event_store')
  if (late.length === 0) return [[name, 'all events are published']]
  return late.map(({ name: relay, state, behind, oldest, held_by }, index): Cell[] => {
    const age =
      oldest === undefined ? '' : `, the oldest for ${shortDuration((Date.parse(at) - Date.parse(oldest)) / 1_000)}`
    const text = state === 'behind' ? `${behind} events are not published${age}` : 'EVENTS is of another event store'
    const by = held_by === undefined ? 'nobody publishes' : shortInstance(held_by)
    return [index === 0 ? name : '', `${relay}: ${text} (${by})`]
  })
}

/** One line while all follow the log. */
function viewRows({ views }: StatusReport): Cell[][] {
  const name: Cell = ['VIEWS', 'bold']
  if (!isChecked(views)) return [[name, ...notChecked(views)]]
  const late = views.filter(({ lag_s }) => lag_s >= 1)
  if (late.length === 0) return [[name, `all ${views.length} follow the log`]]
  return late.map(({ view, lag_s, process }, index): Cell[] => {
    const text = `those of ${view} in ${shortInstance(process)} are ${shortDuration(lag_s)} behind`
    return [index === 0 ? name : '', lag_s > lateViewS ? [text, 'red'] : text]
  })
}

const bold = (texts: readonly string[]): Cell[] => texts.map((text) => [text, 'bold'])

function table<Row>(head: readonly string[], rows: Part<Row[]>, cells: (row: Row) => Cell[]): Cell[][] {
  const first = bold(head)
  if (!isChecked(rows)) return [[...first.slice(0, 1), ...notChecked(rows)]]
  return [first, ...rows.map(cells)]
}

function ofPart<Value>(part: Part<Value>, cells: (value: Value) => Cell[]): Cell[] {
  return isChecked(part) ? cells(part) : notChecked(part)
}

const notChecked = ({ not_checked }: { not_checked: string }): Cell[] => [[`not checked: ${not_checked}`, 'dim']]
const mark = (ok: boolean): Cell => (ok ? ['●', 'green'] : ['✗', 'red'])
const number = (count: number): Cell => (count === 0 ? ['0', 'dim'] : String(count))
const limited = (seconds: number, limit: number): Cell =>
  seconds > limit ? [shortDuration(seconds), 'red'] : shortDuration(seconds)
/** The name of the instance without its random part. */
const shortInstance = (instance: string) => instance.replace(/-[0-9a-f]{16}$/, '')

function diskBar({ host, path, free_bytes, total_bytes }: Disk & { host: string }): Cell {
  const used = 1 - free_bytes / Math.max(1, total_bytes)
  const filled = Math.round(used * barWidth)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
  const text = `${bar} ${Math.round(used * 100)} % used, ${shortSize(free_bytes)} free  ${host}:${path}`
  return free_bytes < leastFreeBytes ? [text, 'red'] : text
}
