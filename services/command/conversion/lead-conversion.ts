import { Refusal } from '../../../shared/domain/errors.ts';
import { isStorableJson } from '../../../shared/domain/field/types/json/read-json-object.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';

/** What a lead may become, in the order in which the records are made: each may be linked with those before it. */
export const conversionTargets = ['Account', 'Contact', 'Opportunity'] as const;
export type ConversionTarget = (typeof conversionTargets)[number];

/** A record that a conversion makes: the decision determines its id, so that making it twice makes it once. */
export interface PlannedRecord {
  readonly id: string;
  readonly name: string | null;
  /** As a client would send it. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The one decision that a conversion is (design 3.1). It stands in the lead's event; the records follow from it, made
 * by whoever comes to it: the instance that took the request, or any other one after a crash.
 */
export interface Conversion {
  readonly actorId: string;
  readonly records: Readonly<Partial<Record<ConversionTarget, PlannedRecord>>>;
  /** What is linked with the lead, and shall be with the records: ids by entity type. Gone when that is done. */
  readonly linked?: Readonly<Record<string, readonly string[]>>;
}

/** A conversion before it is decided, with what there is of its kind already unless the client insists. */
export interface PlannedConversion extends Conversion {
  readonly duplicates: readonly Readonly<Record<string, AttributeValue>>[];
}

/** The values that the decision sets in the lead. */
export function conversionValues(conversion: Conversion, now: number): AttributeValues {
  const created = conversionTargets.flatMap((target): [string, AttributeValue][] => {
    const planned = conversion.records[target];
    if (planned === undefined) return [];
    return [
      [`created${target}Id`, planned.id],
      [`created${target}Name`, planned.name],
    ];
  });
  return {
    status: 'Converted',
    convertedAt: formatDateTime(now),
    conversion: JSON.stringify(conversion),
    ...Object.fromEntries(created),
  };
}

/** Of a conversion's record: the same for everybody who makes it. */
export function conversionKey(
  leadId: string,
  target: ConversionTarget,
  { id }: PlannedRecord,
): string {
  return `convert-${leadId}-${target}-${id}`;
}

/** Of what follows once the records are there: the same for everybody who does it. */
export function followingKey(leadId: string, { records }: Conversion, what: string): string {
  const ids = conversionTargets.flatMap((target) => records[target]?.id ?? []);
  return `convert-${leadId}-${ids[0] ?? ''}-${what}`;
}

export function readConversion(text: unknown): Conversion | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as Conversion) : undefined;
}

/** Of a body: a level more than of its values. */
const MAX_DEPTH = 33;

/** The bodies by entity type, as a client sends them; refuses anything else. */
export function readTargets(
  records: unknown,
): Readonly<Partial<Record<ConversionTarget, Readonly<Record<string, unknown>>>>> {
  if (typeof records !== 'object' || records === null)
    throw badRecords("'records' has to be an object.");
  // PHP clients write an empty object as a list.
  const entries = Object.entries(records);
  const unknown = entries.find(([name]) => !conversionTargets.some((target) => target === name));
  if (unknown !== undefined) {
    throw badRecords('A lead becomes an Account, a Contact and an Opportunity, nothing else.');
  }
  for (const [name, body] of entries) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw badRecords(`'records.${name}' has to be an object.`);
    }
    // Whoever looks after conversions has Postgres look into what was decided, unknown attributes included.
    if (!isStorableJson(body, MAX_DEPTH)) {
      throw badRecords(`'records.${name}' has text with NUL or broken characters, or is too deep.`);
    }
  }
  return Object.fromEntries(entries);
}

function badRecords(message: string): Refusal {
  return new Refusal('invalid', 'lead.records', message);
}
