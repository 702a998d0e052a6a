import type { Entity, Metadata } from './metadata.ts';

const maxSuggestions = 12;

/**
 * Suggests event names that contain `typed`, events of whole records first. Names that are not suggested may be valid,
 * too.
 */
export function suggestEvents(metadata: Metadata, typed: string): readonly string[] {
  const search = typed.trim().toLowerCase();
  return [...metadata.values()]
    .filter(({ scope }) => scope.watchable)
    .flatMap((entity) => eventNamesOf(entity))
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().includes(search))
    .toSorted((one, other) => one.split('.').length - other.split('.').length)
    .slice(0, maxSuggestions);
}

/** An event of an entity type that webhooks can subscribe to. */
interface EventName {
  readonly name: string;
  readonly kind: 'create' | 'delete' | 'fieldUpdate' | 'relate' | 'unrelate' | 'update';
  /** The field or link of the event. */
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
