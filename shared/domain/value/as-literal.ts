/**
 * A copy of a JSON object that V8 represents like an object literal, as it does further copies by spread. V8 represents
 * an object that was built key by key as a hash table beyond some twelve keys, which is five times slower to copy and
 * to stringify.
 */
export function asLiteral<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
