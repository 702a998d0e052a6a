import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import {
  acknowledgementsId,
  acknowledgementsType,
} from '../../../shared/domain/finding/acknowledgements.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { acknowledgeFindings } from './acknowledge-findings.ts';
import { summarize } from './examine.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { warning, fault } = findingsAbout('webhooks');
const links = [{ kind: 'record', entityType: 'Webhook', id: 'w1', name: 'one' }] as const;
const slow = warning({
  code: 'webhooks.deactivated',
  says: '1 of 2',
  remedy: 'activate it',
  parameters: { deactivated: 1, count: 2 },
  links,
});
const broken = fault({ code: 'check.failed', says: 'failed', remedy: 'fix it' });

/** Returns the findings in an installation whose administrator has acknowledged `known`. */
function examine(findings: readonly Finding[], known?: Finding) {
  const directory = createDirectory(stockDefinitions);
  directory.apply(aCreation('User', { name: 'Ann Lee' }, { recordId: 'ann' }));
  const id = known && acknowledgeFindings([known], directory)[0]?.id;
  if (id !== undefined) {
    const stored = { code: 'c', reason: 'Intended.', byId: 'ann', at: '2030-01-02T03:04:05.000Z' };
    const parts = { recordId: acknowledgementsId };
    directory.apply(aCreation(acknowledgementsType, { [id]: stored }, parts));
  }
  return summarize(acknowledgeFindings(findings, directory));
}

describe('an acknowledged warning', () => {
  it('does not count, and has its author and reason', () => {
    const { findings, ...counts } = examine([slow, broken], slow);
    expect(counts).toEqual({ faults: 1, warnings: 0, acknowledged: 1 });
    expect(findings[0]?.acknowledged).toEqual({
      reason: 'Intended.',
      byId: 'ann',
      byName: 'Ann Lee',
      at: '2030-01-02T03:04:05.000Z',
    });
  });

  it.each([
    ['code', { ...slow, code: 'webhooks.userInactive' }],
    ['parameters', { ...slow, parameters: { deactivated: 2, count: 2 } }],
    ['links', { ...slow, links: [{ ...links[0], id: 'w2' }] }],
    ['part', { ...slow, about: 'files' }],
  ] as const)('counts again with another %s', (_, changed) => {
    expect(examine([changed], slow)).toMatchObject({ warnings: 1, acknowledged: 0 });
  });

  it('is recognized regardless of its text, names and the order of its parameters', () => {
    const same: Finding = {
      ...slow,
      says: 'one of two',
      parameters: { count: 2, deactivated: 1 },
      links: [{ ...links[0], name: 'renamed' }],
    };
    expect(examine([same], slow)).toMatchObject({ warnings: 0, acknowledged: 1 });
  });
});

it('faults have no id, because they cannot be acknowledged', () => {
  expect(examine([broken], broken)).toMatchObject({ faults: 1, acknowledged: 0 });
  expect(examine([broken]).findings).toEqual([broken]);
});
