import { spawnSync } from 'node:child_process'
import t from 'tap'
import { startReceiver } from '../support/notifier/receiver.ts'
import { startOneOfEach } from '../support/one-of-each.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const everywhere = [
  'platen_queue_depth{priority="interactive"}',
  'platen_queue_depth{priority="batch"}',
  'platen_queue_oldest_age_seconds{priority="batch"}',
  'platen_dead_letters',
  'platen_build_info',
  'platen_ready',
  'platen_consumer_pending',
  'platen_consumer_acknowledged',
  'platen_disk_free_bytes{path="',
  'platen_last_backup_timestamp_seconds 0',
  'platen_event_store_append_seconds_count',
  'process_resident_memory_bytes',
]
/** What each service shows beside what every service shows, after a template, a document, a failure and a webhook. */
const own = {
  gateway: [
    'platen_http_request_duration_seconds_count{method="POST",route="/v1/generate",status="202"}',
    'platen_queued_generations',
    'platen_view_lag_seconds',
  ],
  template: ['platen_events_recorded_total{type="TemplateCreated"} 1', 'platen_relay_lag_seconds{relay="template"} 0'],
  renderer: [
    'platen_generations_total{outcome="completed",code="none"} 1',
    'platen_generations_total{outcome="failed",code="TEMPLATE_RENDER_ERROR"} 1',
    ...['queue', 'template', 'print', 'store'].map(
      (phase) => `platen_generation_phase_seconds_count{phase="${phase}"} 1`,
    ),
    'platen_relay_delay_seconds_count{relay="renderer"}',
    'platen_browser_up{mode="static"} 1',
    'platen_browser_up{mode="scripted"} 1',
    'platen_render_slots{priority="interactive",state="free"}',
    'platen_tool_slots{priority="interactive",state="free"} 2',
    'platen_tool_slots{priority="batch",state="waiting"} 0',
    'platen_render_slot_seconds_total{owner="own_default"}',
    'platen_render_cpu_seconds_total{owner="own_default"}',
    'platen_render_duration_seconds_count{mode="static",outcome="printed"} 1',
  ],
  notifier: [
    'platen_webhook_attempts_total{outcome="failed"} 1',
    'platen_webhook_attempts_total{outcome="succeeded"} 1',
    'platen_deliveries_total{outcome="succeeded"} 1',
    'platen_relay_lag_seconds{relay="notifier"} 0',
    'platen_delivery_view_lag_seconds 0',
  ],
} as const

t.test('every service shows its metrics in the format of Prometheus', async (t) => {
  await using receiver = await startReceiver((response, nth) => response.writeHead(nth === 1 ? 500 : 204).end())
  await using platen = await startOneOfEach({ settings: { WEBHOOK_SCHEDULE: '0,0.1' } })
  const webhook_url = receiver.url('/hook')
  await platen.json('/v1/templates', { body: { name: 'Measured', html: 'x' } })
  t.equal((await platen.json('/v1/generate', { body: { html: '<p>x', webhook_url, async: true } })).status, 202)
  t.equal((await platen.json('/v1/generate', { body: { html: '{{formatCurrency "abc"}}', data: {} } })).status, 422)
  for (const service of ['gateway', 'template', 'renderer', 'notifier'] as const) {
    const wanted = [...everywhere.filter((name) => !name.includes('append') || service !== 'gateway'), ...own[service]]
    let text = ''
    const missing = () => wanted.filter((line) => !text.split('\n').some((shown) => shown.startsWith(line)))
    await until(
      async () => {
        text = await (await fetch(`${platen.urls[service]}/metrics`)).text()
        return missing().length === 0 ? true : undefined
      },
      () =>
        `${service} lacks ${missing().join(', ')} in\n${text
          .split('\n')
          .filter((line) => line.startsWith('platen'))
          .join('\n')}`,
    )
    t.pass(service)
    const { error, status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    // Exit code 3: style. prom-client names some metrics of the process in its own way.
    if (!error) t.ok(status === 0 || !/platen_/.test(stderr), stderr)
  }
})
