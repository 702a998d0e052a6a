import type { Entity, Link, Metadata } from '../../../api/metadata.ts';

/** Two entity types that are linked, seen from the one that holds the ids. */
export interface Relation {
  readonly from: string;
  /** What the link is called there. */
  readonly link: string;
  readonly to: string;
  /** What it is called on the other side, if it has a name there. */
  readonly foreign: string | undefined;
  readonly kind: 'manyToMany' | 'manyToOne' | 'toParent';
  /** Somebody made it. */
  readonly isCustom: boolean;
}

/** Every link between types whose records people work with, each once. */
export function relationsOf(metadata: Metadata): readonly Relation[] {
  const found = [...metadata.values()]
    .filter(({ scope }) => scope.object)
    .flatMap((entity) =>
      Object.entries(entity.links).flatMap(([name, link]) =>
        seenFrom(entity, { name, link }, metadata),
      ),
    )
    .filter(({ to }) => metadata.get(to)?.scope.object === true);
  // A link of many to many is told by both sides.
  const byEnds = new Map(found.map((relation) => [endsOf(relation), relation]));
  return [...byEnds.values()];
}

function seenFrom(
  entity: Entity,
  { name, link }: { readonly name: string; readonly link: Link },
  metadata: Metadata,
): readonly Relation[] {
  const field = entity.fields[name];
  const of = { from: entity.name, link: name, isCustom: field?.isCustom === true } as const;
  switch (link.type) {
    case 'belongsTo':
      return [{ ...of, to: link.entity ?? '', foreign: link.foreign, kind: 'manyToOne' }];
    case 'belongsToParent':
      return (field?.entityList ?? []).map((to) => ({
        ...of,
        to,
        foreign: childrenLink(metadata.get(to), of),
        kind: 'toParent',
      }));
    case 'hasMany':
      return isHeldBelow(link, metadata)
        ? []
        : [{ ...of, to: link.entity ?? '', foreign: link.foreign, kind: 'manyToMany' }];
    default:
      return [];
  }
}

/** By what a parent lists its children. */
function childrenLink(
  parent: Entity | undefined,
  { from, link }: Pick<Relation, 'from' | 'link'>,
): string | undefined {
  return Object.entries(parent?.links ?? {}).find(
    ([, one]) => one.type === 'hasChildren' && one.entity === from && one.foreign === link,
  )?.[0];
}

/** Records of the other side hold one id each: it is their link. */
function isHeldBelow({ entity, foreign }: Link, metadata: Metadata): boolean {
  return metadata.get(entity ?? '')?.links[foreign ?? '']?.type === 'belongsTo';
}

function endsOf({ from, link, to, foreign, kind }: Relation): string {
  const ends = [`${from}.${link}`, `${to}.${foreign ?? ''}`];
  return (kind === 'manyToMany' ? ends.toSorted() : ends).join(' ');
}
