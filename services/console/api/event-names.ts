import { toWords } from './labels.ts';
import type { Entity, Metadata } from './metadata.ts';

const maxSuggestions = 12;

/**
 * Suggests events whose names or labels contain each word of `typed`, in any order. Events of whole records come first.
 * Names that are not suggested may be valid too.
 */
export function suggestEvents(metadata: Metadata, typed: string): readonly string[] {
  const search = wordsOf(typed);
  return [...metadata.values()]
    .filter(({ scope }) => scope.watchable)
    .flatMap((entity) => eventNamesOf(entity).filter((event) => matches(entity, event, search)))
    .map(({ name }) => ({ name, rank: rankOf(name, search) }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, maxSuggestions)
    .map(({ name }) => name);
}

/** Returns a lower rank for better matches: first matches at the beginning of words, then events of whole records. */
function rankOf(name: string, search: readonly string[]): number {
  const words = wordsOf(name);
  const isBeginning = search.every((word) => words.some((own) => own.startsWith(word)));
  return (isBeginning ? 0 : 10) + name.split('.').length;
}

function matches(entity: Entity, event: EventName, search: readonly string[]): boolean {
  const label = event.part === undefined ? '' : entity.labelOf(event.part);
  const text = `${event.name} ${entity.label} ${label}`.toLowerCase();
  return search.every((word) => text.includes(word));
}

/** `Contact.fieldUpdate` → `contact`, `field`, `update`. */
function wordsOf(text: string): readonly string[] {
  return toWords(text)
    .toLowerCase()
    .split(/[\s.]+/)
    .filter((word) => word !== '');
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
