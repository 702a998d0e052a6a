import { EventEmitter, once } from 'node:events';
import { readdirSync, statSync, watch } from 'node:fs';
import { join, sep } from 'node:path';
import type { Instance } from './plan-instances.ts';

type Program = Instance['service'];

/** The sources of the services, which `npm run dev` watches. */
export interface WatchedSources {
  /** Resolves at the next change of a file that the program uses. */
  untilChange(program: Program): Promise<unknown>;
}

/** An editor or a checkout may change several files in quick succession. */
const DEBOUNCE_MS = 100;

/** Watches every folder separately: Node's recursive watch loses files that editors replace. */
export function watchSources(root: string): WatchedSources {
  const changes = new EventEmitter().setMaxListeners(0);
  const changed = new Set<Program>();
  const watched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const report = (): void => {
    for (const program of changed) changes.emit(program);
    changed.clear();
  };
  const watchFolder = (folder: string): void => {
    watched.add(folder);
    watch(join(root, folder), { persistent: false }, (_event, name) => {
      const path = join(folder, name ?? '');
      const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory();
      if (isFolder && !watched.has(path)) watchFolder(path);
      for (const program of programsOf(path)) changed.add(program);
      clearTimeout(timer);
      timer = setTimeout(report, DEBOUNCE_MS);
    });
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.isDirectory()) watchFolder(join(folder, entry.name));
    }
  };
  for (const folder of ['services', 'shared']) watchFolder(folder);
  return { untilChange: (program) => once(changes, program) };
}

/** Returns the programs that a source file is part of; the console reloads its own sources. */
export function programsOf(path: string): readonly Program[] {
  const [folder, service] = path.split(sep);
  if (!/[.](ts|avsc|json)$/.test(path) || path.endsWith('.test.ts')) return [];
  if (folder === 'shared') return ['front', 'api', 'projector', 'dispatcher'];
  switch (service) {
    case 'console':
      return [];
    case 'projector':
    case 'dispatcher':
      return [service];
    default:
      return ['api'];
  }
}
