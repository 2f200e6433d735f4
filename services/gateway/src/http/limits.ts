export const maxUrlBytes = 8_192
export const maxHeaderBytes = 32 * 1024
