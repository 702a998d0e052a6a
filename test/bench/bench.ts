import type { TestInfrastructure } from '../support/harness/test-infrastructure.ts';

export interface BenchContext {
  /** Kafka and Postgres of this run, started on first use. */
  infrastructure(): Promise<TestInfrastructure>;
  /** A short run that proves that the bench works; its figures mean little. */
  readonly isQuick: boolean;
  /** The commit with which `cost` compares these sources. */
  readonly against: string | undefined;
  /** The number of Contacts that `cost` stores; undefined means its default. */
  readonly records: number | undefined;
  /** True if another round of this length ends before the bench has to. */
  hasTimeFor(milliseconds: number): boolean;
  /** Starts the time limit of the bench; earlier work was preparation. */
  isReady(): void;
  /** Prints a short progress line. */
  report(line: string): void;
  /** Registers something to stop at the end of the bench, even after an error; in reverse order of opening. */
  opened(stop: () => Promise<unknown>): void;
}

/** Response times of one kind of request, with their target. */
export interface BenchCase {
  readonly name: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** The target of `p95Ms`; undefined without one. */
  readonly below?: number;
}

export interface BenchFigures {
  readonly value: number;
  readonly unit: string;
  /** The same measure for the yardstick, in the same unit. */
  readonly yardstick: number;
  /** Product relative to yardstick: above 1 the product is better. */
  readonly ratio: number;
  /** The design target. */
  readonly target: string;
  /** Additional figures. */
  readonly [extra: string]: number | string | readonly BenchCase[] | readonly BenchCost[];
}

/** Processor time of one kind of work, in microseconds by process. */
export interface BenchCost {
  readonly work: string;
  /** The product, a yardstick or another commit. */
  readonly subject: string;
  readonly cost: Readonly<Record<string, number>>;
}

/** Returns undefined if the bench cannot run here. */
export type Bench = (context: BenchContext) => Promise<BenchFigures | undefined>;
