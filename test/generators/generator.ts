/** A generator of clients, at the version that is tried. The commands run in a folder of its own, one after the other. */
export interface Generator {
  name: string
  version: string
  /** What a user passes to it beyond the document and the place of the code. Printed in docs/reference/generated-clients.md. */
  flags: string
  /** Programs that the machine must have. Without one, the generator is skipped. */
  needs: readonly string[]
  /** Where it reads the description. Default: `/openapi.json`. */
  document?: '/openapi-3.0.json'
  /** The folder of `calls/` with the ten calls. */
  calls: string
  /**
   * Shell commands. In their environment are DOCUMENT, the description as a file, TOOLS, a folder that is kept between two runs, and
   * REPOSITORY, where Platen is.
   */
  install: string
  generate: string
  compile: string
  /** Also in its environment: PLATEN_URL, API_KEY, PNG and FONT (files), SLUG. Prints a line `ok <name>` for each of the ten calls. */
  call: string
}

/** The ten calls, in their order. */
export const tenCalls = [
  ...['create', 'change', 'upload', 'generate-bytes', 'generate-json', 'async', 'list', 'error', 'preview', 'delete'],
] as const

/** What `openapi-generator` makes, by the name of its own generator. */
export function openapiGenerator(
  name: string,
  rest: Omit<Generator, 'name' | 'version' | 'install' | 'generate'> & { install?: string },
) {
  const version = '7.23.0'
  const artifact = `org.openapitools:openapi-generator-cli:${version}`
  const jar = `$TOOLS/openapi-generator-cli-${version}.jar`
  const copy = `mvn -q -B dependency:copy -Dartifact=${artifact} -DoutputDirectory="$TOOLS"`
  return {
    ...rest,
    name: `openapi-generator ${name}`,
    version,
    needs: ['java', 'mvn', ...rest.needs],
    install: [`test -e "${jar}" || ${copy}`, rest.install ?? ''].join('\n'),
    generate: `java -jar "${jar}" generate -i "$DOCUMENT" -g ${name} -o client ${rest.flags}`,
  } satisfies Generator
}
