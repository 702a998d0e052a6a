/** Order matters: most browsers also name Chrome or Safari, for compatibility. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** Order matters: phones also name the system that theirs is derived from. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Returns the browser and the system that a User-Agent header names; undefined if either is unknown, as for other
 * programs.
 */
export function deviceOf(
  userAgent: string,
): { readonly browser: string; readonly system: string } | undefined {
  const browser = firstIn(browsers, userAgent);
  const system = firstIn(systems, userAgent);
  return browser === undefined || system === undefined ? undefined : { browser, system };
}

function firstIn(names: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}
