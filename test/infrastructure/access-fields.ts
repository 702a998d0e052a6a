import type { AttributeValue } from '../../shared/domain/value/attribute-values.ts';
import type { RandomSource } from '../support/builders/random-source.ts';
import type { Scope } from './access-attributes.ts';
import { listOf, type StoredRecord, timeOf, type Viewer } from './access-model.ts';

export const teamIds = ['t1', 't2', 't3'];
export const start = Date.UTC(2030, 0, 2, 3, 4, 5);

export type Member = Omit<Viewer, 'roles'> & { readonly isActive: boolean };

export interface Drawing {
  readonly random: RandomSource;
  readonly members: readonly Member[];
  readonly records: readonly StoredRecord[];
  mark(scope: string, id: string, field: string): string;
}

const shared = ['name', 'description', 'assignedUser', 'teams'];

export const fieldsOf: Readonly<Record<Scope, readonly string[]>> = {
  Account: [...shared, 'type', 'sicCode', 'emailAddress', 'billingAddress'],
  Contact: [...shared, 'firstName', 'lastName', 'title', 'emailAddress', 'account', 'accounts'],
  Case: [...shared, 'status', 'account', 'contact', 'contacts', 'collaborators'],
  Task: [
    ...shared,
    'status',
    'dateStart',
    'dateEnd',
    'account',
    'contact',
    'parent',
    'collaborators',
    'dateCompleted',
  ],
  Opportunity: [...shared, 'stage', 'lastStage', 'probability', 'amount'],
};

/**
 * Draws all attributes of a field in the form of an event, which has the names of linked records next to
 * their ids.
 */
export function drawField(
  field: string,
  { scope, id }: { readonly scope: Scope; readonly id: string },
  { random, members, records, mark }: Drawing,
): Readonly<Record<string, AttributeValue>> {
  const maybe = <Value>(value: Value) => (random.chance(0.8) ? value : null);
  const userIds = members.map((member) => member.id);
  switch (field) {
    case 'assignedUser':
      return { assignedUserId: maybe(random.pick(userIds)) };
    case 'teams':
      return { teamsIds: some(random, teamIds) };
    case 'collaborators':
      return { collaboratorsIds: some(random, userIds, 0.15) };
    case 'type':
      return { type: random.pick(['Customer', 'Partner', null]) };
    case 'status':
      return { status: random.pick(scope === 'Case' ? ['New', 'Closed'] : ['Started', null]) };
    case 'stage':
    case 'lastStage':
      return { [field]: random.pick(['Prospecting', 'Proposal']) };
    case 'probability':
      return { probability: maybe(random.int(101)) };
    case 'amount':
      return drawAmount(random);
    case 'dateStart':
    case 'dateEnd':
    case 'dateCompleted':
      return { [field]: maybe(timeOf(start + random.int(1_000_000) * 1_000)) };
    case 'billingAddress':
      return {
        billingAddressStreet: maybe(mark(scope, id, field)),
        billingAddressCity: mark(scope, id, field),
      };
    case 'emailAddress':
      return drawAddresses(Array.from({ length: random.int(3) }, () => mark(scope, id, field)));
    case 'accounts':
      return withColumns(drawLink(field, random, records), () =>
        mark(scope, id, 'accountsColumns'),
      );
    case 'account':
    case 'contact':
    case 'contacts':
    case 'parent':
      return drawLink(field, random, records);
    default:
      return { [field]: maybe(mark(scope, id, field)) };
  }
}

function drawAddresses(marks: readonly string[]): Readonly<Record<string, AttributeValue>> {
  const addresses = marks.map((mark) => `${mark}@x.example`);
  return {
    emailAddress: addresses[0] ?? null,
    emailAddressData: addresses.map((emailAddress, index) => ({
      emailAddress,
      lower: emailAddress,
      primary: index === 0,
      optOut: false,
      invalid: false,
    })),
  };
}

function drawAmount(random: RandomSource): Readonly<Record<string, AttributeValue>> {
  const amount = random.chance(0.8) ? random.int(1_000) : null;
  return { amount, amountCurrency: amount === null ? null : 'USD', amountConverted: amount };
}

/** Some links are null. */
function drawLink(
  field: string,
  random: RandomSource,
  records: readonly StoredRecord[],
): Readonly<Record<string, AttributeValue>> {
  const targets = { account: ['Account'], contact: ['Contact'], parent: ['Account', 'Contact'] };
  const scopes = targets[field.replace(/s$/, '') as keyof typeof targets];
  const linked = records.filter(({ scope }) => scopes.includes(scope));
  const nameOf = ({ values }: StoredRecord) => values['name'] ?? null;
  if (field.endsWith('s')) {
    const several = some(random, linked, 0.2);
    return {
      [`${field}Ids`]: several.map(({ id }) => id),
      [`${field}Names`]: Object.fromEntries(several.map((one) => [one.id, nameOf(one)])),
    };
  }
  const one = random.chance(0.8) ? random.pick(linked) : undefined;
  const type = field === 'parent' ? { parentType: one?.scope ?? null } : {};
  const id = one === undefined && field === 'contact' && random.chance(0.3) ? 'nowhere' : null;
  return {
    [`${field}Id`]: one?.id ?? id,
    ...type,
    [`${field}Name`]: one === undefined ? null : nameOf(one),
  };
}

function withColumns(
  link: Readonly<Record<string, AttributeValue>>,
  mark: () => string,
): Readonly<Record<string, AttributeValue>> {
  const columns = listOf(link['accountsIds']).map((id) => [
    id,
    { role: mark(), isInactive: false },
  ]);
  return { ...link, accountsColumns: Object.fromEntries(columns) };
}

export function some<Value>(random: RandomSource, from: readonly Value[], probability = 0.4) {
  return from.filter(() => random.chance(probability));
}
