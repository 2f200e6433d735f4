/** The user of the services. */
export interface ServiceUser {
  name: string
  password: string
}

/** Only Platen and administrators can read and write the streams of applications. */
export function defaultAcl(user: string) {
  const shared = [user, '$admins']
  const admins = '$admins'
  return {
    $userStreamAcl: { $r: shared, $w: shared, $d: admins, $mr: admins, $mw: admins },
    $systemStreamAcl: { $r: admins, $w: admins, $d: admins, $mr: admins, $mw: admins },
  }
}
