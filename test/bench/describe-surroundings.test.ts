import { expect, it } from 'vitest';
import { describeCommit, describeSurroundings } from './describe-surroundings.ts';

it('a report names the commit, the machine and every version', () => {
  const run = { commit: 'commit 1a2b3c', postgresVersion: '18.4', javaVersion: 'openjdk 21' };
  const text = describeSurroundings(run);
  for (const part of ['commit 1a2b3c', 'Postgres 18.4', 'on openjdk 21', 'Apache Kafka 4.']) {
    expect(text).toContain(part);
  }
  expect(text).toContain(`Node ${process.versions.node}`);
});

it('describeCommit returns the commit of a git checkout', () => {
  expect(describeCommit()).toMatch(/^(?:commit [0-9a-f]{12,}(?: with changes)?|unknown commit)$/);
});
