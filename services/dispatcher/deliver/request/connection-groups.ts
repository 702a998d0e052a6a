/** Assigns the running requests of an origin to groups of limited size, and fills the first groups first. */
export function createConnectionGroups(size: number) {
  const running = new Map<string, number[]>();
  return {
    /** Returns the group of a new request, counted from 0. */
    enter(origin: string): number {
      const counts = running.get(origin) ?? [];
      running.set(origin, counts);
      const free = counts.findIndex((count) => count < size);
      const group = free === -1 ? counts.length : free;
      counts[group] = (counts[group] ?? 0) + 1;
      return group;
    },
    leave(origin: string, group: number): void {
      const counts = running.get(origin) ?? [];
      counts[group] = (counts[group] ?? 0) - 1;
      if (counts.every((count) => count === 0)) running.delete(origin);
    },
  };
}
