import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { trust } from '@platen/test-support/trust.ts'
import { until } from '@platen/test-support/until.ts'
import { nkeys } from 'nats'
import t, { type Test } from 'tap'
import { openBus } from './bus.ts'

const { log } = recordingLog()

const isReady = (check: Promise<void>) =>
  check.then(
    () => true,
    () => undefined,
  )

t.test('a login that is refused for a while is repeated until it is accepted, and logged now and then', async (t) => {
  const path = join(t.testdir(), 'nats.conf')
  const setPassword = (password: string) =>
    writeFileSync(path, `authorization { user: "platen", password: "${password}" }\n`)
  setPassword('right')
  await using server = await startNatsServer(['-c', path])
  const { log, text } = recordingLog()
  await using bus = await openBus({ url: server.url, user: 'platen', password: 'right' }, 'test', log)
  const reload = (password: string) => {
    setPassword(password)
    process.kill(server.pid, 'SIGHUP')
  }
  reload('other')
  await until(() => (text().includes('"refusals":4') ? true : undefined), 'it does not try again')
  t.notOk(bus.connected)
  t.match(text(), /NATS refuses the login \(Authorization Violation\), retrying; check NATS_USER \(platen\)/)
  t.notMatch(text(), /"refusals":3|right|other/)
  reload('right')
  await until(() => isReady(bus.check()), 'it does not connect again')
})

t.test('the client gives up only when it is told to', async (t) => {
  await using server = await startNatsServer()
  const bus = await openBus({ url: server.url }, 'test', log)
  await bus.nats.close()
  t.equal(await bus.lost, undefined)
  await bus[Symbol.asyncDispose]()
})

/** An operator's mode: JWTs for an operator, an account and users. https://docs.nats.io/running-a-nats-service/configuration/securing_nats/jwt */
function jwtAuthority() {
  const [operator, account, system] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()]
  const sign = (issuer: typeof operator, subject: string, nats: object, expiresAtS?: number) => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = {
      jti: crypto.randomUUID(),
      iat: 1,
      iss: issuer.getPublicKey(),
      sub: subject,
      name: 'test',
      exp: expiresAtS,
      nats,
    }
    const signed = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(claims)}`
    return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`
  }
  const unlimited = ['subs', 'conn', 'leaf', 'data', 'payload', 'imports', 'exports']
  const storage = ['mem_storage', 'disk_storage', 'streams', 'consumer']
  const accountJwt = (key: typeof account, names: string[]) => {
    const limits = { ...Object.fromEntries(names.map((name) => [name, -1])), wildcards: true }
    return `${key.getPublicKey()}: ${sign(operator, key.getPublicKey(), { limits, type: 'account', version: 2 })}`
  }
  const accounts = [accountJwt(account, [...unlimited, ...storage]), accountJwt(system, unlimited)]
  const operatorJwt = sign(operator, operator.getPublicKey(), { type: 'operator', version: 2 })
  return {
    config: [
      `operator: ${operatorJwt}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload: { ${accounts.join(', ')} }`,
    ].join('\n'),
    /** A credentials file that is valid for some seconds. */
    credentials(seconds: number): string {
      const user = nkeys.createUser()
      const expiresAtS = Math.ceil(Date.now() / 1_000) + seconds
      const jwt = sign(
        account,
        user.getPublicKey(),
        { type: 'user', version: 2, subs: -1, data: -1, payload: -1 },
        expiresAtS,
      )
      const seed = Buffer.from(user.getSeed()).toString()
      return `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`
    },
  }
}

