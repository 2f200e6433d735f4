import { type Generator, openapiGenerator } from '../generator.ts'

export const phpGenerators: readonly Generator[] = [
  openapiGenerator('php', {
    flags: '',
    needs: ['php'],
    calls: 'php',
    // Debian has the libraries as packages: php-guzzlehttp-guzzle.
    install: `php -m | grep -qx curl || { echo 'PHP needs its extension curl'; exit 1; }
test -e /usr/share/php/GuzzleHttp/autoload.php || composer require --no-interaction -q guzzlehttp/guzzle:^7.4`,
    compile: `find client/lib ten-calls.php -name '*.php' -print0 | xargs -0 -n 200 -P 2 sh -c 'for file; do php -l "$file" > out || { cat out; exit 1; }; done' sh`,
    call: 'php -d error_reporting=E_ALL ten-calls.php',
  }),
]
