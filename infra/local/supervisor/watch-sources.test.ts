import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { programsOf, watchSources } from './watch-sources.ts';

it.each([
  ['shared/kafka/append.ts', ['front', 'api', 'projector', 'dispatcher']],
  ['shared/events/avro/entry.avsc', ['front', 'api', 'projector', 'dispatcher']],
  ['services/command/records/create.ts', ['api']],
  ['services/dispatcher/window/queue.ts', ['dispatcher']],
  ['services/projector/main.ts', ['projector']],
  ['services/query/lists/list-routes.ts', ['api']],
  ['services/projector/tables/apply.test.ts', []],
  ['services/console/main.tsx', []],
  ['services/console/api/client.ts', []],
])('maps a change of %s to the programs that use it', (path, programs) => {
  expect(programsOf(path)).toEqual(programs);
});

describe('watchSources', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'annals-sources-'));
    for (const folder of ['shared', 'services/projector/tables']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('reports changes to replaced files and to files in new folders', async () => {
    const { untilChange } = watchSources(root);
    const path = join(root, 'services', 'projector', 'tables', 'apply.ts');
    for (const version of ['one', 'another', 'a third']) {
      const change = untilChange('projector');
      writeFileSync(`${path}.new`, version);
      renameSync(`${path}.new`, path);
      await change;
    }
    const folder = join(root, 'shared', 'new');
    mkdirSync(folder);
    const timer = setInterval(() => writeFileSync(join(folder, 'file.ts'), ''), 200);
    await untilChange('api');
    clearInterval(timer);
  });
});
