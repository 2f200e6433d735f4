/** The sandbox is on, and the machine or the container forbids what it needs. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable'
}

export const sandboxAdvice =
  'the sandbox of Chromium cannot start, so that nothing is printed: user namespaces are forbidden here. In Docker add ' +
  '--security-opt seccomp=chromium-seccomp.json (docker run --rm IMAGE seccomp-profile > chromium-seccomp.json prints it); ' +
  'on a host, allow unprivileged user namespaces'

/**
 * Messages of Chromium 156 without a sandbox: the first one without user namespaces, another one under a profile that
 * forbids a part of them.
 */
const messages = /No usable sandbox|Failed to move to new namespace|zygote_host_impl_linux.*(namespace|sandbox)/i

/** Whether the browser ended because of its sandbox, by its error output. */
export function isSandboxFailure(errorOutput: string): boolean {
  return messages.test(errorOutput)
}
