import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const script = fileURLToPath(new URL('nats-server.sh', import.meta.url))
const apt = '/usr/bin/apt-get'
const skip = existsSync(apt) ? false : 'this system has no apt-get'

/** The server that Debian 12 has. */
const oldServer = '#!/bin/sh\necho "nats-server: v2.9.10"\n'
/** Reads the sources with the real apt. Downloads nothing: an update writes down the mirror, and `good` has the package. */
const aptGet = (folder: string, good: string) => `#!/bin/sh
case "$*" in
  *--print-uris*) exec ${apt} "$@" ;;
  *update) cat '${folder}'/node_modules/.cache/nats-server/new-*/sources.list >>'${folder}/asked' ;;
  *) tail -n 1 '${folder}/asked' | grep -q ' ${good} forky main$' && : >nats-server_2.15.1_amd64.deb ;;
esac
`
const dpkg = `#!/bin/sh
mkdir -p "$3/usr/sbin"
printf '#!/bin/sh\\necho "nats-server: v2.15.1"\\n' >"$3/usr/sbin/nats-server"
chmod +x "$3/usr/sbin/nats-server"
`

/** Runs the script on a machine whose package lists were never downloaded. */
function runWith(t: Test, sources: Record<string, string>, good = 'http://deb.debian.org/debian') {
  const folder = t.testdir({ scripts: {}, programs: {}, 'sources.list': '', sources, lists: { partial: {} } })
  copyFileSync(script, join(folder, 'scripts/nats-server.sh'))
  const programs = { 'nats-server': oldServer, 'apt-get': aptGet(folder, good), dpkg }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'programs', name), text, { mode: 0o755 })
  }
  const settings = [
    `Dir::Etc::sourcelist "${folder}/sources.list";`,
    `Dir::Etc::sourceparts "${folder}/sources";`,
    `Dir::State::lists "${folder}/lists";`,
  ]
  writeFileSync(join(folder, 'apt.conf'), settings.join('\n'))
  const env = { ...process.env, PATH: `${folder}/programs:${process.env.PATH}`, APT_CONFIG: join(folder, 'apt.conf') }
  const { status, stdout, stderr } = spawnSync('sh', [join(folder, 'scripts/nats-server.sh')], {
    env,
    encoding: 'utf8',
  })
  const asked = existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n') : []
  t.same(readdirSync(join(folder, 'lists')), ['partial'], 'the lists of the machine are not written')
  return { folder, status, stdout, stderr, mirrors: asked.map((line) => line.split(' ').at(-3)) }
}

const { VERSION_CODENAME: codename } = Object.fromEntries(
  readFileSync('/etc/os-release', 'utf8')
    .split('\n')
    .map((line) => line.split('=')),
)

t.test('without package lists, the mirror is read from sources in the form of deb822', { skip }, async (t) => {
  const source = `Types: deb\nURIs: http://deb.debian.org/debian\nSuites: ${codename} ${codename}-updates\nComponents: main\n`
  const { folder, status, stdout, mirrors } = runWith(t, { 'debian.sources': source })
  t.equal(stdout, `${folder}/node_modules/.cache/nats-server/nats-server\n`)
  t.equal(status, 0)
  t.same(mirrors, ['http://deb.debian.org/debian'])
})

t.test('without package lists, the mirrors are read from sources of one line each', { skip }, async (t) => {
  const lines = [
    '# deb http://comment.example/debian stable main',
    `deb cdrom:[Debian GNU/Linux]/ ${codename} main`,
    `deb [arch=amd64] https://download.docker.com/linux/debian ${codename} stable`,
    'deb http://mirror.example/debian stable main contrib',
    `deb-src http://deb.debian.org/debian ${codename} main`,
    `deb http://deb.debian.org/debian ${codename} main`,
    `deb http://security.debian.org/debian-security ${codename}-security main`,
  ]
  const { status, mirrors } = runWith(t, { 'old.list': `${lines.join('\n')}\n` }, 'http://mirror.example/debian')
  t.equal(status, 0)
  t.same(mirrors, ['http://deb.debian.org/debian', 'http://mirror.example/debian'], 'until one has it')
})

t.test('what cannot be had is said in one line with the cure', { skip }, async (t) => {
  const cure = /^platen: no nats-server 2\.14 or newer: .*\. Put one into the PATH, or set NATS_SERVER_PATH; .*\n$/
  const unnamed = runWith(t, {})
  t.match(unnamed, { status: 1, stdout: '', stderr: cure })
  t.match(unnamed.stderr, 'the package sources of this system name no mirror of Debian')
  const unread = runWith(t, { 'a.list': `deb http://deb.debian.org/debian ${codename} main\n` }, 'nowhere')
  t.match(unread, { status: 1, stdout: '' })
  t.match(unread.stderr.split('\n').at(-2), "Debian's suite forky could not be read at http://deb.debian.org/debian")
  t.match(`${unread.stderr.split('\n').at(-2)}\n`, cure)
})
