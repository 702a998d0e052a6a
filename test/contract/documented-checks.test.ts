import { expect, it } from 'vitest';
import { readinessChecks } from '../../shared/http/observe/register-health.ts';
import { documentedChecks } from '../support/observe-files.ts';
import { findAll, readProjectFile } from './source-files.ts';

it('explains exactly the existing readiness checks in the runbook', () => {
  const runbook = readProjectFile('docs/operations/runbook.md');
  const [, section = ''] = runbook.split('\n## AnnalsNotReady\n');
  const explained = findAll([section.split('\n## ', 1)[0] ?? ''], /^\| `([a-zA-Z]+)` \|/gm);
  expect(explained).toEqual([...readinessChecks].toSorted());
});

it('lists the services of every readiness check', () => {
  const named = new Set(documentedChecks().values().toArray().flat());
  expect([...named].toSorted()).toEqual([...readinessChecks].toSorted());
});
