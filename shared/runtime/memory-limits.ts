import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/**
 * Returns the memory available to the process: the container's limit, or the machine's memory if the container has no
 * limit.
 */
export function memoryLimitBytes(constrained = process.constrainedMemory()): number {
  const total = totalmem();
  // Without a limit, Node reports 0, or a number that exceeds any machine.
  return constrained > 0 ? Math.min(constrained, total) : total;
}

/** Returns Node's heap limit, which is smaller than the process's memory limit. */
export function heapLimitBytes(): number {
  return getHeapStatistics().heap_size_limit;
}
