import { type AttributeValue, sameValue } from '../record/attribute-values.ts';
import { attributesOf } from './attributes-of.ts';
import { compileReader } from './compile-reader.ts';
import type { DefaultValue } from './field-base.ts';
import type { FieldDefinition } from './field-definition.ts';
import { fieldTypeOf, findFieldType } from './field-types.ts';
import { isCounted } from './format-number.ts';
import { badField, readFieldSettings } from './read-field-settings.ts';

/** A custom field as an administrator describes it; what is not mentioned stays as in `current`. */
export function readFieldDefinition(
  body: Readonly<Record<string, unknown>>,
  current?: FieldDefinition,
): FieldDefinition {
  const type = current?.type ?? body['type'];
  const known = findFieldType(type);
  if (known === undefined || (current === undefined && known.isCreatable !== true)) {
    throw badField(
      `Fields cannot be of type '${String(type).slice(0, 30).replaceAll(/[^\w]/g, '?')}'.`,
    );
  }
  const definition = {
    ...current,
    ...readFieldSettings(body, known),
    type: known.name,
    isCustom: true,
  } as FieldDefinition;
  return withCheckedDefault(definition);
}

/** What of a field that Annals ships can be said anew. Its own rules rely on all else. */
const overlaid: ReadonlySet<string> = new Set(['options', 'required', 'default']);
/** What can be said of any field. */
const forPeople: ReadonlySet<string> = new Set(['label', 'tooltip', 'audited']);

/**
 * What a body says anew of a field that Annals ships; `kept` are options that have to stay. Clients send back what they
 * have read: parts that stay as they are may be anything.
 */
export function readFieldOverlay(
  body: Readonly<Record<string, unknown>>,
  current: FieldDefinition,
  kept: readonly string[],
): Partial<FieldDefinition> {
  const said = Object.entries(readFieldSettings(body, fieldTypeOf(current))).filter(
    ([name, value]) => !isSame(value, current[name as keyof FieldDefinition]),
  );
  for (const [name] of said) requireOverlaid(name, current);
  const overlay: Partial<FieldDefinition> = Object.fromEntries(said);
  const missing = overlay.options && kept.find((option) => !overlay.options?.includes(option));
  if (missing !== undefined) throw badField(`'options' has to keep '${missing}': Annals sets it.`);
  const { default: value } = withCheckedDefault({ ...current, ...overlay } as FieldDefinition);
  if (overlay.default === undefined) return overlay;
  return { ...overlay, default: value ?? null } as Partial<FieldDefinition>;
}

function requireOverlaid(name: string, shipped: FieldDefinition): void {
  if (forPeople.has(name) || (name === 'nextNumber' && isCounted(shipped))) return;
  const { options, readOnly, notStored } = shipped;
  const isOpen = name !== 'options' || options !== undefined;
  const isForClients = readOnly !== true && notStored !== true;
  if (overlaid.has(name) && isOpen && isForClients) return;
  throw badField(`'${name}' of this field cannot be changed.`);
}

function isSame(value: unknown, current: unknown): boolean {
  return sameValue(toPlain(value), toPlain(current));
}

/** What is not said is the same as nothing; a flag that is not set is off. */
function toPlain(value: unknown): AttributeValue {
  return value === undefined || value === false ? null : (value as AttributeValue);
}

/** A default has to be what the field would take from a client. */
function withCheckedDefault(definition: FieldDefinition): FieldDefinition {
  const { default: value } = definition;
  if (value === undefined || value === null) return definition;
  const read = readDefault(definition, value);
  if (!isDefault(read)) throw badField("'default' is no value of this field.");
  return { ...definition, default: read } as FieldDefinition;
}

/** The value as a record would keep it; undefined if it would refuse it. */
function readDefault(definition: FieldDefinition, value: DefaultValue): AttributeValue | undefined {
  const writable = { ...definition, readOnly: false, notStored: false } as FieldDefinition;
  const attribute = attributesOf('value', writable).find(({ name }) => name === 'value');
  // A flag takes whatever a record's client sends; here it would hide a mistake.
  if (attribute?.kind === 'bool' && typeof value !== 'boolean') return undefined;
  const read = attribute && compileReader(attribute, writable);
  return read?.(value, () => undefined);
}

function isDefault(value: AttributeValue | undefined): value is DefaultValue | null {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
