import { Badge } from '../../parts/badge.tsx'
import { count, formatDuration, formatNumber, withLocalTimes } from '../../parts/format.ts'
import { Link } from '../../parts/link.tsx'
import { Notice } from '../../parts/states.tsx'
import { Summary } from '../../parts/summary.tsx'
import { runbookOf, withOwner } from './links.ts'
import type { Status } from './use-status.ts'

/** Where one sees and repairs here what the remedy names a command for. */
const lists: Readonly<Record<string, string>> = {
  webhooks: '/deliveries?all=owners',
  'dead letters': '/dead-letters',
  'queue interactive': '/generations?status=queued&all=owners',
  'queue batch': '/generations?status=queued&all=owners',
}

/** What `platen status` says deserves a look, with what to do. */
export function Attention({ status: { attention } }: { status: Status }) {
  if (attention === undefined) return null
  return (
    <section aria-labelledby="home-attention">
      <h2 id="home-attention">Attention</h2>
      {attention.length === 0 && <p class="home-quiet">No problem was found.</p>}
      {attention.length > 0 && (
        <ul class="home-list">
          {attention.map(({ level, what, found, remedy }) => (
            <li key={`${what} ${found}`}>
              <Badge tone={level === 'wrong' ? 'bad' : 'warn'}>{what}</Badge>
              <div>
                <p>
                  {lists[what] === undefined ? (
                    withLocalTimes(found)
                  ) : (
                    <Link to={lists[what]}>{withLocalTimes(found)}</Link>
                  )}
                </p>
                <p class="home-remedy">{remedy}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The alerts whose condition holds now, and how many could not be evaluated. */
export function Alerts({ status: { alerts } }: { status: Status }) {
  if (alerts === undefined) return null
  const active = alerts.filter(({ state }) => state === 'active')
  const unknown = alerts.filter(({ state }) => state === 'not_evaluated')
  return (
    <section aria-labelledby="home-alerts">
      <h2 id="home-alerts">Alerts</h2>
      {active.length === 0 && (
        <p class="home-quiet">{`No condition of the ${formatNumber(alerts.length - unknown.length)} evaluated alerts holds.`}</p>
      )}
      {active.length > 0 && (
        <ul class="home-list">
          {active.map(({ alert, severity, for_s, found }) => (
            <li key={alert}>
              <Badge tone={severity === 'critical' ? 'bad' : 'warn'}>{severity}</Badge>
              <div>
                <p>
                  <a href={runbookOf(alert)} target="_blank" rel="noopener">
                    {alert}
                  </a>
                  {for_s > 0 && ` fires when it has held for ${formatDuration(for_s * 1_000)}`}
                </p>
                {found.map((one) => (
                  <p class="home-remedy" key={one}>
                    {withLocalTimes(one)}
                  </p>
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
      {unknown.length > 0 && (
        <details class="home-more">
          <Summary>{`${count(unknown.length, 'alert')} cannot be evaluated here`}</Summary>
          <dl class="facts">
            {unknown.map(({ alert, reason }) => (
              <div key={alert}>
                <dt>{alert}</dt>
                <dd>{reason}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  )
}

/** The errors of the last hour by code. */
export function Failures({ status }: { status: Status }) {
  const { failures } = status.generations.last_hour
  if (failures.length === 0) return null
  return (
    <section aria-labelledby="home-failures">
      <h2 id="home-failures">Failures of the last hour</h2>
      <ul class="home-list">
        {failures.map(({ code, count: times }) => (
          <li key={code}>
            <span class="home-count">{formatNumber(times)}</span>
            <Link to={withOwner(`/generations?status=failed&error=${code}&since=1h`, status)}>{code}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What is absent because it could not be read. */
export function NotChecked({ status: { not_checked } }: { status: Status }) {
  if (not_checked.length === 0) return null
  return (
    <Notice tone="info">
      {not_checked.map(({ part, reason }) => (
        <p key={part}>{`${part}: not known, ${reason}`}</p>
      ))}
    </Notice>
  )
}
