import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readOptions } from '../machine/read-options.ts'
import { jsreportFolder, jsreportVersion } from './peers-folder.ts'
import { weasyprintPath } from './weasyprint.ts'

const help = `Usage: npm run bench:peers

Installs jsreport outside of this folder (a minute or two, 550 MB), and says how to install WeasyPrint.
`
readOptions(help, {})

const say = (text: string) => process.stderr.write(`platen: ${text}\n`)

if (!existsSync(join(jsreportFolder, 'node_modules/jsreport'))) {
  say(`installing jsreport ${jsreportVersion} to ${jsreportFolder} (a minute or two, 550 MB)`)
  await mkdir(jsreportFolder, { recursive: true })
  await writeFile(join(jsreportFolder, 'package.json'), '{ "private": true }\n')
  // No install scripts: puppeteer's would download a browser. All strategies use the same Chromium.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `jsreport@${jsreportVersion}`]
  execFileSync('npm', args, { cwd: jsreportFolder, stdio: ['ignore', 'ignore', 'inherit'] })
}
say(`jsreport is in ${jsreportFolder}`)
if (existsSync(weasyprintPath)) say(`WeasyPrint is in ${weasyprintPath}`)
else say('WeasyPrint is not installed. On Debian: apt-get install -y --no-install-recommends weasyprint')
