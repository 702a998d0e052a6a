/**
 * Returns a copy of a JSON object that V8 represents like an object literal or a spread copy. Beyond about twelve keys,
 * V8 represents an object built key by key as a hash table, which is five times slower to copy and stringify.
 */
export function asLiteral<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
