import type { Direction } from './order-plan.ts';

/** A page of a list as a client asks for it. */
export interface ListRequest {
  readonly offset: number;
  readonly maxSize: number;
  readonly orderBy: string | undefined;
  readonly direction: Direction | undefined;
  readonly select: readonly string[] | undefined;
  readonly withTotal: boolean;
}
