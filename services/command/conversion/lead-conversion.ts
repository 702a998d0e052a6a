import { conversionTargets, convertedStatus } from '../../../shared/domain/entity/stock/lead.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isStorableJson } from '../../../shared/domain/field/types/json/read-json-object.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';

export type ConversionTarget = (typeof conversionTargets)[number];

/** A record that a conversion creates. The decision fixes its id, so that creating it twice has no effect. */
export interface PlannedRecord {
  readonly id: string;
  readonly name: string | null;
  /** The body that creates the record, as a client would send it. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The decision to convert a lead. It is stored in one event of the lead and determines the records to create. The
 * instance that received the request creates them or, after a crash, any other instance does.
 */
export interface Conversion {
  readonly actorId: string;
  readonly records: Readonly<Partial<Record<ConversionTarget, PlannedRecord>>>;
  /** Ids, by entity type, of the lead's linked records to link with the new records. Absent once they are linked. */
  readonly linked?: Readonly<Record<string, readonly string[]>>;
}

/** A conversion before the decision, with duplicates of its records unless the client skips the duplicate check. */
export interface PlannedConversion extends Conversion {
  readonly duplicates: readonly AttributeValues[];
}

/** Returns the values of the lead that the decision sets. */
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
    status: convertedStatus,
    convertedAt: formatDateTime(now),
    conversion: JSON.stringify(conversion),
    ...Object.fromEntries(created),
  };
}

/** Returns the command id for creating a record of a conversion. Every instance derives the same id. */
export function conversionKey(
  leadId: string,
  target: ConversionTarget,
  { id }: PlannedRecord,
): string {
  return `convert-${leadId}-${target}-${id}`;
}

/** Returns the command id for a step that follows the creation of the records. Every instance derives the same id. */
export function followingKey(leadId: string, { records }: Conversion, what: string): string {
  const ids = conversionTargets.flatMap((target) => records[target]?.id ?? []);
  return `convert-${leadId}-${ids[0] ?? ''}-${what}`;
}

export function readConversion(text: unknown): Conversion | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as Conversion) : undefined;
}

/** Maximum depth of a body: one level more than the maximum depth of its values. */
const MAX_DEPTH = 33;

/** Reads the bodies in a request, which are keyed by entity type. Rejects any other shape. */
export function readTargets(
  records: unknown,
): Readonly<Partial<Record<ConversionTarget, Readonly<Record<string, unknown>>>>> {
  if (typeof records !== 'object' || records === null)
    throw badRecords("'records' must be an object.");
  // PHP clients encode an empty object as `[]`.
  const entries = Object.entries(records);
  const unknown = entries.find(([name]) => !conversionTargets.some((target) => target === name));
  if (unknown !== undefined) {
    throw badRecords('A lead can only be converted to an Account, a Contact and an Opportunity.');
  }
  for (const [name, body] of entries) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw badRecords(`'records.${name}' must be an object.`);
    }
    // Postgres must be able to store even unknown attributes, because finish-conversions.ts queries this JSON there.
    if (!isStorableJson(body, MAX_DEPTH)) {
      throw badRecords(
        `'records.${name}' contains NUL or an unpaired surrogate, or is nested too deeply.`,
      );
    }
  }
  return Object.fromEntries(entries);
}

function badRecords(message: string): Refusal {
  return new Refusal('invalid', 'lead.records', message);
}
