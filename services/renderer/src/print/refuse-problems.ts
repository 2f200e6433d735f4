import type { Refusals, RefusedFor } from '@platen/domain/generation/document-source.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { Warning } from '@platen/foundation/errors/warning.ts'
import { isIn } from '../egress/fetch-page.ts'

/**
 * Throws RENDER_FAILED if a document has one of the problems that its request refuses. `details` have the warnings, and
 * in `refused` the kind of problem.
 */
export function refuseProblems(refusals: Refusals | undefined, warnings: readonly Warning[]): void {
  if (!refusals) return
  const { exceptions, unloaded, statuses = [], ignored_hosts = [] } = refusals
  const resources = warnings.filter(({ code }) => code === 'RESOURCE_FAILED')
  const refuse = (refused: RefusedFor, found: readonly Warning[]) => {
    const [first] = found
    // As that of `fail_on`, whose text of the document is left out where subscribers read it.
    if (first) fail('RENDER_FAILED', `options.fail_on: ${first.code}: ${first.message}`, { refused, warnings: found })
  }
  if (statuses.length > 0) {
    const isCounted = (warning: Warning) => {
      const status = statusOf(warning)
      return status !== undefined && isIn(statuses, status) && !isOfHosts(warning, ignored_hosts)
    }
    refuse('statuses', resources.filter(isCounted))
  }
  if (unloaded)
    refuse(
      'unloaded',
      resources.filter((warning) => statusOf(warning) === undefined),
    )
  if (exceptions) {
    refuse(
      'exceptions',
      warnings.filter(({ code, message }) => code === 'CONSOLE_ERROR' && message.startsWith('Uncaught ')),
    )
  }
}

/** The status in the message of a resource that failed. */
function statusOf({ message }: Warning): number | undefined {
  const status = /: (?:its server answered with (\d{3})|not found \((\d{3})\))$/.exec(message)
  const found = status?.[1] ?? status?.[2]
  return found === undefined ? undefined : Number(found)
}

function isOfHosts({ message }: Warning, hosts: readonly string[]): boolean {
  const host = URL.parse(message.slice(0, message.lastIndexOf(': ')))?.hostname ?? ''
  return hosts.some((ignored) => host === ignored || host.endsWith(`.${ignored}`))
}
