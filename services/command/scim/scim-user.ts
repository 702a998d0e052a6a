import { isStorableText } from '../../../shared/domain/field/types/text/read-text.ts';
import type { ProvisionedUser } from '../../../shared/domain/login/provisioning.ts';
import { printable } from '../../../shared/domain/printable.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import {
  type AttributeValue,
  type AttributeValues,
  isObject,
  sameValue,
  toObject,
} from '../../../shared/domain/value/attribute-values.ts';
import { toUserName } from '../single-sign-on/read-claims.ts';
import type { Resource } from './apply-patch.ts';
import { scimRefusal } from './scim-refusal.ts';
import { emailTypes, phoneTypes } from './scim-schemas.ts';

/** A user that a provider sees; `provisioned` is undefined until the provider changes the user for the first time. */
export interface ManagedUser {
  readonly user: RecordState;
  readonly provisioned: ProvisionedUser | undefined;
}

/** The attributes that the provider can write, by their SCIM names. */
const readers: Readonly<Record<string, (managed: ManagedUser) => unknown>> = {
  externalId: ({ provisioned }) => provisioned?.externalId ?? undefined,
  userName: userNameOf,
  name: ({ user: { values } }) => ({
    formatted: values['name'] ?? undefined,
    familyName: values['lastName'] ?? undefined,
    givenName: values['firstName'] ?? undefined,
    middleName: values['middleName'] ?? undefined,
  }),
  displayName: ({ user }) => user.values['name'],
  title: ({ user }) => user.values['title'] ?? undefined,
  active: ({ user }) => user.values['isActive'] === true,
  emails: ({ user }) =>
    entriesIn(user, 'emailAddressData').map(({ emailAddress: value, primary }) => {
      const [work, other] = emailTypes;
      return { value, type: primary === true ? work : other, primary: primary === true };
    }),
  phoneNumbers: ({ user }) =>
    entriesIn(user, 'phoneNumberData').map(({ phoneNumber: value, type, primary }) => {
      const [known = 'other'] = [...phoneTypes].find(([, annals]) => annals === type) ?? [];
      return { value, type: known, primary: primary === true };
    }),
};

/** Returns an attribute of a user; undefined if it has no value. */
export function readUserAttribute(managed: ManagedUser, name: string): unknown {
  return name === 'id' ? managed.user.id : readers[name]?.(managed);
}

/** Returns the attributes of a user that the provider can write. */
export function toUserResource(managed: ManagedUser): Resource {
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, read(managed)] as const),
  );
}

/** The provider's spelling, unless the user has been renamed in Annals. */
function userNameOf({ user, provisioned }: ManagedUser): string {
  const { userName } = user.values;
  const spelled = provisioned?.userName ?? '';
  return toUserName(spelled) === userName ? spelled : String(userName);
}

/**
 * Returns the values of a user record after a change of its resource: only different values, so that values that SCIM
 * cannot express stay. `current` is undefined for a new user. Throws `invalidValue` for values of a wrong type.
 */
export function toUserValues(wanted: Resource, current: ManagedUser | undefined): AttributeValues {
  const after = convert(wanted, current?.user);
  // Stored in another record, after the user has changed.
  keptTextOrNull(wanted, 'externalId');
  if (current === undefined) {
    const { lastName, userName } = after;
    return {
      ...after,
      lastName: lastName ?? textOrNull(wanted, 'displayName') ?? userName ?? null,
    };
  }
  const before = convert(toUserResource(current), current.user);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !sameValue(value, before[name])),
  );
}

function convert(resource: Resource, user: RecordState | undefined): AttributeValues {
  const name = toObject(resource['name']);
  return {
    userName: readUserName(resource),
    firstName: textOrNull(name, 'givenName'),
    middleName: textOrNull(name, 'middleName'),
    lastName: textOrNull(name, 'familyName'),
    title: textOrNull(resource, 'title'),
    isActive: readActive(resource['active']),
    emailAddressData: toEntries(resource, 'emails', (item) => {
      const emailAddress = textOrNull(item, 'value');
      const flags = entriesIn(user, 'emailAddressData').find(
        (entry) => entry['lower'] === emailAddress?.toLowerCase(),
      );
      return { ...flags, emailAddress };
    }),
    phoneNumberData: toEntries(resource, 'phoneNumbers', (item) => {
      const phoneNumber = textOrNull(item, 'value');
      const flags = entriesIn(user, 'phoneNumberData').find(
        (entry) => digitsOf(entry['phoneNumber']) === digitsOf(phoneNumber),
      );
      const type = phoneTypes.get(textOrNull(item, 'type')?.toLowerCase() ?? 'work') ?? 'Other';
      return { ...flags, phoneNumber, type };
    }),
  };
}

/** Returns the user name of a resource in the form of Annals. */
function readUserName(resource: Resource): string {
  const userName = toUserName(keptTextOrNull(resource, 'userName') ?? '');
  if (userName !== undefined) return userName;
  throw scimRefusal('invalidValue', "'userName' must contain a letter or a digit.");
}

/** Entra ID sends `"True"` and `"False"`. */
function readActive(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  throw scimRefusal('invalidValue', "'active' must be true or false.");
}

/** Returns null for a missing or empty text. */
export function textOrNull(resource: Resource, name: string): string | null {
  const value = resource[name];
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.trim() || null;
  throw scimRefusal('invalidValue', `'${printable(name)}' must be a text.`);
}

/** Converts a list of addresses. One is primary: the marked one, otherwise the first of the type `work`. */
function toEntries(
  resource: Resource,
  name: string,
  toEntry: (item: Resource) => AttributeValues,
): AttributeValue {
  const given = resource[name];
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  if (!list.every((item) => isObject(item))) {
    throw scimRefusal('invalidValue', `'${name}' must be a list of objects.`);
  }
  const items = list.filter((item) => textOrNull(item, 'value') !== null);
  const primary =
    items.find((item) => isTrue(item['primary'])) ??
    items.find((item) => item['type'] === 'work') ??
    items[0];
  return items.map((item) => ({ ...toEntry(item), primary: item === primary }));
}

/** Numbers are stored without punctuation if they are international. */
const digitsOf = (number: unknown): string => String(number).replaceAll(/[^\d+]/g, '');

const MAX_TEXT = 255;

/** Returns a text that is stored unchanged; null if it is missing or empty. */
export function keptTextOrNull(resource: Resource, name: string): string | null {
  const text = textOrNull(resource, name);
  if (text === null || (text.length <= MAX_TEXT && isStorableText(text))) return text;
  const message = `'${name}' must be a text of at most ${MAX_TEXT} characters without NUL and unpaired surrogates.`;
  throw scimRefusal('invalidValue', message);
}

function isTrue(value: unknown): boolean {
  return value === true || String(value).toLowerCase() === 'true';
}

function entriesIn(user: RecordState | undefined, attribute: string): readonly AttributeValues[] {
  const entries = user?.values[attribute];
  return Array.isArray(entries) ? entries.map((entry: AttributeValue) => toObject(entry)) : [];
}
