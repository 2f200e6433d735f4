import { Metadata, status } from '@grpc/grpc-js'
import { failure } from './append.ts'
import type { EventLog } from './event-log.ts'

interface User {
  password: string
  roles: readonly string[]
}

/** Which lists of roles the server has for a stream: `$r` may read, `$w` may write. */
type Acl = Partial<Record<'$r' | '$w', string | readonly string[]>>

const everyone = '$all'
const admins = '$admins'

/** Users and rights. Credentials are checked when a call begins: a subscription outlives a change of its password. */
export class Access {
  readonly #log: EventLog
  readonly #users = new Map<string, User>([['admin', { password: 'changeit', roles: ['admin', admins] }]])

  constructor(log: EventLog) {
    this.#log = log
  }

  /** Adds a user, or changes the password of an existing one. */
  setUser(name: string, password: string): void {
    this.#users.set(name, { password, roles: this.#users.get(name)?.roles ?? [name] })
  }

  has(name: string): boolean {
    return this.#users.has(name)
  }

  isAdministrator(metadata: Metadata): boolean {
    return this.#rolesOf(metadata).includes(admins)
  }

  /** Throws the server's answers: 16 to a wrong password, 7 to a user without the right. */
  require(metadata: Metadata, right: '$r' | '$w', stream: string): void {
    const roles = [everyone, ...this.#rolesOf(metadata)]
    const allowed = this.#aclOf(stream)[right] ?? admins
    if (!roles.some((role) => [allowed].flat().includes(role))) throw denied()
  }

  #rolesOf(metadata: Metadata): readonly string[] {
    const [header] = metadata.get('authorization')
    if (header === undefined) return []
    const [, name = '', password] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(String(header).slice(6), 'base64').toString()) ?? []
    const user = this.#users.get(name)
    if (user?.password !== password) throw failure(status.UNAUTHENTICATED, 'Bad HTTP status code: 401', withException())
    return user?.roles ?? []
  }

  #aclOf(stream: string): Acl {
    const own = this.#lastData(`$$${stream}`) as { $acl?: Acl } | undefined
    const defaults = this.#lastData('$settings', 'update-default-acl') as
      | { $userStreamAcl?: Acl; $systemStreamAcl?: Acl }
      | undefined
    const isSystem = stream.startsWith('$')
    const ofKind = isSystem ? defaults?.$systemStreamAcl : defaults?.$userStreamAcl
    return { ...(isSystem ? {} : { $r: everyone, $w: everyone }), ...ofKind, ...own?.$acl }
  }

  #lastData(stream: string, type?: string): unknown {
    const event = this.#log.stream(stream)?.findLast((event) => type === undefined || event.type === type)
    return event && JSON.parse(Buffer.from(event.data).toString())
  }
}

function denied() {
  return failure(status.PERMISSION_DENIED, 'Access Denied', withException())
}

function withException(): Metadata {
  const metadata = new Metadata()
  metadata.set('exception', 'access-denied')
  return metadata
}
