import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** The memory available to the process: the limit of its container, or else of the machine. */
export function memoryLimitBytes(constrained = process.constrainedMemory()): number {
  const total = totalmem();
  // Without a limit it is 0, or a number that exceeds any machine.
  return constrained > 0 ? Math.min(constrained, total) : total;
}

/** Node's limit for the heap, which is less than that of the process. */
export function heapLimitBytes(): number {
  return getHeapStatistics().heap_size_limit;
}
