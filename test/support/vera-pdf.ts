import { spawnSync } from 'node:child_process'

/** The jar of veraPDF (`org.verapdf.apps:greenfield-apps` of Maven Central), for the tests that use it as judge. */
const jar = process.env.VERAPDF_JAR ?? ''

/** For the option `skip` of a test. */
export const noVeraPdf =
  jar === '' ? 'VERAPDF_JAR is not set' : spawnSync('java', ['-version']).error ? 'java is not installed' : false

/** The rules of a standard that a PDF breaks, as veraPDF finds them: empty if it conforms. */
export function conforms(file: string, flavour: '1b' | '2b' | '3b' | 'ua1'): string {
  const main = 'org.verapdf.apps.GreenfieldCliWrapper'
  const { stdout } = spawnSync(
    'java',
    ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', jar, main, '--flavour', flavour, file],
    { encoding: 'utf8' },
  )
  if (stdout.includes('isCompliant="true"')) return ''
  const rules = [...stdout.matchAll(/clause="([^"]*)" testNumber="(\d+)" status="failed"/g)]
  return rules.map(([, clause, test]) => `${clause}, test ${test}`).join('; ') || stdout
}
