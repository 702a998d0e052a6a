import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { aTextFile } from '../support/builders/a-text-file.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { eventually } from '../support/eventually.ts';
import { checkOut } from '../support/harness/check-out.ts';
import { foldAccounts, proveLog } from '../support/proofs/prove-writes.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type AttemptedWrite, startWriteLoad, type WriteLoad } from '../support/write-load.ts';
import {
  buildImage,
  type ComposeProject,
  findComposeObstacle,
  type Profile,
  startComposeProject,
} from './compose-project.ts';
import { loopsOf } from './lines-of.ts';
import { longestGapDuring } from './longest-gap.ts';

/** The oldest commit whose data this version has to read. */
const FORMER = '81122c75';
const PRESENT = 'present';
/** Two images, on a busy machine. */
const IMAGES_MS = 900_000;
const FILE = 'kept through every version';
const place = mkdtempSync(join(tmpdir(), 'annals-upgrade-'));
const former = checkOut(FORMER, place);
const obstacle =
  (await findComposeObstacle()) ??
  (former === undefined ? `no commit ${FORMER} in this copy` : undefined);
const { records } = topicNames('annals');
const patience = { timeoutMs: 90_000, intervalMs: 500 };

beforeAll(async () => {
  if (obstacle !== undefined || former === undefined) return;
  await buildImage(FORMER, former);
  await buildImage(PRESENT);
}, IMAGES_MS);

afterAll(() => rmSync(place, { recursive: true, force: true }));

interface EventElement {
  readonly id: string;
}

const profiles: readonly (readonly [Profile, string])[] = [
  ['cluster', 'Upgrading the cluster'],
  ['single', 'Upgrading `single`'],
];

describe.skipIf(obstacle !== undefined).each(profiles)(
  `docker compose --profile %s${becauseOf(obstacle)}`,
  (profile, heading) => {
    const writes: AttemptedWrite[] = [];
    let project: ComposeProject;
    let api: ApiClient;
    let admin: ApiClient;
    let load: WriteLoad;
    let stoodBefore: ReadonlySet<string>;
    let receiver: Awaited<ReturnType<ComposeProject['startReceiver']>>;
    let fileId: string;
    let projectId: string;

    beforeAll(async () => {
      const env = {
        WEBHOOK_QUEUE_INTERVAL: '1s',
        WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
        WEBHOOK_QUEUE_PORTION_SIZE: '0',
        WEBHOOK_ALLOWED_ADDRESSES: 'receiver:8000',
      };
      project = await startComposeProject(profile, env, FORMER);
      const access = await project.access();
      api = createApiClient(project.url, withApiKey(access.apiKey));
      admin = api.as(withPassword(access.admin));
      receiver = await project.startReceiver(PRESENT);
      for (const event of ['Account.create', 'Account.update', 'Account.delete']) {
        await registerWebhook(api, { event, url: receiver.url, payloadFormat: 'events' });
      }
      await admin.post('/EntityManager/action/createEntity', { name: 'Project', type: 'Base' });
      ({ id: projectId } = recordIn(await admin.post('/Project', { name: 'Bridge' })));
      ({ id: fileId } = recordIn(await admin.post('/Attachment', aTextFile(FILE))));
      const log = project.readLog();
      stoodBefore = new Set((await log.events(records)).map(({ eventId }) => eventId));
      await log.close();
      load = startWriteLoad(api, writes);
      await progress(load, 300);
    });

    afterAll(async () => {
      await load?.stop();
      api?.close();
      await project?.remove();
    });

    it.each([
      ['upgrade', PRESENT],
      ['downgrade', FORMER],
      ['second upgrade', PRESENT],
    ])('replaces services one at a time under load: %s', async (direction, version) => {
      project.useVersion(version);
      const [services = ''] = loopsOf(heading);
      expect(services).toContain('--no-deps');
      const before = writes.length;
      const gap = await longestGapDuring(load, async () => void (await project.runLines(services)));
      await progress(load, 100);
      const unanswered = writes.slice(before).flatMap(({ reason = [] }) => reason);
      report(
        `${profile} ${direction}: ${writes.length - before} writes, ${unanswered.length} unanswered, longest gap ${gap} ms`,
      );
      expect(load.complaints).toEqual([]);
      if (profile === 'cluster' && version === PRESENT) expect(unanswered).toEqual([]);
    });

    it('keeps all writes, events, files and types', async () => {
      await load.stop();
      expect(load.complaints).toEqual([]);
      const log = project.readLog();
      const events = await proveLog(log, records, writes, stoodBefore);
      await log.close();
      foldAccounts(events);
      await project.annals('verify');
      await eventually(async () => {
        const delivered = new Set(
          (await receiver.bodies()).flat().map((element) => (element as EventElement).id),
        );
        const missing = events.filter(({ eventId }) => !delivered.has(eventId));
        expect(missing.length, `of ${events.length} events the webhook lacks`).toBe(0);
      }, patience);
      await project.annals('verify', '--webhooks');
      expect(recordIn(await admin.get(`/Project/${projectId}`))['name']).toBe('Bridge');
      const file = await admin.get(`/Attachment/file/${fileId}`);
      expect(file.text).toBe(FILE);
      report(
        `${profile}: ${load.acknowledged()} writes acknowledged, none lost; ${events.length} events delivered`,
      );
    });
  },
);

async function progress(load: WriteLoad, count: number): Promise<void> {
  const goal = load.acknowledged() + count;
  await eventually(() => expect(load.acknowledged()).toBeGreaterThanOrEqual(goal), patience);
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
