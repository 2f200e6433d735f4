import type { ComponentChildren } from 'preact'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { count, formatBytes, formatDuration, formatNumber } from '../../parts/format.ts'
import { Time } from '../../parts/time.tsx'
import type { Status } from './use-status.ts'

type Process = NonNullable<Status['processes']>[number]

/** Processes and browsers, engines, disks, relays, views and consumers: what a deployment consists of. */
export function Machinery({ status }: { status: Status }) {
  const { processes, engines, disks, relays, views, consumers, last_backup } = status
  return (
    <>
      <FactTable
        title="Processes"
        rows={processes}
        keyOf={({ instance }) => instance}
        columns={[
          { name: 'Process', of: ({ program, host, pid }) => `${program} on ${host}, ${pid}` },
          { name: 'State', of: (process) => <ProcessState process={process} /> },
          { name: 'Browsers', of: (process) => <Browsers process={process} all={processes ?? []} /> },
          { name: 'Version', of: ({ version }) => version },
          { name: 'Started', of: ({ started_at }) => <Time at={started_at} relative /> },
        ]}
      />
      <FactTable
        title="Engines"
        rows={engines}
        keyOf={({ engine }) => engine}
        columns={[
          { name: 'Engine', of: ({ engine }) => engine },
          {
            name: 'State',
            of: ({ ok, reason }) => <Ok isOk={ok} text={ok ? 'available' : (reason ?? 'unavailable')} />,
          },
        ]}
      />
      <FactTable
        title="Disks"
        rows={disks}
        keyOf={({ host, path }) => `${host}:${path}`}
        columns={[
          { name: 'Path', of: ({ host, path }) => `${host}:${path}` },
          { name: 'Free', isNumber: true, of: ({ free_bytes }) => formatBytes(free_bytes) },
          { name: 'Of', isNumber: true, of: ({ total_bytes }) => formatBytes(total_bytes) },
        ]}
      />
      <FactTable
        title="Relays"
        rows={relays}
        keyOf={({ relay }) => relay}
        columns={[
          { name: 'Relay', of: ({ relay }) => relay },
          {
            name: 'State',
            of: ({ state, reason }) => <Ok isOk={state === 'caught_up'} text={reason ?? state.replaceAll('_', ' ')} />,
          },
          { name: 'Behind', isNumber: true, of: ({ behind }) => formatNumber(behind) },
          { name: 'Last published', of: ({ last_at }) => last_at !== undefined && <Time at={last_at} relative /> },
        ]}
      />
      <FactTable
        title="Views"
        rows={views}
        keyOf={({ process, view }) => `${process} ${view}`}
        columns={[
          { name: 'View', of: ({ view }) => view },
          { name: 'Process', of: ({ process }) => process },
          { name: 'Behind the log', isNumber: true, of: ({ lag_s }) => formatDuration(lag_s * 1_000) },
        ]}
      />
      <FactTable
        title="Consumers"
        rows={consumers}
        keyOf={({ stream, consumer }) => `${stream} ${consumer}`}
        columns={[
          { name: 'Consumer', of: ({ consumer }) => consumer },
          { name: 'Stream', of: ({ stream, own }) => `${stream}${own ? '' : ', a subscriber'}` },
          { name: 'Pending', isNumber: true, of: ({ pending }) => formatNumber(pending) },
          { name: 'Unacknowledged', isNumber: true, of: ({ unacknowledged }) => formatNumber(unacknowledged) },
          { name: 'Read', of: ({ read }) => <Ok isOk={read} text={read ? 'yes' : 'by nobody'} /> },
          {
            name: 'Last active',
            of: ({ last_active_at }) => last_active_at !== undefined && <Time at={last_active_at} relative />,
          },
        ]}
      />
      {last_backup && (
        <section>
          <h2>Last backup</h2>
          <p>
            {last_backup.at === undefined ? (
              'None is known.'
            ) : (
              <>
                <Time at={last_backup.at} relative /> to <code>{last_backup.where}</code>
              </>
            )}
          </p>
        </section>
      )}
    </>
  )
}

function Ok({ isOk, text }: { isOk: boolean; text: string }) {
  return <Badge tone={isOk ? 'ok' : 'warn'}>{text}</Badge>
}

function ProcessState({ process }: { process: Process }) {
  const { state, ready, silent, reasons } = process
  const [tone, text]: [Tone, string] = silent
    ? ['bad', 'silent']
    : ready
      ? ['ok', 'ready']
      : ['warn', state === 'running' ? 'not ready' : state]
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {reasons.map(({ check, reason }) => (
        <p class="home-remedy" key={check}>{`${check}: ${reason}`}</p>
      ))}
    </>
  )
}

function Browsers({ process: { browsers = [] }, all }: { process: Process; all: readonly Process[] }) {
  return (
    <>
      {browsers.map(({ mode, up, documents, memory_bytes, mean_ms }) => (
        <p key={mode}>
          {mode}: {up ? count(documents, 'document') : 'down'}
          {memory_bytes !== undefined && `, ${formatBytes(memory_bytes)}`}
          {mean_ms !== undefined && `, ${formatDuration(mean_ms)} each `}
          {mean_ms !== undefined && mean_ms > slowTimes * fastestOf(mode, all) && <Badge tone="warn">slow</Badge>}
        </p>
      ))}
    </>
  )
}

/** A renderer that takes so many times as long as the fastest one is marked. */
const slowTimes = 2

function fastestOf(mode: string, all: readonly Process[]): number {
  const ofMode = all.flatMap(({ browsers = [] }) => browsers.filter((browser) => browser.mode === mode))
  return Math.min(...ofMode.map(({ mean_ms = Number.POSITIVE_INFINITY }) => mean_ms))
}

interface FactTableProps<Row> {
  title: string
  rows: readonly Row[] | undefined
  columns: readonly { name: string; isNumber?: boolean; of: (row: Row) => ComponentChildren }[]
  keyOf: (row: Row) => string
}

/** A short table that is shown whole. Absent if the rows are not known. */
function FactTable<Row>({ title, rows, columns, keyOf }: FactTableProps<Row>) {
  if (rows === undefined || rows.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <div class="plain-table-scroller">
        <table class="plain-table" aria-label={title}>
          <thead>
            <tr>
              {columns.map(({ name, isNumber }) => (
                <th scope="col" key={name} data-align={isNumber ? 'end' : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ name, isNumber, of }) => (
                  <td key={name} data-align={isNumber ? 'end' : undefined}>
                    {of(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
