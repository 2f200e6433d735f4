/** The user of the services. */
export interface ServiceUser {
  name: string
  password: string
}

type Roles = string | readonly string[]

/** The event `update-default-acl` of `$settings`: who may read, write and delete streams, and their metadata. */
export interface DefaultAcl {
  $userStreamAcl?: Readonly<Record<string, Roles>>
  $systemStreamAcl?: Readonly<Record<string, Roles>>
}

/** Default rights: only Platen and administrators can read and write the streams of applications. */
export function defaultAcl(user: string): DefaultAcl {
  const shared = [user, '$admins']
  const admins = '$admins'
  return {
    $userStreamAcl: { $r: shared, $w: shared, $d: admins, $mr: admins, $mw: admins },
    $systemStreamAcl: { $r: admins, $w: admins, $d: admins, $mr: admins, $mw: admins },
  }
}

/** The rights with one more user of Platen. Returns `acl` itself if the user has them already. */
export function withUser(acl: DefaultAcl, user: string): DefaultAcl {
  const { $userStreamAcl: own = {} } = acl
  const missing = ['$r', '$w'].filter((right) => !isAllowed(own[right], user))
  if (missing.length === 0) return acl
  const added = missing.map((right) => [right, [own[right] ?? []].flat().concat(user)])
  return { ...acl, $userStreamAcl: { ...own, ...Object.fromEntries(added) } }
}

/** Whether the user has the right. Without a list, everyone has it. */
function isAllowed(roles: Roles | undefined, user: string): boolean {
  return roles === undefined || [roles].flat().some((role) => role === user || role === '$all')
}
