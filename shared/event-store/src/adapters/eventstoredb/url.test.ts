import t from 'tap'
import { connectionStringTo, readEventStoreDbUrl } from './url.ts'

const insecure = { username: 'none', password: 'none' }

t.test('URLs of one node and of clusters, under both names of the database', async (t) => {
  const urls: [string, string, string?][] = [
    ['esdb://host?tls=false', 'host:2113'],
    ['esdb://host:1/?TLS=false', 'host:1'],
    ['kurrentdb://a:1,b:2,c?tls=false', 'a:1 b:2 c:2113 discovered'],
    ['kdb+discover://cluster.local?tls=false', 'cluster.local:2113 discovered'],
    ['esdb+discover://a,b,c?tls=false', 'a:2113 b:2113 c:2113 discovered'],
    ['esdb+discover://h?tls=false&keepaliveinterval=10000', 'h:2113 discovered', '10000'],
  ]
  for (const [url, wanted, keepAlive = '4000'] of urls) {
    const connection = readEventStoreDbUrl(url)
    const { query, credentials, tls, nodes, discovers } = connection
    const names = nodes.map(({ host, port }) => `${host}:${port}`)
    t.equal([...names, ...(discovers ? ['discovered'] : [])].join(' '), wanted, url)
    t.match(query, `connectionName=platen&keepAliveInterval=${keepAlive}&keepAliveTimeout=2000&gossipTimeout=2&`)
    t.match(query, /&tls=false$/)
    t.strictSame([credentials, tls], [insecure, undefined])
    t.match(connectionStringTo({ host: 'd', port: 3 }, connection), `esdb://d:3?${query}`)
  }
  const asked = { attempts: 3, pauseMs: 50, answerMs: 4_000 }
  const set = 'maxDiscoverAttempts=3&discoveryInterval=50&gossipTimeout=4'
  t.match(readEventStoreDbUrl(`esdb+discover://a?tls=false&${set}`), asked)
})

t.test('the credentials are removed from the connection string', async (t) => {
  const { query, credentials } = readEventStoreDbUrl('kurrentdb+discover://an%40user:p%3Aw%2F@host:2113')
  t.notMatch(query, /user|p%3Aw/)
  t.strictSame(credentials, { username: 'an@user', password: 'p:w/' })
})

t.test('errors say what is wrong, without the password', async (t) => {
  const wrong: [string, RegExp][] = [
    ['esdb://host', /name <user>:<password>@ before the host, or end in \?tls=false/],
    ['esdb://user:secret@', /be esdb:/],
    ['esdb://user:secret@host:port', /be esdb:/],
    ['esdb://user:secret@host:70000', /be esdb:/],
    ['esdb://user:secret@host?tlsVerifyCert=false', /set tlsCAFile to the CA of the server, without tlsVerifyCert/],
    ['esdb://user:secret@host?gossipTimeout=secret', /give a number to gossipTimeout/],
    ['esdb://user:secret@host?userCertFile=/nowhere', /name a file in PEM in userCertFile/],
    ['esdb://user:secret@host?colour=secret', /set no other options than connectionName, /],
    ['esdb://user:secret@host?throwOnAppendFailure=false', /set no other options/],
    ['esdb://user:secret@host?nodePreference=follower', /no other nodePreference than leader/],
    ['esdb://user:secret@host?tls=secret', /give a value to tls/],
    ['esdb://user:secret%@host', /percent-encode/],
    ['http://user:secret@host', /be esdb:/],
  ]
  for (const [url, message] of wrong) {
    t.throws(() => readEventStoreDbUrl(url), message, url)
    t.throws(() => readEventStoreDbUrl(url), /^(?!.*secret)/s, 'without the password')
  }
})
