import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@platen/test-support/free-port.ts'
import { until } from '@platen/test-support/until.ts'
import { parse, stringify } from 'yaml'

export const isPrometheusInstalled = !spawnSync('prometheus', ['--version']).error

export interface Prometheus extends AsyncDisposable {
  /** Resolves when an alert of this name, and with these labels, fires. */
  firing(alert: string, labels?: Record<string, string>): Promise<void>
  /** Resolves when it does not fire any more. */
  resolved(alert: string, labels?: Record<string, string>): Promise<void>
}

interface Rule {
  alert: string
  expr: string
  for?: string
}

/**
 * Starts a Prometheus with the rules of the file that scrapes the targets every second. Each rule pends for two
 * seconds, looks back 15, and has the limits given here instead of its own, so that tests take seconds.
 */
export async function startPrometheus(
  targets: readonly string[],
  { rules, limits }: { rules: string; limits: Record<string, [own: string, test: string]> },
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-prometheus-'))
  const { groups } = parse(await readFile(rules, 'utf8')) as { groups: { name: string; rules: Rule[] }[] }
  const quick = groups.map((group) => ({
    ...group,
    rules: group.rules.map((rule) => {
      const [own = '', test = ''] = limits[rule.alert] ?? []
      if (!rule.expr.includes(own)) throw new Error(`${rule.alert} has no limit ${own}`)
      return { ...rule, expr: rule.expr.replaceAll(/\[\w+\]/g, '[15s]').replace(own, test), for: '2s' }
    }),
  }))
  await writeFile(join(folder, 'rules.yaml'), stringify({ groups: quick }))
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'platen', static_configs: [{ targets: targets.map((url) => new URL(url).host) }] }],
  }
  await writeFile(join(folder, 'prometheus.yaml'), stringify(config))
  const listen = `127.0.0.1:${await freePort()}`
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${listen}`,
    ],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'close')
  const isFiring = async (alert: string, labels: Record<string, string>) => {
    const answer = await fetch(`http://${listen}/api/v1/alerts`).catch(() => undefined)
    if (!answer?.ok) return undefined
    const { data } = (await answer.json()) as { data: { alerts: { labels: Record<string, string>; state: string }[] } }
    const wanted = Object.entries({ alertname: alert, ...labels })
    return data.alerts.some(
      (one) => one.state === 'firing' && wanted.every(([name, value]) => one.labels[name] === value),
    )
  }
  const wait = async (alert: string, labels: Record<string, string>, wanted: boolean) => {
    const said = wanted ? 'does not fire' : 'still fires'
    await until(async () => (await isFiring(alert, labels)) === wanted || undefined, `${alert} ${said}`)
  }
  await until(
    () =>
      fetch(`http://${listen}/-/ready`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      ),
    'Prometheus did not start',
  )
  return {
    firing: (alert, labels = {}) => wait(alert, labels, true),
    resolved: (alert, labels = {}) => wait(alert, labels, false),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
