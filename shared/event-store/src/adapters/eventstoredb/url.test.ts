import t from 'tap'
import { readEventStoreDbUrl } from './url.ts'

const insecure = { username: 'none', password: 'none' }

t.test('URLs of one node and of clusters, under both names of the database', async (t) => {
  const urls: [string, string, string?][] = [
    ['esdb://host?tls=false', 'esdb://host'],
    ['esdb://host:2113/?TLS=false', 'esdb://host:2113'],
    ['kurrentdb://a:1,b:2,c?tls=false', 'esdb://a:1,b:2,c'],
    ['kdb+discover://cluster.local?tls=false', 'esdb+discover://cluster.local'],
    ['esdb+discover://a,b,c?tls=false', 'esdb://a,b,c'],
    ['esdb+discover://h?tls=false&keepaliveinterval=10000', 'esdb+discover://h', '10000'],
  ]
  for (const [url, start, keepAlive = '4000'] of urls) {
    const query = `connectionName=platen&keepAliveInterval=${keepAlive}&keepAliveTimeout=2000&gossipTimeout=2&tls=false`
    const { connectionString, credentials, tls } = readEventStoreDbUrl(url)
    t.strictSame([connectionString, credentials, tls], [`${start}?${query}`, insecure, undefined], url)
  }
  const { nodes, discovers } = readEventStoreDbUrl('esdb+discover://a:1,b?tls=false')
  t.strictSame(
    [nodes, discovers],
    [
      [
        { host: 'a', port: 1 },
        { host: 'b', port: 2113 },
      ],
      true,
    ],
  )
  t.equal(readEventStoreDbUrl('esdb://a?tls=false').discovers, false)
})

t.test('the credentials are removed from the connection string', async (t) => {
  const { connectionString, credentials } = readEventStoreDbUrl('kurrentdb+discover://an%40user:p%3Aw%2F@host:2113')
  t.match(connectionString, /^esdb\+discover:\/\/host:2113\?connectionName=platen&/)
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
