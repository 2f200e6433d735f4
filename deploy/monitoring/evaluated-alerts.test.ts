import { readFileSync } from 'node:fs'
import { alertsOf } from '@platen/service-kit/status/alerts.ts'
import { nothingKnown, unknown } from '@platen/test-support/nothing-known.ts'
import t from 'tap'
import { parse } from 'yaml'

const seconds: Record<string, number> = { m: 60, h: 3_600 }

t.test('every alert that is shipped is evaluated, with its severity and how long it must hold', async (t) => {
  const file = readFileSync(new URL('alerts.yaml', import.meta.url), 'utf8')
  const { rules } = parse(file).groups[0] as {
    rules: { alert: string; for?: string; labels: { severity: string } }[]
  }
  t.strictSame(
    alertsOf({ report: nothingKnown, endedLately: unknown }).map(({ alert, severity, for_s }) => [
      alert,
      severity,
      for_s,
    ]),
    rules.map(({ alert, for: held = '0m', labels }) => [
      alert,
      labels.severity,
      Number(held.slice(0, -1)) * (seconds[held.slice(-1)] ?? 0),
    ]),
  )
})
