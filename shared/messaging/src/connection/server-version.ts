/** A warning about messages that a server of this version may lose; undefined for versions without a known fault. */
export function versionWarning(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 2 || (major === 2 && minor >= 12)) return undefined
  const remedy = 'use nats-server 2.14 or newer'
  if (major === 2 && minor >= 10)
    return `nats-server ${version} can lose accepted requests when it is killed or loses power; ${remedy}`
  return `nats-server ${version} flushes to disk every two minutes: a power cut can lose accepted requests; ${remedy}`
}
