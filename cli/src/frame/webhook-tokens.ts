/** An option of what prints events of the log. */
export const tokens = {
  tokens: {
    about:
      'with the tokens of webhook URLs and the values of webhook headers, which are hidden otherwise: https://example.com/hook?…',
  },
} as const
