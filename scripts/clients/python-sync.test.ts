import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import t from 'tap'
import { handWritten, pythonSyncFiles, withoutAsyncio } from './python-sync.ts'

const root = join(import.meta.dirname, '../..')

t.test('the Python client that blocks is made from the one for asyncio', async (t) => {
  const files = pythonSyncFiles(root)
  for (const { path, text } of files) {
    t.ok(readFileSync(path, 'utf8') === text, `${relative(root, path)}: npm run generate`)
    const attribute = execFileSync('git', ['check-attr', 'linguist-generated', path], { cwd: root, encoding: 'utf8' })
    t.match(attribute, /: set\n$/, `.gitattributes: ${relative(root, path)} is generated`)
  }
  const client = files.map(({ path }) => path).filter((path) => path.includes('/_sync/'))
  const present = readdirSync(join(root, 'clients/python/src/platen/_sync')).filter((name) => name.endsWith('.py'))
  t.strictSame(present.sort(), [...handWritten, ...client.map((path) => basename(path))].sort(), 'no file is left over')
})

t.test('what waits is replaced by what blocks', async (t) => {
  const source = `"""A client for asyncio."""
async def __aiter__(self) -> AsyncIterator[bytes]:
    async with self.open() as file, within(deadline):
        async for part in file._response.aiter_bytes():
            yield part
        await self.aclose()
    return [part async for part in await anext(self.generate_async())]
`
  const blocking = `# Made by \`npm run generate\` from _async/a.py. Edit that file.
"""A client."""
def __iter__(self) -> Iterator[bytes]:
    with self.open() as file, within(deadline):
        yield from file._response.iter_bytes()
        self.close()
    return [part for part in next(self.generate_async())]
`
  t.equal(withoutAsyncio(source, '_async/a.py'), blocking)
})

t.test('a word of asyncio that has no replacement is named', async (t) => {
  const source = 'import asyncio\n\nasync def wait() -> None:\n    await asyncio.sleep(1)\n'
  const refused = '_async/a.py: add to scripts/clients/python-sync.ts what blocks: import asyncio'
  t.throws(() => withoutAsyncio(source, '_async/a.py'), { message: refused })
})
