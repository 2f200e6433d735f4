/** To close connections, browsers and files after the work, and to flush what was recorded. */
const closingMs = 20_000

/** Without a backing service, work ends when the requests to it time out. */
const leastMs = 60_000

/**
 * How long a process may take from the signal to its exit, in ms. Supervisors wait longer before they kill it: the chart, docker-compose.yml
 * and the unit of systemd have the same formula and ten seconds more.
 */
export const shutdownLimitMs = (longestWorkMs: number): number => Math.max(leastMs, longestWorkMs + closingMs)
