import { expect, it } from 'vitest';
import { checkVersions } from './check-versions.ts';

const api = { name: 'api', host: 'a:9090', version: '0.1.0' };
const projector = { name: 'projector', host: 'b:9090', version: '0.1.0' };

it('is ok if all processes run the version of this command', () => {
  expect(checkVersions([api, projector], '0.1.0')).toEqual({
    about: 'services',
    verdict: 'ok',
    code: 'services.sameVersion',
    parameters: { version: '0.1.0', own: '0.1.0' },
    says: 'All processes run version 0.1.0, as this command does.',
  });
});

it('lists the processes by version during an upgrade', () => {
  const upgraded = { ...api, host: 'c:9090', version: '0.10.0' };
  const older = { ...projector, version: '0.9.2' };
  expect(checkVersions([upgraded, older, api], '0.10.0')).toMatchObject({
    verdict: 'warning',
    says: 'The processes run different versions: 0.1.0 (api at a:9090), 0.9.2 (projector at b:9090), 0.10.0 (api at c:9090).',
    remedy: expect.stringContaining('finish the upgrade'),
  });
});

it('warns if the version of this command differs from the version of the processes', () => {
  expect(checkVersions([api, projector], '0.2.0')).toMatchObject({
    verdict: 'warning',
    says: 'All processes run version 0.1.0, but this command is version 0.2.0.',
  });
});
