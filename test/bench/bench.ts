import type { TestInfrastructure } from '../support/harness/test-infrastructure.ts';

export interface BenchContext {
  /** Kafka and Postgres of this run, started when first asked for. */
  infrastructure(): Promise<TestInfrastructure>;
  /** Proves that a bench runs; its figures mean little. */
  readonly isQuick: boolean;
  /** Whether another round of this length ends before the bench has to. */
  hasTimeFor(milliseconds: number): boolean;
  /** The time of the bench counts from here on: what was before only made ready. */
  isReady(): void;
  /** A short line about what happens now, for the person at the terminal. */
  note(line: string): void;
  /** To be stopped when the bench is over, however it ends; the last opened first. */
  opened(stop: () => Promise<unknown>): void;
}

/** Waiting times of one kind of request, beside what they shall be. */
export interface BenchCase {
  readonly name: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Of `p95Ms`; undefined where there is none. */
  readonly below?: number;
}

export interface BenchFigures {
  readonly value: number;
  readonly unit: string;
  /** The same measure of the yardstick, in the same unit. */
  readonly yardstick: number;
  /** How good the product is beside the yardstick: above 1 it is better. */
  readonly ratio: number;
  /** As the design has it. */
  readonly target: string;
  /** What else was measured. */
  readonly [extra: string]: number | string | readonly BenchCase[];
}

/** Undefined where it cannot be run. */
export type Bench = (context: BenchContext) => Promise<BenchFigures | undefined>;
