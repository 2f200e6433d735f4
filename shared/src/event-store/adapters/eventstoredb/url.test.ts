import t from 'tap'
import { readEventStoreDbUrl } from './url.ts'

const insecure = { username: 'none', password: 'none' }

t.test('URLs of one node and of clusters, under both names of the database', async (t) => {
  const urls: [string, string][] = [
    ['esdb://host?tls=false', 'esdb://host?connectionName=platen&tls=false'],
    ['esdb://host:2113/?tls=false', 'esdb://host:2113?connectionName=platen&tls=false'],
    ['kurrentdb://a:1,b:2,c?tls=false', 'esdb://a:1,b:2,c?connectionName=platen&tls=false'],
    ['kurrentdb+discover://cluster.local?tls=false', 'esdb+discover://cluster.local?connectionName=platen&tls=false'],
    ['esdb+discover://h?tls=false&connectionName=x', 'esdb+discover://h?tls=false&connectionName=x'],
  ]
  for (const [url, connectionString] of urls) {
    t.strictSame(readEventStoreDbUrl(url), { connectionString, credentials: insecure }, url)
  }
})

t.test('the credentials are removed from the connection string', async (t) => {
  t.strictSame(readEventStoreDbUrl('kurrentdb+discover://an%40user:p%3Aw%2F@host:2113'), {
    connectionString: 'esdb+discover://host:2113?connectionName=platen',
    credentials: { username: 'an@user', password: 'p:w/' },
  })
})

t.test('errors say what is wrong, without the password', async (t) => {
  const wrong: [string, RegExp][] = [
    ['esdb://host', /name <user>:<password>@ before the host, or end in \?tls=false/],
    ['esdb://user:secret@', /be esdb:/],
    ['esdb://user:secret@host:port', /be esdb:/],
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
