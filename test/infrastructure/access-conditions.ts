import { linkedAttributes, ownAttributes, type Scope } from './access-attributes.ts';
import {
  isLinkedOpen,
  isOpen,
  levelOf,
  listOf,
  reaches,
  type StoredRecord,
  shownOf,
} from './access-model.ts';
import type { Reader } from './access-reader.ts';

export interface Condition {
  readonly item: Readonly<Record<string, unknown>>;
  /** The status of the rejection; undefined if the condition is accepted. */
  readonly refusal: number | undefined;
  readonly means: (record: StoredRecord) => boolean;
}

/** Returns the values at a path from a record; null means no value. */
type ValuesOf = (record: StoredRecord) => readonly unknown[];

interface Path {
  readonly refusal: number | undefined;
  readonly valuesOf: ValuesOf;
}

const linkTargets = {
  account: 'Account',
  accounts: 'Account',
  contact: 'Contact',
  contacts: 'Contact',
};
type Link = keyof typeof linkTargets;

function linksOf(scope: Scope): readonly Link[] {
  const fields = Object.values(ownAttributes[scope]);
  return (Object.keys(linkTargets) as Link[]).filter((link) => fields.includes(link));
}

/** Draws a condition on an attribute of the record, of a linked record, or of a record two links away. */
export function drawCondition(scope: Scope, reader: Reader): Condition {
  const { random } = reader;
  const [link] = linksOf(scope).filter(() => random.chance(0.5));
  if (link !== undefined && random.chance(0.2)) return linkedWith(scope, link, reader);
  const path = drawPath(scope, reader, 2);
  const value = random.pick(valuesAtEnd(scope, path, reader));
  const type =
    value === null ? 'isNull' : random.pick(['equals', 'notEquals', 'in', 'isNull', 'isNotNull']);
  const tests: Readonly<Record<string, (one: unknown) => boolean>> = {
    equals: (one) => one === value,
    notEquals: (one) => one !== null && one !== value,
    in: (one) => one === value,
    isNull: (one) => one === null,
    isNotNull: (one) => one !== null,
  };
  const { refusal, valuesOf } = follow(scope, path.split('.'), reader);
  const given = type === 'in' ? [value] : value;
  return {
    item: { type, attribute: path, value: given },
    refusal,
    means: (record) => valuesOf(record).some((one) => tests[type]?.(one)),
  };
}

function linkedWith(scope: Scope, link: Link, { viewer, world, random }: Reader): Condition {
  const target = random.pick(world.records.filter((one) => one.scope === linkTargets[link]));
  const { id } = target;
  const isNamed = isOpen(viewer, scope, link) && !target.deleted && reaches(viewer, target, 'read');
  return {
    item: { type: 'linkedWith', attribute: link, value: [id] },
    refusal: isNamed ? undefined : 400,
    means: (record) => idsOf(record, link).includes(id),
  };
}

function drawPath(scope: Scope, reader: Reader, steps: number): string {
  const { random } = reader;
  const links = linksOf(scope);
  if (steps > 0 && links.length > 0 && random.chance(0.4)) {
    const link = random.pick(links);
    const target = linkTargets[link] as Scope;
    return `${link}.${steps === 2 ? drawEnd(target, reader) : drawPath(target, reader, 0)}`;
  }
  return drawEnd(scope, reader);
}

/** Draws an attribute whose conditions compare a single value. */
function drawEnd(scope: Scope, { random }: Reader): string {
  const own = Object.keys(ownAttributes[scope]).filter(
    (name) => !/sIds$|sColumns$|^createdAt$|^date|^emailAddress$|^number$/.test(name),
  );
  const linkedAttribute = Object.keys(linkedAttributes[scope]).filter((name) =>
    /^account|^contactName/.test(name),
  );
  return random.pick([...own, ...linkedAttribute.filter((name) => !name.endsWith('sNames'))]);
}

function valuesAtEnd(scope: Scope, path: string, { world }: Reader): readonly unknown[] {
  const steps = resolve(scope, path.split('.'));
  const last = steps.at(-1) ?? '';
  let target = scope;
  for (const link of steps.slice(0, -1)) target = linkTargets[link as Link] as Scope;
  return world.records
    .filter((one) => one.scope === target)
    .map(({ values }) => values[last] ?? null);
}

/** Converts `accountName` to `account.name`. */
function resolve(scope: Scope, [first = '', ...more]: readonly string[]): readonly string[] {
  if (more.length > 0) return [first, ...resolve(linkTargets[first as Link] as Scope, more)];
  const linkedAttribute = linkedAttributes[scope][first];
  return linkedAttribute === undefined
    ? [first]
    : [linkedAttribute.idAttribute.replace(/Id$/, ''), linkedAttribute.attribute];
}

function follow(scope: Scope, path: readonly string[], reader: Reader): Path {
  const { viewer, world } = reader;
  const [first = '', ...more] = path;
  if (more.length === 0) {
    const linkedAttribute = linkedAttributes[scope][first];
    if (linkedAttribute === undefined) {
      const isShown = isOpen(viewer, scope, ownAttributes[scope][first] ?? '');
      return {
        refusal: isShown ? undefined : 400,
        valuesOf: ({ values }) => [values[first] ?? null],
      };
    }
    return {
      refusal: isLinkedOpen(viewer, scope, linkedAttribute) ? undefined : 400,
      valuesOf: (record) => [shownOf(viewer, record, world.records)[first] ?? null],
    };
  }
  const target = linkTargets[first as Link] as Scope;
  const inner = follow(target, more, reader);
  const closed = isOpen(viewer, scope, first) ? undefined : 400;
  const unreadable = levelOf(viewer, target, 'read') === 'no' ? 403 : undefined;
  return {
    refusal: closed ?? unreadable ?? inner.refusal,
    valuesOf(record) {
      const linked = world.records.filter(
        (one) =>
          one.scope === target &&
          idsOf(record, first as Link).includes(one.id) &&
          !one.deleted &&
          reaches(viewer, one, 'read'),
      );
      return linked.length === 0 ? [null] : linked.flatMap(inner.valuesOf);
    },
  };
}

export function idsOf({ values }: StoredRecord, link: string): readonly string[] {
  const id = values[`${link}Id`];
  return typeof id === 'string' ? [id] : listOf(values[`${link}Ids`]);
}
