export type SheetProblem = 'empty' | 'notSheet' | 'tooLarge';

/** Thrown for a file that cannot be imported. */
export class InvalidSheet extends Error {
  readonly problem: SheetProblem;

  constructor(problem: SheetProblem) {
    super(problem);
    this.problem = problem;
  }
}
