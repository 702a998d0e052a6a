import type { Entity, Metadata } from './metadata.ts';

const mostSuggestions = 12;

/** Names of events that begin like `typed`, those of types first. A name that is none of them may still be right. */
export function suggestEvents(metadata: Metadata, typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  return [...metadata.values()]
    .filter(({ scope }) => scope.watchable)
    .flatMap((entity) => eventNamesOf(entity))
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().includes(wanted))
    .toSorted((one, other) => one.split('.').length - other.split('.').length)
    .slice(0, mostSuggestions);
}

/** What can happen to a record of a type. */
interface EventName {
  readonly name: string;
  readonly kind: 'create' | 'delete' | 'fieldUpdate' | 'relate' | 'unrelate' | 'update';
  /** The field or link that it is about. */
  readonly part?: string;
}

export function eventNamesOf({ name, fields, links }: Entity): readonly EventName[] {
  const several = Object.keys(links).filter((link) => links[link]?.type === 'hasMany');
  const whole = (['create', 'update', 'delete'] as const).map((kind) => ({
    name: `${name}.${kind}`,
    kind,
  }));
  const partial = (kind: EventName['kind'], part: string) => ({
    name: `${name}.${kind}.${part}`,
    kind,
    part,
  });
  return [
    ...whole,
    ...Object.keys(fields).map((field) => partial('fieldUpdate', field)),
    ...several.flatMap((link) => [partial('relate', link), partial('unrelate', link)]),
  ];
}
