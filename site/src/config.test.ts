import { fileURLToPath } from 'node:url'
import t from 'tap'
import { siteConfig } from './config.ts'

t.test(
  'the names of styles do not depend on the folder of the build, so that a release is the same wherever it is built',
  async (t) => {
    const { vue } = siteConfig(fileURLToPath(new URL('../..', import.meta.url)))
    const generate = vue?.features?.componentIdGenerator
    if (typeof generate !== 'function') return t.fail('there is no generator')
    const idIn = (folder: string, source = '<template/>') =>
      generate(`${folder}/node_modules/vitepress/dist/client/Nav.vue`, source, true, (text) => text)
    t.equal(idIn('../../../../srv/platen'), idIn('../..'))
    t.not(idIn('../..'), idIn('../..', '<template>1</template>'))
  },
)
