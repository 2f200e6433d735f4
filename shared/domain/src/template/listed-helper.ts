import { JsonObject } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'

/** A helper that every template may call, in HTTP responses. */
export const ListedHelper = Type.Object(
  {
    name: Type.String({ examples: ['formatNumber'] }),
    family: Type.String({ description: 'the heading under which it is documented', examples: ['Numbers'] }),
    signature: Type.String({
      description: 'how it is called; several ways have ` | ` between them',
      examples: ['formatNumber value decimals= locale='],
    }),
    description: Type.String(),
    block: Type.Boolean({ description: 'whether it has a content: `{{#name}}…{{/name}}`' }),
    arguments: Type.Object(
      { min: Type.Integer({ minimum: 0 }), max: Type.Integer({ minimum: 0 }) },
      { title: 'HelperArguments', description: 'how many values it takes' },
    ),
    named: Type.Array(Type.String(), {
      description: 'the arguments that are written `name=value`',
      examples: [['decimals', 'locale']],
    }),
    examples: Type.Array(
      Type.Object(
        {
          template: Type.String(),
          data: Type.Optional(JsonObject),
          result: Type.String({ description: 'with these data. `<svg …>` stands for any drawing' }),
        },
        { title: 'HelperExample' },
      ),
    ),
  },
  { title: 'Helper' },
)
export type ListedHelper = Static<typeof ListedHelper>
