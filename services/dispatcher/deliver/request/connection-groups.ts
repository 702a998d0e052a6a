/** Assigns running requests to an origin to groups of limited size; the first groups are filled first. */
export function createConnectionGroups(size: number) {
  const underWay = new Map<string, number[]>();
  return {
    /** The group, from 0, of a request that begins now. */
    enter(origin: string): number {
      const counts = underWay.get(origin) ?? [];
      underWay.set(origin, counts);
      const free = counts.findIndex((count) => count < size);
      const group = free === -1 ? counts.length : free;
      counts[group] = (counts[group] ?? 0) + 1;
      return group;
    },
    leave(origin: string, group: number): void {
      const counts = underWay.get(origin) ?? [];
      counts[group] = (counts[group] ?? 0) - 1;
      if (counts.every((count) => count === 0)) underWay.delete(origin);
    },
  };
}
