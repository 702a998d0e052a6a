/** A value of an attribute: a scalar, a list of strings, or JSON (e-mail and phone groups, names by id). */
export type AttributeValue =
  | null
  | boolean
  | number
  | string
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue };

export type AttributeValues = Readonly<Record<string, AttributeValue>>;

/** Returns a JSON object unchanged, and an empty object for any other value. */
export function toObject(value: AttributeValue | undefined): AttributeValues;
export function toObject(value: unknown): Readonly<Record<string, unknown>>;
export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares two attribute values deeply. The order of keys is ignored, but the order of list items is not. */
export function sameValue(
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') {
    return false;
  }
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((value, index) => sameValue(value, right[index]))
    );
  }
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]))
  );
}

function isList(value: AttributeValue): value is readonly AttributeValue[] {
  return Array.isArray(value);
}
