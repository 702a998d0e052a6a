import {
  type CollisionDetection,
  closestCenter,
  type KeyboardCoordinateGetter,
  pointerWithin,
  rectIntersection,
} from '@dnd-kit/core';
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable';

const prefix = 'group:';

/** Returns the id of a group as a drop target. Record ids contain no spaces, so they cannot clash with it. */
export function dropIdOf(group: string): string {
  return `${prefix} ${group}`;
}

/** Returns the group of a drop id; undefined for the id of a card. */
export function groupOfDropId(id: string): string | undefined {
  return id.startsWith(`${prefix} `) ? id.slice(prefix.length + 1) : undefined;
}

/** Returns the nearest card in the group under the pointer or the dragged card; the group itself if it is empty. */
export const findTarget: CollisionDetection = (args) => {
  const { droppableContainers: containers } = args;
  const groups = containers.filter(({ id }) => groupOfDropId(String(id)) !== undefined);
  const among = { ...args, droppableContainers: groups };
  const [over] = args.pointerCoordinates === null ? rectIntersection(among) : pointerWithin(among);
  if (over === undefined) return [];
  const group = groupOfDropId(String(over.id));
  const cards = containers.filter(({ data }) => data.current?.['group'] === group);
  const nearest = closestCenter({ ...args, droppableContainers: cards });
  return nearest.length > 0 ? nearest : [over];
};

/** Moves a card with the arrow keys: up and down within its group, left and right to the next group. */
export const moveByKey: KeyboardCoordinateGetter = (event, args) => {
  const { droppableContainers, droppableRects, collisionRect } = args.context;
  if (event.code !== 'ArrowLeft' && event.code !== 'ArrowRight') {
    return sortableKeyboardCoordinates(event, args);
  }
  event.preventDefault();
  if (collisionRect === null) return undefined;
  const middle = collisionRect.left + collisionRect.width / 2;
  const rects = droppableContainers
    .getEnabled()
    .filter(({ id }) => groupOfDropId(String(id)) !== undefined)
    .flatMap(({ id }) => droppableRects.get(id) ?? [])
    .toSorted((one, other) => one.left - other.left);
  const next =
    event.code === 'ArrowRight'
      ? rects.find(({ left }) => left > middle)
      : rects.findLast(({ right }) => right < middle);
  return next && { x: next.left + (next.width - collisionRect.width) / 2, y: collisionRect.top };
};