t.test('renewed credentials are read from the file after the old ones have expired', async (t) => {
  const folder = t.testdir()
  const authority = jwtAuthority()
  const [config, credsFile] = [join(folder, 'nats.conf'), join(folder, 'platen.creds')]
  writeFileSync(config, authority.config)
  await using server = await startNatsServer(['-c', config])
  const { log, text } = recordingLog()
  // On a busy machine they may have expired before the login.
  await using bus = await until(() => {
    writeFileSync(credsFile, authority.credentials(3))
    return openBus({ url: server.url, credsFile }, 'test', log).catch(() => undefined)
  }, 'no login in time')
  // The server may refuse them up to a second before the time that they name.
  const toldOf = /NATS_CREDS: .*platen\.creds has expired \(20/
  await until(() => toldOf.test(text()) || undefined, 'the log does not say that the credentials have expired')
  const failedStart = () => openBus({ url: server.url, credsFile }, 'test', log).catch((err) => err.message)
  // On a busy machine the server may not answer in time.
  const toldAtStart = /^NATS_CREDS: .*platen\.creds has expired \(20.*\): the NATS server at .* refuses the login$/
  await until(
    async () => toldAtStart.test(await failedStart()) || undefined,
    'a start does not say that they have expired',
  )
  writeFileSync(credsFile, 'half a fi')
  writeFileSync(`${credsFile}.new`, authority.credentials(60))
  renameSync(`${credsFile}.new`, credsFile)
  await until(() => isReady(bus.check()), 'the new credentials are not used')
})

/** A CA, and certificates for a server at 127.0.0.1 and for a client; undefined without openssl. */
function certificates(t: Test) {
  const folder = t.testdir()
  const file = (name: string) => join(folder, name)
  const run = (...args: string[]) => spawnSync('openssl', args, { cwd: folder }).status === 0
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const issue = (name: string, extension: string) => {
    writeFileSync(file(`${name}.ext`), extension)
    const request = run('req', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1', '-extfile', `${name}.ext`]
    return request && run('x509', '-req', '-in', `${name}.csr`, ...ca, '-out', `${name}.pem`)
  }
  const made =
    run('req', '-x509', ...key, '-days', '1', '-subj', '/CN=ca', '-keyout', 'ca.key', '-out', 'ca.pem') &&
    issue('server', 'subjectAltName=IP:127.0.0.1') &&
    issue('elsewhere', 'subjectAltName=IP:10.1.2.3') &&
    issue('client', 'extendedKeyUsage=clientAuth')
  return made ? file : undefined
}

t.test('TLS to an IP address, with a client certificate, and what is said when it fails', async (t) => {
  const file = certificates(t)
  if (!file) return t.pass('openssl is not installed')
  const tls = (name: string) => ['--tls', '--tlscert', file(`${name}.pem`), '--tlskey', file(`${name}.key`)]
  await using server = await startNatsServer(tls('server'))
  await using strict = await startNatsServer([...tls('server'), '--tlsverify', '--tlscacert', file('ca.pem')])
  await using elsewhere = await startNatsServer(tls('elsewhere'))
  await using plain = await startNatsServer()
  const overTls = ({ url }: { url: string }) => url.replace('nats:', 'tls:')
  const certificate = { certFile: file('client.pem'), keyFile: file('client.key') }

  const refused = async (url: string, options: object, message: RegExp) =>
    t.rejects(openBus({ url, ...options }, 'test', log), { message }, String(message))
  await refused(overTls(server), {}, /^NATS_URL: the certificate .* not trusted; set NODE_EXTRA_CA_CERTS/)
  trust(t, readFileSync(file('ca.pem'), 'utf8'))

  await using bus = await openBus({ url: overTls(server) }, 'test', log)
  await t.resolves(bus.check())
  await using verified = await openBus({ url: overTls(strict), ...certificate }, 'test', log)
  await t.resolves(verified.check())

  await refused(overTls(elsewhere), {}, /^NATS_URL: the certificate .* is not valid$/)
  await refused(overTls(plain), {}, /^NATS_URL: .* has no TLS; use nats:/)
  await refused(overTls(strict), {}, /^NATS_URL: .*NATS_CERT and NATS_KEY$/)
  const other = { certFile: file('client.pem'), keyFile: file('server.key') }
  await refused(overTls(strict), other, /^NATS_KEY: the file is not the key, .* of NATS_CERT$/)
  const damaged = { certFile: file('ca.key'), keyFile: file('ca.key') }
  await refused(overTls(strict), damaged, /^NATS_CERT: .*ca\.key has no certificate in PEM, or a damaged one$/)
  const missing = { certFile: file('none.pem'), keyFile: file('ca.key') }
  await refused(overTls(strict), missing, /^NATS_CERT: the file .*none\.pem cannot be read$/)
  await refused(plain.url, { credsFile: file('none.creds') }, /^NATS_CREDS: the file .* cannot be read$/)
  await refused(plain.url, { credsFile: file('ca.pem') }, /^NATS_CREDS: .*ca\.pem has no JWT and NKEY seed$/)
})
