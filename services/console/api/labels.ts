/** The suffix that follows the field name in the name of an attribute: `accountId` belongs to `account`. */
const suffix = /(?:Ids?|Names?|Types?|Columns|Currency|Date|Data)$/;

/** Returns the name of the field to which an attribute belongs. */
export function fieldNameOf(attribute: string): string {
  return attribute.replace(suffix, '');
}

/** `GlobalStream` → `Global Stream`, `exportPermission` → `Export Permission`. */
export function toWords(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Returns the label of a field, link or attribute: its own from `known`, otherwise its field's, otherwise the words of
 * its name.
 */
export function labelPart(known: Readonly<Record<string, string>>, part: string): string {
  const own = known[part];
  if (own !== undefined) return own;
  const field = fieldNameOf(part);
  const label = known[field];
  if (label === undefined) return toWords(part);
  // The entries of a field with e-mail addresses or phone numbers, which contain its value.
  return part.endsWith('Data') ? label : `${label} (${part.slice(field.length)})`;
}
