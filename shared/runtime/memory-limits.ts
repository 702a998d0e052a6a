import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** What the process may take: of its container where that has a limit, else of the machine. */
export function memoryLimitBytes(constrained = process.constrainedMemory()): number {
  const total = totalmem();
  // Without a limit it is 0, or a number that no machine has.
  return constrained > 0 ? Math.min(constrained, total) : total;
}

/** What Node lets objects take before it gives up: less than the process may. */
export function heapLimitBytes(): number {
  return getHeapStatistics().heap_size_limit;
}
