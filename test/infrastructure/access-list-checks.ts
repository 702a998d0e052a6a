import { expect } from 'vitest';
import { attributesOf, linkedAttributes, ownAttributes, type Scope } from './access-attributes.ts';
import { type Condition, drawCondition } from './access-conditions.ts';
import { some } from './access-fields.ts';
import {
  isLinkedOpen,
  isOpen,
  levelOf,
  reaches,
  type StoredRecord,
  shownOf,
  type Viewer,
} from './access-model.ts';
import { type Reader, scopes } from './access-reader.ts';

type Row = Readonly<Record<string, unknown>>;

/** Draws conditions, an order and selected attributes, all of which may be closed to the reader. */
export async function checkList(reader: Reader): Promise<void> {
  const { random, viewer } = reader;
  const scope = random.pick(scopes);
  const conditions = some(random, [1, 2], 0.5).map(() => drawCondition(scope, reader));
  const order = drawOrder(scope, reader);
  const select = random.chance(0.5) ? undefined : drawSelect(scope, reader);
  const path = `/${scope}?${new URLSearchParams({
    maxSize: '200',
    where: JSON.stringify(conditions.map(({ item }) => item)),
    ...(order.orderBy === undefined ? {} : { orderBy: order.orderBy }),
    order: order.direction,
    ...(select === undefined ? {} : { select: select.join() }),
  })}`;
  const { status, body } = await reader.read(path);
  const refusal = refusalOf(viewer, scope, conditions) ?? order.refusal;
  expect(status, path).toBe(refusal ?? 200);
  if (refusal !== undefined) return;
  const expected = listed(reader, scope)
    .filter((record) => conditions.every(({ means }) => means(record)))
    .toSorted(order.compare);
  // Lists return these attributes regardless of the selection.
  const always = ['assignedUserId', 'createdById', order.sortedBy];
  expectRows(reader, { path, body, expected, select: select && [...select, ...always] });
}

function refusalOf(
  viewer: Viewer,
  scope: Scope,
  conditions: readonly Condition[],
): number | undefined {
  if (levelOf(viewer, scope, 'read') === 'no') return 403;
  return conditions.find(({ refusal }) => refusal !== undefined)?.refusal;
}

/** Returns the records of a type that the reader may list, ordered by id. */
export function listed({ viewer, world }: Reader, scope: Scope): readonly StoredRecord[] {
  return world.records
    .filter((one) => one.scope === scope && !one.deleted && reaches(viewer, one, 'read'))
    .toSorted((one, other) => compareValues(one.id, other.id));
}

interface Order {
  readonly orderBy: string | undefined;
  readonly sortedBy: string;
  readonly direction: 'asc' | 'desc';
  readonly refusal: number | undefined;
  readonly compare: (one: StoredRecord, other: StoredRecord) => number;
}

/** Draws an order by an attribute, by the name of a linked record, or the default order of the type. */
function drawOrder(scope: Scope, { random, viewer, world }: Reader): Order {
  const names = ['name', 'description', 'createdAt', 'assignedUserId'];
  if (scope === 'Account') names.push('billingAddress');
  if (scope === 'Opportunity') names.push('probability', 'amountWeightedConverted');
  const linkedAttribute = Object.keys(linkedAttributes[scope]).filter((name) =>
    /^accountName|^contactName/.test(name),
  );
  const links = linkedAttribute.map((name) => name.replace('Name', ''));
  const orderBy = random.pick([
    undefined,
    undefined,
    'id',
    'nonsense',
    ...names,
    ...links,
    ...linkedAttribute,
  ]);
  const direction = random.pick(['asc', 'desc'] as const);
  const usual = scope === 'Case' ? 'number' : 'createdAt';
  const firstOf = {
    billingAddress: 'billingAddressCity',
    account: 'accountName',
    contact: 'contactName',
  };
  const sortedBy = firstOf[orderBy as keyof typeof firstOf] ?? orderBy ?? usual;
  const field = ownAttributes[scope][sortedBy];
  const linked = linkedAttributes[scope][sortedBy];
  const isShown =
    field === undefined
      ? linked !== undefined && isLinkedOpen(viewer, scope, linked)
      : isOpen(viewer, scope, field);
  const key = (record: StoredRecord) => shownOf(viewer, record, world.records)[sortedBy] ?? null;
  const sign = direction === 'asc' ? 1 : -1;
  return {
    orderBy,
    sortedBy,
    direction,
    refusal: isShown || orderBy === 'id' || orderBy === undefined ? undefined : 400,
    compare: (one, other) =>
      sign * (compareValues(key(one), key(other)) || compareValues(one.id, other.id)),
  };
}

/** Null sorts before everything else. */
export function compareValues(one: unknown, other: unknown): number {
  if (one === other) return 0;
  if (one === null || other === null || one === undefined || other === undefined) {
    return (one ?? null) === null ? -1 : 1;
  }
  return one < other ? -1 : 1;
}

function drawSelect(scope: Scope, { random }: Reader): readonly string[] {
  return [...some(random, attributesOf(scope)), 'nonsense', 'mergePlan'];
}

/** Lists return these attributes only if they are selected. */
const isSingleReadOnly = (name: string) => /s(?:Ids|Names|Columns)$/.test(name);

export function expectRows(
  { viewer, world }: Reader,
  answer: {
    readonly path: string;
    readonly body: { readonly total: number; readonly list: readonly Row[] };
    readonly expected: readonly StoredRecord[];
    readonly select?: readonly string[] | undefined;
  },
): void {
  const { path, body, expected, select } = answer;
  expect(
    body.list.map(({ id }) => id),
    path,
  ).toEqual(expected.map(({ id }) => id));
  expect(body.total, path).toBe(expected.length);
  for (const [index, record] of expected.entries()) {
    const names = attributesOf(record.scope).filter(
      (name) => select?.includes(name) ?? !isSingleReadOnly(name),
    );
    const shown = shownOf(viewer, record, world.records);
    expect(pick(body.list[index] ?? {}, names), `${path} ${record.id}`).toEqual(pick(shown, names));
  }
}

export function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]));
}
