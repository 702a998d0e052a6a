import { counted } from '../../../shared/domain/counted.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  type Change,
  isRestoration,
  restoration,
} from '../../../shared/domain/record/record-event.ts';
import { type AttributeValue, sameValue } from '../../../shared/domain/value/attribute-values.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import type { RecordNames } from './record-names.ts';
import { mentionedRecords, nameAttributes, toIds } from './record-names.ts';

const MAX_VALUE_LENGTH = 60;
const MAX_CHANGES = 12;

interface LineContext {
  /** Undefined for a removed entity type. */
  readonly model: EntityModel | undefined;
  readonly nameOf: RecordNames['of'];
}

/**
 * `2026-11-20T10:00:00.000Z Account "Acme" (0ca7…) v2 updated by "Ann" (9f…): name "Acne" → "Acme"`. Omits empty values
 * in creations, unchanged values, and values that only repeat the name for an id.
 */
export function toEventLine(event: LoggedEvent, context: LineContext): string {
  const { occurredAt, entityType, recordId, version, actorId, administratorId } = event;
  const { model, nameOf } = context;
  const record = withName(recordId, nameOf({ entityType, id: recordId }));
  const userOf = (id: string) => withName(id, nameOf({ entityType: 'User', id }));
  const user =
    administratorId === undefined
      ? userOf(actorId)
      : `${userOf(administratorId)} as ${userOf(actorId)}`;
  const type = isRestoration(event) ? 'restored' : event.type.toLowerCase();
  const line = `${new Date(occurredAt).toISOString()} ${entityType} ${record} v${version} ${type} by ${user}`;
  const changes = event.changes.filter((change) => isShown(change, model));
  if (changes.length === 0) return line;
  const nameIn = namer(event, context);
  const shown = changes.slice(0, MAX_CHANGES).map((change) => toChange(event, change, nameIn));
  const rest = changes.length - shown.length;
  const more = rest === 0 ? '' : `, and ${counted(rest, 'more attribute')}`;
  return `${line}: ${shown.join(', ')}${more}`;
}

/** Returns the names for all ids in an event, by id. */
export function namesIn(
  event: LoggedEvent,
  { model, nameOf }: LineContext,
): Readonly<Record<string, string>> {
  const named = mentionedRecords(event, model).map((one) => [one.id, nameOf(one)] as const);
  return Object.fromEntries(
    named.flatMap(([id, name]) => (name === undefined ? [] : [[id, name]])),
  );
}

function isShown({ attribute, before, after }: Change, model: EntityModel | undefined): boolean {
  if (attribute === restoration.attribute || sameValue(before, after)) return false;
  if (before === null && ['false', '[]', '{}'].includes(JSON.stringify(after))) return false;
  const names = model === undefined ? [] : [...nameAttributes(model).values()];
  return names.every(({ name }) => name !== attribute);
}

/** Returns a function that formats an id in a link's value. */
function namer(event: LoggedEvent, context: LineContext) {
  const names = namesIn(event, context);
  return (attribute: string, value: AttributeValue): string => {
    const { model } = context;
    if (model === undefined || !nameAttributes(model).has(attribute)) return toShort(value);
    const shown = toIds(value).map((id) => withName(id, names[id]));
    if (!Array.isArray(value)) return shown[0] ?? toShort(value);
    return toCut(`[${shown.join(', ')}]`);
  };
}

function toChange(
  { type }: LoggedEvent,
  { attribute, before, after }: Change,
  show: (attribute: string, value: AttributeValue) => string,
): string {
  if (type === 'Created') return `${attribute} ${show(attribute, after)}`;
  return `${attribute} ${show(attribute, before)} → ${show(attribute, after)}`;
}

/** Encodes the name as JSON, so that a name with line breaks stays on one line. */
function withName(id: string, name: string | undefined): string {
  return name === undefined || name === '' ? id : `${toShort(name)} (${id})`;
}

const toShort = (value: AttributeValue): string => toCut(JSON.stringify(value));

function toCut(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
