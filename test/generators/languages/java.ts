import { type Generator, openapiGenerator } from '../generator.ts'

export const javaGenerators: readonly Generator[] = [
  openapiGenerator('java', {
    flags: '--library okhttp-gson',
    needs: [],
    calls: 'java-okhttp',
    compile: `rm -rf client/src/test && mkdir -p client/src/main/java/example && cp TenCalls.java client/src/main/java/example
(cd client && mvn -q -B package dependency:build-classpath -DskipTests -Dmaven.javadoc.skip -Dmdep.outputFile=classpath.txt)`,
    call: 'java -cp "client/target/classes:$(cat client/classpath.txt)" example.TenCalls',
  }),
]
