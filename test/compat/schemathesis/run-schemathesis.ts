import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparePython } from '../python-environment.ts';
import { type ProgramRun, runProgram } from '../run-program.ts';
import type { FuzzTarget, FuzzUser } from './prepare-fuzz.ts';

interface FuzzPlan {
  readonly seed: number;
  readonly phases: readonly ('examples' | 'coverage' | 'fuzzing')[] | readonly ['stateful'];
  /** Of each operation, in the phase fuzzing; sequences of requests in the phase stateful. */
  readonly maxExamples: number;
  readonly maxSeconds: number;
}

interface FuzzRun {
  readonly target: FuzzTarget;
  readonly user: FuzzUser;
  readonly plan: FuzzPlan;
}

/** What an answer must be: no error of ours, and as the document says. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/**
 * In the phase stateful: of all operations together Schemathesis 4.32.5 finds no sequence, and tests none. Where it takes
 * turns with another phase it then fails by an assertion of its own.
 */
const statefulPaths = '^/(Account|Contact|Case)(/|$)';
const KILL_AFTER_MS = 120_000;

/** The Python that has schemathesis, or why there is none. */
export async function prepareSchemathesis() {
  return preparePython(join(import.meta.dirname, 'requirements.txt'));
}

/** Sends what the document allows, and what it does not, as one user. */
export async function runSchemathesis(
  python: string,
  { target, user, plan }: FuzzRun,
): Promise<ProgramRun> {
  // A directory of its own: it would read the settings that lie where it runs, and leaves a cache there.
  const cwd = mkdtempSync(join(tmpdir(), 'annals-fuzz-'));
  writeFileSync(join(cwd, 'openapi.json'), target.document);
  try {
    return await runProgram(
      python,
      ['-m', 'schemathesis.cli', 'run', 'openapi.json', ...optionsOf({ target, user, plan })],
      { cwd, timeoutMs: plan.maxSeconds * 1_000 + KILL_AFTER_MS },
    );
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function optionsOf({ target, user, plan }: FuzzRun): readonly string[] {
  const options: Readonly<Record<string, string>> = {
    origin: target.url,
    header: user.header,
    checks: checks.join(),
    phases: plan.phases.join(),
    seed: `${plan.seed}`,
    'max-examples': `${plan.maxExamples}`,
    'max-time': `${plan.maxSeconds}`,
    'request-timeout': '30',
    'generation-database': 'none',
    'generation-with-security-parameters': 'false',
    // An answer without an end.
    'exclude-path': '/System/events',
    ...(plan.phases[0] === 'stateful' ? { 'include-path-regex': statefulPaths } : {}),
    // Warnings about the document, not about answers.
    warnings: 'off',
  };
  return [
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    '--continue-on-failure',
    '--no-color',
  ];
}

/** `12345 generated, 1 found …` */
export function countCases(output: string): number {
  return Number(/^\s*(\d+) generated/m.exec(output)?.[1] ?? 0);
}
