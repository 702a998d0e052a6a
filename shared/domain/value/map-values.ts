/** Returns an object with the same keys and mapped values. */
export function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  map: (value: From, key: string) => To,
): Record<Key, To> {
  const entries = Object.entries<From>(record).map(([key, value]) => [key, map(value, key)]);
  return Object.fromEntries(entries) as Record<Key, To>;
}
