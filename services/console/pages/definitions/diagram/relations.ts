import type { Entity, Link, Metadata } from '../../../api/metadata.ts';

/** A link between two entity types, from the side that holds the ids. */
export interface Relation {
  readonly from: string;
  /** Name of the link on the `from` side. */
  readonly link: string;
  readonly to: string;
  /** Name of the link on the `to` side; undefined if it has none. */
  readonly foreign: string | undefined;
  readonly kind: 'manyToMany' | 'manyToOne' | 'toParent';
  readonly isCustom: boolean;
}

/** Returns each link between entity types in the navigation exactly once. */
export function relationsOf(metadata: Metadata): readonly Relation[] {
  const found = [...metadata.values()]
    .filter(({ scope }) => scope.object)
    .flatMap((entity) =>
      Object.entries(entity.links).flatMap(([name, link]) =>
        seenFrom(entity, { name, link }, metadata),
      ),
    )
    .filter(({ to }) => metadata.get(to)?.scope.object === true);
  // Both sides define a many-to-many link.
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
        foreign: childrenLink(metadata.get(to), entity.name, name),
        kind: 'toParent',
      }));
    case 'hasMany':
      return isHeldByOtherSide(link, metadata)
        ? []
        : [{ ...of, to: link.entity ?? '', foreign: link.foreign, kind: 'manyToMany' }];
    default:
      return [];
  }
}

/** Returns the link with which a parent lists its children. */
function childrenLink(parent: Entity | undefined, from: string, link: string): string | undefined {
  return Object.entries(parent?.links ?? {}).find(
    ([, one]) => one.type === 'hasChildren' && one.entity === from && one.foreign === link,
  )?.[0];
}

/** True if the records of the other side hold the ids. */
function isHeldByOtherSide({ entity, foreign }: Link, metadata: Metadata): boolean {
  return metadata.get(entity ?? '')?.links[foreign ?? '']?.type === 'belongsTo';
}

function endsOf({ from, link, to, foreign, kind }: Relation): string {
  const ends = [`${from}.${link}`, `${to}.${foreign ?? ''}`];
  return (kind === 'manyToMany' ? ends.toSorted() : ends).join(' ');
}
