import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import type { ChildExit, RunningChild } from '../processes/spawn-child.ts';

/**
 * An archive for class data sharing (CDS), kept beside the jars of the broker: with it a start takes 1.7 s of processor
 * time instead of 3.0. Java ignores an archive that does not match the jars; each version of Java has its own.
 */
export interface ClassArchive {
  /** For the command line of a broker. */
  readonly options: readonly string[];
  /** To be called with the broker: where there is no archive yet, one appears when this one has ended. */
  keepOf(broker: Pick<RunningChild, 'exited'>): void;
}

/** `isMade`: the end of the broker takes some seconds longer, in which Java writes an archive that is missing. */
export function openClassArchive(
  { command, libraries }: { readonly command: string; readonly libraries: string },
  isMade: boolean,
): ClassArchive {
  const path = `${libraries}-${identifyJava(command)}.jsa`;
  if (existsSync(path)) {
    return { options: [`-XX:SharedArchiveFile=${path}`], keepOf: () => undefined };
  }
  if (!isMade) return { options: [], keepOf: () => undefined };
  const unfinished = `${path}.new-${process.pid}`;
  return {
    options: [`-XX:ArchiveClassesAtExit=${unfinished}`],
    keepOf(broker) {
      void broker.exited.then((exit) => keep(unfinished, path, exit));
    },
  };
}

function keep(unfinished: string, path: string, { signal }: ChildExit): void {
  if (!existsSync(unfinished)) return;
  // Java itself ends with a code; one that was killed may have written half of it.
  if (signal === null) renameSync(unfinished, path);
  else rmSync(unfinished);
}

function identifyJava(command: string): string {
  const { stderr, stdout } = spawnSync(command, ['-version'], { encoding: 'utf8' });
  return createHash('sha256').update(`${stderr}${stdout}`).digest('hex').slice(0, 12);
}
