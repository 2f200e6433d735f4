/** Other characters than Latin letters and common punctuation, which every system can print. */
export const rare = /[^\0-\u024f\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u20ac\u2122]/u
